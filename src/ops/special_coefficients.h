// Written by tools/special_coefficients.py. Polynomials are lowest order first; the rules say what each approximates.
// clang-format off
#pragma once

namespace cotan::ops {

template <class T>
struct SpecialCoefficients;

template <>
struct SpecialCoefficients<float> {
  // weighted error 2^-27.2
  static constexpr double erf[] = {0x1.06eba80000000p-3, -0x1.8127460000000p-2, 0x1.ce2f200000000p-4, -0x1.b82cbc0000000p-6,
      0x1.5658980000000p-8, -0x1.bfe2360000000p-11, 0x1.f586ca0000000p-14, -0x1.d2e07a0000000p-17, 0x1.1c91da0000000p-20};
  // weighted error 2^-27.6
  static constexpr double erfcx[] = {0x1.40c5220000000p+0, -0x1.15c0840000000p-3, -0x1.85a15e0000000p-5, 0x1.0983660000000p-3,
      -0x1.e88b6c0000000p-4, 0x1.17ca420000000p-4, -0x1.8578ca0000000p-6, 0x1.4b63860000000p-9, 0x1.f081bc0000000p-10,
      -0x1.958cc00000000p-11, -0x1.f281660000000p-14, 0x1.c2a78a0000000p-14, 0x1.2d35ec0000000p-16};
  static constexpr double erfcx_lost = 0x1.afe1da0000000p-25;
  // weighted error 2^-26.2
  static constexpr double i0_low[] = {0x1.0000000000000p+0, 0x1.0000000000000p+4, 0x1.0000000000000p+6, 0x1.c71c720000000p+6,
      0x1.c71c740000000p+6, 0x1.23455c0000000p+6, 0x1.02e8de0000000p+5, 0x1.5222e80000000p+3, 0x1.5271460000000p+1,
      0x1.0967940000000p-1, 0x1.65238a0000000p-4, 0x1.19d4d60000000p-7, 0x1.150a800000000p-9};
  // weighted error 2^-26.4
  static constexpr double i1_low[] = {0x1.0000000000000p-1, 0x1.0000000000000p+2, 0x1.5555560000000p+3, 0x1.c71c720000000p+3,
      0x1.6c16c20000000p+3, 0x1.845c800000000p+2, 0x1.27e55c0000000p+1, 0x1.5225200000000p-1, 0x1.2cc6900000000p-3,
      0x1.a93ac40000000p-6, 0x1.02061c0000000p-8, 0x1.8342ee0000000p-12, 0x1.4c9e3a0000000p-14};
  // weighted error 2^-25.2
  static constexpr double i0e_high[] = {0x1.9bd4280000000p-2, 0x1.b8796c0000000p-9, 0x1.1dab0a0000000p-13, 0x1.75cc240000000p-17,
      0x1.8c37e40000000p-20, 0x1.498a1e0000000p-22, 0x1.d35f9a0000000p-24, 0x1.11ad780000000p-25, -0x1.33c9d40000000p-34};
  // weighted error 2^-26.8
  static constexpr double i1e_high[] = {0x1.8ebe780000000p-2, -0x1.3f79620000000p-7, -0x1.cbc5f00000000p-13, -0x1.f881f40000000p-17,
      -0x1.ea52ba0000000p-20, -0x1.805f300000000p-22, -0x1.0475380000000p-23, -0x1.3583e80000000p-25, -0x1.8d49980000000p-31};
};

template <>
struct SpecialCoefficients<double> {
  // weighted error 2^-56.2
  static constexpr double erf[] = {0x1.06eba8214db69p-3, -0x1.812746b0379e7p-2, 0x1.ce2f21a042be2p-4, -0x1.b82ce31288b47p-6,
      0x1.565bcd0e6a2f8p-8, -0x1.c02db40036187p-11, 0x1.f9a326f7b297bp-14, -0x1.f4d25bfa5e4e8p-17, 0x1.b9e6c39bc5d68p-20,
      -0x1.5f73c4780c550p-23, 0x1.fcbb3f27583a5p-27, -0x1.517d3d1d2ea47p-30, 0x1.9a12f2fcf63abp-34, -0x1.b41e9f8ebbc13p-38,
      0x1.3c26defb494a7p-42};
  // weighted error 2^-56.8
  static constexpr double erfcx[] = {0x1.40c522d7e4987p+0, -0x1.15c084bb9e8f3p-3, -0x1.85a15c58aa613p-5, 0x1.098366a5b46b8p-3,
      -0x1.e88b803a48907p-4, 0x1.17ca2877f1409p-4, -0x1.8574c40c17d3bp-6, 0x1.4b884e43a36a0p-9, 0x1.ef1bdd8b43beep-10,
      -0x1.98db5104a1d48p-11, -0x1.b91298d268ba6p-14, 0x1.065a36b46a3b9p-13, 0x1.4c31098fc5358p-18, -0x1.513b72635e177p-16,
      -0x1.89abbeab4211ap-21, 0x1.d21045f3c78e1p-19, 0x1.831c61e8cb0b2p-22, -0x1.4b0ba028c0733p-21, -0x1.3b023727f7faep-23,
      0x1.b52f809ba8904p-24, 0x1.8d5312bb051b3p-25, -0x1.c7e6a405ca39ap-27, -0x1.70c6644ad1c63p-27, 0x1.0c3eff5535603p-30,
      0x1.7a210691f8a26p-30};
  static constexpr double erfcx_lost = 0x1.a1789a980ed35p-55;
  // weighted error 2^-54.5
  static constexpr double i0_low[] = {0x1.0000000000000p+0, 0x1.0000000000000p+4, 0x1.0000000000000p+6, 0x1.c71c71c71c71cp+6,
      0x1.c71c71c71c71cp+6, 0x1.23456789abcdfp+6, 0x1.02e85c0898b70p+5, 0x1.522a43f654879p+3, 0x1.522a43f6546b6p+1,
      0x1.0b313289c03f1p-1, 0x1.5601885e1f454p-4, 0x1.69ca9cfa1a0eep-7, 0x1.4197a780201cep-10, 0x1.e72566379e55ap-14,
      0x1.3e224af69517fp-17, 0x1.6a00e162efac6p-21, 0x1.6988f823730d2p-25, 0x1.4475f743ebfdap-29, 0x1.cd1da5dc6fb22p-34,
      0x1.0419751e7e6aap-37};
  // weighted error 2^-54.9
  static constexpr double i1_low[] = {0x1.0000000000000p-1, 0x1.0000000000000p+2, 0x1.5555555555555p+3, 0x1.c71c71c71c71cp+3,
      0x1.6c16c16c16c17p+3, 0x1.845c8a0ce5129p+2, 0x1.27e4fb7789f5cp+1, 0x1.522a43f654872p-1, 0x1.2c9758daf5becp-3,
      0x1.ab81ea75ff12cp-6, 0x1.f17697cedaeb9p-9, 0x1.e2637bf58e273p-12, 0x1.8bce5826d24d1p-15, 0x1.165e81d24319bp-18,
      0x1.5357e58374f2fp-22, 0x1.69ff5c55559e3p-26, 0x1.5452d60f6f45ep-30, 0x1.200f1721fcb6ap-34, 0x1.8703dabd8ddb4p-39,
      0x1.9b5c41e6d1c51p-43};
  // weighted error 2^-53.8
  static constexpr double i0e_high[] = {0x1.9bd428ad249a5p-2, 0x1.b87969bb93bd3p-9, 0x1.1daa72b5e7177p-13, 0x1.75e5ee6f89ac3p-17,
      0x1.8e5139f37593fp-20, 0x1.3f49b0285488bp-22, 0x1.7d0fc7aef733bp-24, 0x1.51ca76d922e49p-25, 0x1.7211fdab95c19p-26,
      0x1.041e23cd56746p-27, -0x1.cc1106c5a17bdp-28, -0x1.cfaf3df685930p-27, -0x1.840c193c8100cp-28, 0x1.0e5662b043ecdp-27,
      0x1.191eecb48b2a1p-27, -0x1.280e2784af032p-28, -0x1.0430381ab609ep-27, 0x1.97f918475ec5dp-29, 0x1.a212a7c0b27cfp-28,
      -0x1.4faaa965a7de0p-29, -0x1.20500afe1c567p-28, 0x1.0190b2801b790p-29, 0x1.3d0151ef0b3ccp-29, -0x1.35805de2158d8p-30,
      -0x1.f94891cde6954p-31, 0x1.047170c2c2884p-31, 0x1.fcff9419db1fcp-33, -0x1.0d543935c2a4bp-33, -0x1.e11cc77e54087p-36,
      0x1.0040042c5c7c7p-36};
  // weighted error 2^-56.1
  static constexpr double i1e_high[] = {0x1.8ebe783a84030p-2, -0x1.3f796198ee63fp-7, -0x1.cbc54df1edb60p-13, -0x1.f89c230425fdap-17,
      -0x1.ec8e0feb9f263p-20, -0x1.76138763488ffp-22, -0x1.ad8e0c7e74698p-24, -0x1.7276465417872p-25, -0x1.916d7b97fb477p-26,
      -0x1.22176dda081eep-27, 0x1.cb0232a44341cp-28, 0x1.e50a980880354p-27, 0x1.abe3d6a7d3135p-28, -0x1.10faa1332b89cp-27,
      -0x1.29efcea9b5138p-27, 0x1.207a8fb540844p-28, 0x1.1077b2d54fe09p-27, -0x1.85e267822501bp-29, -0x1.b3f4bd6dc9ea7p-28,
      0x1.41ec97c742af2p-29, 0x1.2c60cec32ca1ep-28, -0x1.f2e1faea88059p-30, -0x1.4a63f8cf18384p-29, 0x1.2e158fa95a1a1p-30,
      0x1.077dfa50cc0eep-30, -0x1.ff15ac58ea235p-32, -0x1.099cbe4b48534p-32, 0x1.0930192ce9c3bp-33, 0x1.f66a270de8021p-36,
      -0x1.f9d2c7fbf4a8bp-37};
  // weighted error 2^-55.6
  static constexpr double lgamma_two[] = {0x1.b0ee6072093cep-2, 0x1.4a34cc4a60fa6p-2, -0x1.13e001a557606p-4, 0x1.51322ac7d8483p-6,
      -0x1.e404fc218f685p-8, 0x1.7add6eadb6eb4p-9, -0x1.38ac5c2beff0fp-10, 0x1.0b36af861d671p-11, -0x1.d3fd4c7fb60ecp-13,
      0x1.a127b1074062fp-14, -0x1.78de5944c6782p-15, 0x1.580dc9b96b6b4p-16, -0x1.3cbd0cfb6141bp-17, 0x1.25986e51ef40cp-18,
      -0x1.11a539f009491p-19, 0x1.00507beb2c552p-20, -0x1.e4645659ec0cdp-22, 0x1.ca11757ccaffap-23, -0x1.9806553ff0024p-24,
      0x1.7e48038f79e61p-25, -0x1.0d150f4214c1ep-25, 0x1.08e1d60798db8p-26};
  static constexpr double lgamma_two_lost = 0x1.6ca955d62c21fp-58;
  // weighted error 2^-55.3
  static constexpr double lgamma_one[] = {-0x1.2788cfc6fb619p-1, 0x1.a51a6625307d3p-1, -0x1.9a4d55beab2d7p-2, 0x1.151322ac7d827p-2,
      -0x1.a8b9c17aa60c5p-3, 0x1.5b40cb100fce5p-3, -0x1.2703a1dcf4bd2p-3, 0x1.010b36ae19da1p-3, -0x1.c806706225284p-4,
      0x1.9a01e41a09a5dp-4, -0x1.748c3619f2718p-4, 0x1.556ac6b0776b3p-4, -0x1.3b1d225fd58c4p-4, 0x1.2497739cbc124p-4,
      -0x1.111d0dd364397p-4, 0x1.000aaaa9497f0p-4, -0x1.e10a5c1fd80bep-5, 0x1.c4abcb732e354p-5, -0x1.b19d69967af9fp-5,
      0x1.af7ba7097b809p-5, -0x1.a4b55e203950bp-5, 0x1.531ae8b88ff9cp-5, -0x1.6a243a3c13cb6p-6, 0x1.6b93987b3332ap-8};
  static constexpr double lgamma_one_lost = 0x1.6cca52cd21c96p-58;
  // weighted error 2^-63.2
  static constexpr double stirling[] = {0x1.5555555555555p-4, -0x1.6c16c16c16b32p-9, 0x1.a01a019ee9cd5p-11, -0x1.38137ecdc9f67p-11,
      0x1.b94f76e5ac5f2p-11, -0x1.f600ec5ec7cd7p-10, 0x1.96ef6789cffbep-8, -0x1.560f94a5e8eeap-6};
  // weighted error 2^-63.2
  static constexpr double digamma_tail[] = {0x1.5555555555555p-4, -0x1.11111111110f0p-7, 0x1.04104103f45b1p-8, -0x1.111110c82216bp-8,
      0x1.f07bbf27f5be9p-8, -0x1.5983c6b69d9a1p-6, 0x1.535c884dd2e55p-4, -0x1.a4743e74ab27ap-2, 0x1.c69196800508fp+0};
  // weighted error 2^-54.3
  static constexpr double digamma_near[] = {0x1.e6f0cbb873616p-1, -0x1.b1cb63005ee96p-2, 0x1.eca189b8e6f6ap-3, -0x1.2feeeb98a7e3cp-3,
      0x1.8512e590397cep-4, -0x1.fb44202998281p-5, 0x1.4de9aa1718dbcp-5, -0x1.b9f8b1503b676p-6, 0x1.2564719cbcf1ap-6,
      -0x1.8635590a45812p-7, 0x1.03c0a62ce21a3p-7, -0x1.5a080a4f7ba68p-8, 0x1.cd21fa1bce8c6p-9, -0x1.33508bc82b3f9p-9,
      0x1.99ac066c1fa5cp-10, -0x1.1144bf578cedep-10, 0x1.6c621dd9fe396p-11, -0x1.e17b9daa27f31p-12, 0x1.4090928ad7b02p-12,
      -0x1.cd87718b5c474p-13, 0x1.35e41c79a93ccp-13, -0x1.e35bd08c7058ep-15, 0x1.34c7ad2a1efaap-15, -0x1.60543d3e46317p-14,
      0x1.debeacdd8e497p-15};
};

// The positive zero of digamma, as a pair.
inline constexpr double digamma_root[] = {0x1.762d86356be3fp+0, 0x1.b86a722197829p-54};

// The Gauss-Legendre rule of 48 points on [-1, 1]: nodes above 0, which stand for their mirror images too.
inline constexpr double legendre_node[] = {0x1.094223ea6196dp-5, 0x1.8d54ccaa9b7b4p-4, 0x1.4a2ef25599831p-3, 0x1.cc50f5488fbefp-3,
    0x1.26425a1527d42p-2, 0x1.65204357a6389p-2, 0x1.a27eb589dea3bp-2, 0x1.de1bcb894046ap-2,
    0x1.0bdbc159f3714p-1, 0x1.2789ffd1f24a0p-1, 0x1.41fae84d5a001p-1, 0x1.5b1216aac49a1p-1,
    0x1.72b49a0302d99p-1, 0x1.88c91196f8e2dp-1, 0x1.9d37c81006d1dp-1, 0x1.afeaccf5eeb9ep-1,
    0x1.c0ce0c3f55453p-1, 0x1.cfcf63e4a4e84p-1, 0x1.dcdeb7610754bp-1, 0x1.e7ee011520dfbp-1,
    0x1.f0f161978472fp-1, 0x1.f7df2d6c8eed7p-1, 0x1.fcaffc9af24a4p-1, 0x1.ff5ee9d8af2e2p-1};
inline constexpr double legendre_weight[] = {0x1.092a652a0fbb7p-4, 0x1.080dac3f3725fp-4, 0x1.05d56c2248c44p-4, 0x1.028406fc86d37p-4,
    0x1.fc3a19b11a2a4p-5, 0x1.f14a6f9e10ad4p-5, 0x1.e444cde6d0026p-5, 0x1.d537300bfd4dfp-5,
    0x1.c431bfe4b31a0p-5, 0x1.b146c443c7e24p-5, 0x1.9c8a8d5861892p-5, 0x1.86135edf0aa09p-5,
    0x1.6df9583af719dp-5, 0x1.54565a91a8406p-5, 0x1.3945ed05d7d70p-5, 0x1.1ce51f31f701fp-5,
    0x1.fea4d40fed235p-6, 0x1.c15b1e8f69969p-6, 0x1.822eefbc97517p-6, 0x1.416423e8cba8ep-6,
    0x1.fe80c5c315c9dp-7, 0x1.781605954a639p-7, 0x1.e037f45d9bd00p-8, 0x1.9d50bc55d2d99p-9};

}  // namespace cotan::ops
