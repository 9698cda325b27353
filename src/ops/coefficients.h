// Written by tools/coefficients.py. Polynomials are lowest order first; the rules say what each approximates.
// clang-format off
#pragma once
#include <cstdint>

namespace cotan::ops {

template <class T>
struct Coefficients;

template <>
struct Coefficients<float> {
  // weighted error 2^-28.2
  static constexpr double sin[] = {-0x1.5555560000000p-3, 0x1.1111080000000p-7, -0x1.a00ec40000000p-13, 0x1.6ca4da0000000p-19};
  // weighted error 2^-30.6
  static constexpr double cos[] = {0x1.55554a0000000p-5, -0x1.6c0bb60000000p-10, 0x1.99c3da0000000p-16};
  // weighted error 2^-28.9
  static constexpr double atan[] = {-0x1.5555540000000p-2, 0x1.99991a0000000p-3, -0x1.247efc0000000p-3, 0x1.c466ce0000000p-4,
      -0x1.5b3d9c0000000p-4, 0x1.84d1980000000p-5};
  // weighted error 2^-30.1
  static constexpr double asin[] = {0x1.55554c0000000p-3, 0x1.3338900000000p-4, 0x1.6cabde0000000p-5, 0x1.04a9d60000000p-5,
      0x1.d7b6f80000000p-7, 0x1.33d2b60000000p-5};
  // weighted error 2^-25.8
  static constexpr double exp[] = {0x1.0000000000000p-1, 0x1.5554a80000000p-3, 0x1.55547a0000000p-5, 0x1.122d660000000p-7,
      0x1.6da3ce0000000p-10};
  // weighted error 2^-27.8
  static constexpr double exp2[] = {0x1.ebfbe00000000p-3, 0x1.c6af820000000p-5, 0x1.3b29ce0000000p-7, 0x1.5f08be0000000p-10,
      0x1.447ada0000000p-13};
  // weighted error 2^-27.1
  static constexpr double log[] = {0x1.55554a0000000p-2, -0x1.0002180000000p-2, 0x1.99a59e0000000p-3, -0x1.547a760000000p-3,
      0x1.226e300000000p-3, -0x1.0ccfda0000000p-3, 0x1.07ce200000000p-3, -0x1.423b740000000p-4};
  // weighted error 2^-38.6
  static constexpr double atanh[] = {0x1.9999980000000p-3, 0x1.2493760000000p-3, 0x1.c658900000000p-4, 0x1.8ec19e0000000p-4};
  // weighted error 2^-27.4
  static constexpr double tanh[] = {-0x1.5555520000000p-2, 0x1.1110380000000p-3, -0x1.b9f00c0000000p-5, 0x1.6436ec0000000p-6,
      -0x1.1457020000000p-7, 0x1.69e9fc0000000p-9, -0x1.1563740000000p-11};
  // weighted error 2^-14.7
  static constexpr double rcbrt[] = {0x1.dfe3120000000p+0, -0x1.dca82c0000000p+0, 0x1.8fb7c80000000p+0, -0x1.67a15e0000000p-1,
      0x1.06e39e0000000p-3};
  static constexpr double erf_inv_bound[] = {0x1.8000000000000p+1, 0x1.0000000000000p+3, 0x1.1000000000000p+4};
  static constexpr double erf_inv_centre[] = {0x1.8000000000000p+0, 0x1.2000000000000p+1, 0x1.c000000000000p+1};
  static constexpr double erf_inv_lost[] = {-0x1.01c10c0000000p-25, -0x1.827d4e0000000p-26, 0x1.cbcc940000000p-28};
  // relative error 2^-26.6
  static constexpr double erf_inv_low[] = {0x1.4087420000000p+0, 0x1.005f040000000p-2, 0x1.cd40900000000p-11, -0x1.123fe60000000p-9,
      0x1.7491420000000p-13, 0x1.878edc0000000p-16, -0x1.6736fc0000000p-18, -0x1.9f5e620000000p-24, 0x1.cbc89e0000000p-24};
  // relative error 2^-26.7
  static constexpr double erf_inv_mid[] = {0x1.0bec0a0000000p+1, 0x1.ea48360000000p-1, 0x1.0f2efa0000000p-4, -0x1.aabd340000000p-5,
      0x1.64a04a0000000p-6, 0x1.7f424e0000000p-10, -0x1.a0cc160000000p-8, 0x1.7153980000000p-10, 0x1.09c7340000000p-10};
  // relative error 2^-26.0
  static constexpr double erf_inv_top[] = {0x1.aaf1320000000p+1, 0x1.01e2ee0000000p+0, 0x1.ada5f00000000p-9, -0x1.0ea0be0000000p-9,
      0x1.1b0b140000000p-10, -0x1.5ff8960000000p-11, 0x1.ff0c8c0000000p-12, -0x1.f55ce40000000p-13};
  // pi / 2 in three full numbers
  static constexpr double half_pi[] = {0x1.921fb60000000p+0, -0x1.777a5c0000000p-25, -0x1.ee59da0000000p-50};
  // the first times 1..4 is exact
  static constexpr double quarter_pi[] = {0x1.921fc00000000p-1, -0x1.5777a60000000p-22};
  // the first times any exponent is exact
  static constexpr double ln2[] = {0x1.62e4000000000p-1, 0x1.7f7d1c0000000p-20};
  // ln 2
  static constexpr double ln2_full[] = {0x1.62e4300000000p-1, -0x1.05c6100000000p-29};
  // 2 / ln 2
  static constexpr double two_log2_e[] = {0x1.7154760000000p+1, 0x1.4ae0c00000000p-25};
  // 1 / 3
  static constexpr double third[] = {0x1.5555560000000p-2, -0x1.5555560000000p-27};
  // 2^(1/3), 2^(-1/3)
  static constexpr double cbrt2[] = {0x1.428a300000000p+0, 0x1.965fea0000000p-1};
};

template <>
struct Coefficients<double> {
  // weighted error 2^-57.4
  static constexpr double sin[] = {-0x1.5555555555555p-3, 0x1.1111111111109p-7, -0x1.a01a01a018650p-13, 0x1.71de3a52da273p-19,
      -0x1.ae64521be02efp-26, 0x1.61204362897d9p-33, -0x1.aa7df55d4cf46p-41};
  // weighted error 2^-61.5
  static constexpr double cos[] = {0x1.5555555555549p-5, -0x1.6c16c16c14bb9p-10, 0x1.a01a019c1d5e9p-16, -0x1.27e4f79c389e3p-22,
      0x1.1ee99fe269f1fp-29, -0x1.8f869dc96db08p-37};
  // weighted error 2^-58.4
  static constexpr double atan[] = {-0x1.5555555555555p-2, 0x1.9999999999970p-3, -0x1.2492492490a37p-3, 0x1.c71c71c60e196p-4,
      -0x1.745d1712a0c7ap-4, 0x1.3b13aafd243d9p-4, -0x1.11108d092e5d6p-4, 0x1.e1d2a7277894ap-5, -0x1.ae892f1535111p-5,
      0x1.817b75009342ap-5, -0x1.4c3024f3b0335p-5, 0x1.e51deb6951b78p-6, -0x1.a93ddc4e324e4p-7};
  // weighted error 2^-59.0
  static constexpr double asin[] = {0x1.5555555555578p-3, 0x1.333333332df03p-4, 0x1.6db6db722c0f3p-5, 0x1.f1c71a8b67d4ap-6,
      0x1.6e8bdfeb94284p-6, 0x1.1c49ddb320cc7p-6, 0x1.ca214acfda426p-7, 0x1.75775d616ef62p-7, 0x1.618babcee6540p-7, 0x1.e14e5d77270aap-9,
      0x1.650592263fc26p-6, -0x1.59fb1dfb8dc7fp-6, 0x1.0be5b789aa06ap-5};
  // weighted error 2^-59.4
  static constexpr double exp[] = {0x1.0000000000000p-1, 0x1.5555555555559p-3, 0x1.555555555555bp-5, 0x1.111111110f4acp-7,
      0x1.6c16c16c1418dp-10, 0x1.a01a01b0cd670p-13, 0x1.a01a01b1a5655p-16, 0x1.71ddf5cb3546ep-19, 0x1.27e4c385a1853p-22,
      0x1.af638bf1eb76cp-26, 0x1.1f98c3ba11cbdp-29};
  // weighted error 2^-58.4
  static constexpr double exp2[] = {0x1.ebfbdff82c58fp-3, 0x1.c6b08d704a0c8p-5, 0x1.3b2ab6fba4e7fp-7, 0x1.5d87fe78a35e8p-10,
      0x1.430912f869578p-13, 0x1.ffcbfc713d3b3p-17, 0x1.62c0224c0df25p-20, 0x1.b524e384fc535p-24, 0x1.e4ceece36bba5p-28,
      0x1.e9f96c3cd729ap-32, 0x1.c4d577b7f491dp-36};
  // weighted error 2^-58.4
  static constexpr double log[] = {0x1.5555555555593p-1, 0x1.999999997f9abp-2, 0x1.24924942311c4p-2, 0x1.c71c51cffb2b6p-3,
      0x1.74664bc1ac788p-3, 0x1.39a054a4c2d1ep-3, 0x1.2f147999b779dp-3};
  // weighted error 2^-66.7
  static constexpr double atanh[] = {0x1.999999999999ap-3, 0x1.249249249246ep-3, 0x1.c71c71c7228b0p-4, 0x1.745d174172a7ap-4,
      0x1.3b13b31623d00p-4, 0x1.1110935b21259p-4, 0x1.e20bbf5860b23p-5, 0x1.aae7861cfa340p-5, 0x1.c33c8f5f82aecp-5};
  // weighted error 2^-14.7
  static constexpr double rcbrt[] = {0x1.dfe312edba690p+0, -0x1.dca82c4631925p+0, 0x1.8fb7c725093f7p+0, -0x1.67a15df0692f0p-1,
      0x1.06e39d737559ap-3};
  static constexpr double erf_inv_bound[] = {0x1.0000000000000p+2, 0x1.c000000000000p+3, 0x1.2c00000000000p+5};
  static constexpr double erf_inv_centre[] = {0x1.0000000000000p+1, 0x1.7000000000000p+1, 0x1.3c00000000000p+2};
  static constexpr double erf_inv_lost[] = {0x1.497701956b592p-54, 0x1.6cb1db3e2ada1p-53, -0x1.5332e5e3fb5d8p-53};
  // relative error 2^-55.5
  static constexpr double erf_inv_low[] = {0x1.60912d150286bp+0, 0x1.ff8666bb1460ep-3, -0x1.01f7f04aa448cp-9, -0x1.bb9627a1f1429p-10,
      0x1.c4dab7c60c50fp-13, 0x1.fcca0b2dccd4cp-18, -0x1.471ec4daeec6cp-18, 0x1.545098c82b85dp-22, 0x1.289ea31d86e40p-24,
      -0x1.bb1ad04727fd6p-27, -0x1.19d64e6d221cdp-32, 0x1.432a9137c59cdp-32, -0x1.759113a0c76bfp-36, -0x1.30b22174a0389p-38,
      0x1.dc0d915b4c5ecp-41, 0x1.2d05ef8b67b9dp-46, -0x1.642a7560844a7p-46, 0x1.9394e2f4cee8fp-50, 0x1.60b46cc7d05b4p-52,
      -0x1.f0be3ed5c4482p-55, -0x1.3d2dba9a0608ap-59, 0x1.152a81cb6f907p-60, -0x1.4e453d217cf4ep-66};
  // relative error 2^-54.6
  static constexpr double erf_inv_mid[] = {0x1.5a9d7f10825d9p+1, 0x1.ff70ae3216cffp-1, 0x1.a75c4b2784727p-7, -0x1.6bc3164a54a17p-7,
      0x1.0eb82206f1036p-7, -0x1.32e54e5c3d25ap-8, 0x1.7d47399a1ab83p-10, 0x1.0edba1f5789dbp-12, -0x1.196bcec28dc7bp-11,
      0x1.e9ecb1f5f717cp-13, 0x1.5a8bb8043bf20p-17, -0x1.0045b12c1bc2dp-14, 0x1.c88709addfeb9p-16, 0x1.b92a94a34ac5cp-21,
      -0x1.a9f845da92172p-18, 0x1.7afaaaf2ac727p-19, 0x1.06eee0aab75fcp-26, -0x1.5b21e760c3c21p-21, 0x1.48e58bc216008p-22,
      0x1.f7b3c6db37b74p-26, -0x1.3d1caa5ee45fcp-24, 0x1.1201a82457db7p-27, 0x1.dd99cc27aa955p-28};
  // relative error 2^-54.6
  static constexpr double erf_inv_top[] = {0x1.325a4f90fc444p+2, 0x1.02a4047df6bd6p+0, -0x1.950c3d82ac061p-14, -0x1.ec743e35b4278p-13,
      0x1.59b18d77885bfp-14, -0x1.681a2f45ba92bp-16, 0x1.4eacadb6bc2d1p-18, -0x1.2c1b9b8baccb9p-20, 0x1.24f69b4d16945p-22,
      -0x1.801dc0e6ccc1cp-24, 0x1.66a76406dd6f5p-25, -0x1.7efb2f94c9023p-26, 0x1.8191ea80f0372p-27, -0x1.4c6eacad40f07p-28,
      0x1.cf03d641d54afp-30, -0x1.ebc96a2131f26p-32, 0x1.c3e082b661d34p-35, 0x1.8b12b1986efacp-35, -0x1.10b30c6162db0p-35,
      0x1.7e0f5de62c3b2p-38, 0x1.fef93c0dc7ce7p-42};
  // pi / 2 in three full numbers
  static constexpr double half_pi[] = {0x1.921fb54442d18p+0, 0x1.1a62633145c07p-54, -0x1.f1976b7ed8fbcp-110};
  // the first times 1..4 is exact
  static constexpr double quarter_pi[] = {0x1.921fb54442d18p-1, 0x1.1a62633145c07p-55};
  // the first times any exponent is exact
  static constexpr double ln2[] = {0x1.62e42fefa4000p-1, -0x1.8432a1b0e2634p-43};
  // ln 2
  static constexpr double ln2_full[] = {0x1.62e42fefa39efp-1, 0x1.abc9e3b39803fp-56};
  // 2 / ln 2
  static constexpr double two_log2_e[] = {0x1.71547652b82fep+1, 0x1.777d0ffda0d24p-55};
  // 1 / 3
  static constexpr double third[] = {0x1.5555555555555p-2, 0x1.5555555555555p-56};
  // 2^(1/3), 2^(-1/3)
  static constexpr double cbrt2[] = {0x1.428a2f98d728bp+0, 0x1.965fea53d6e3dp-1};
};

// The first 1280 bits of 2 / pi.
inline constexpr std::uint64_t two_over_pi[20] = {
  0xa2f9836e4e441529, 0xfc2757d1f534ddc0, 0xdb6295993c439041, 0xfe5163abdebbc561, 0xb7246e3a424dd2e0,
  0x06492eea09d1921c, 0xfe1deb1cb129a73e, 0xe88235f52ebb4484, 0xe99c7026b45f7e41, 0x3991d639835339f4,
  0x9c845f8bbdf9283b, 0x1ff897ffde05980f, 0xef2f118b5a0a6d1f, 0x6d367ecf27cb09b7, 0x4f463f669e5fea2d,
  0x7527bac7ebe5f17b, 0x3d0739f78a5292ea, 0x6bfb5fb11f8d5d08, 0x56033046fc7b6bab, 0xf0cfbc209af4361d};

}  // namespace cotan::ops
