// Which instruction sets the tile files are compiled for. The first include of every `*_tiles.cc` and `*_simd.cc`.
//
// x86-64: AVX2 with FMA (the floor) and AVX-512; AArch64: NEON. FMA is required, since rules rely on its single rounding.
// COTAN_TILES_BASELINE_ONLY leaves out AVX-512, for quicker builds.
#pragma once
#define HWY_DISABLE_PCLMUL_AES  // not used, and -march=x86-64-v3 does not promise them
#define HWY_BROKEN_EMU128 1
#if defined(__x86_64__)
// Without this, Highway adds an emulated target below AVX2.
#define HWY_BASELINE_TARGETS HWY_AVX2
#if defined(COTAN_TILES_BASELINE_ONLY)
#define HWY_DISABLED_TARGETS (HWY_SSSE3 | HWY_SSE4 | HWY_AVX3 | HWY_AVX3_DL)
#else
#define HWY_DISABLED_TARGETS (HWY_SSSE3 | HWY_SSE4 | HWY_AVX3_DL)
#endif
#elif defined(__aarch64__)
#define HWY_BASELINE_TARGETS HWY_NEON
// NEON is always there, so Highway need not switch target attributes, which implicit constructors would lack.
#define TOOLCHAIN_MISS_SYS_AUXV_H
#define HWY_DISABLED_TARGETS (HWY_SVE | HWY_SVE2 | HWY_SVE_256 | HWY_SVE2_128)
#else
#error "Cotan needs x86-64-v3 or AArch64"
#endif

// Plain loops over integers, bits and conversions are meant for the auto-vectoriser, which -O2 allows only free wins.
#if defined(__GNUC__) && !defined(__clang__)
#pragma GCC optimize("tree-vectorize", "vect-cost-model=dynamic", "no-trapping-math", "no-math-errno")
#endif

#include "hwy/detect_targets.h"

// COTAN_DISPATCH(isa, f, args...): calls f of the namespace compiled for `isa` (kernel/tile.h); used under HWY_ONCE.
#if HWY_TARGETS & HWY_AVX3
#define COTAN_DISPATCH(isa, f, ...) \
  ((isa) == ::cotan::kernel::Isa::avx512 ? N_AVX3::f(__VA_ARGS__) : N_AVX2::f(__VA_ARGS__))
#elif HWY_TARGETS & HWY_AVX2
#define COTAN_DISPATCH(isa, f, ...) N_AVX2::f(__VA_ARGS__)
#else
#define COTAN_DISPATCH(isa, f, ...) N_NEON::f(__VA_ARGS__)
#endif
