// The kernels for x86-64 processors with AVX-512.
//
// With BYTESCAN_EMULATES_AVX512 they are built for any processor: SIMDe computes what the instructions would (Tests/Kernels).
#include "bytescan_kernels.h"

#if BYTESCAN_X86 || defined(BYTESCAN_EMULATES_AVX512)
#if defined(BYTESCAN_EMULATES_AVX512)
#include BYTESCAN_EMULATES_AVX512
#else
#include <immintrin.h>

// VBMI2 packs bytes, and the processors that have it are those that keep their pace with registers of this size.
#if defined(__clang__)
#pragma clang attribute push(__attribute__((target("avx512bw,avx512vbmi2,bmi,bmi2,pclmul,popcnt"))), apply_to = function)
#else
#pragma GCC target("avx512bw,avx512vbmi2,bmi,bmi2,pclmul,popcnt")
#endif
#endif

#define K(name) bytescan_avx512_##name
#include "../arch/avx512.h"
#include "../kernels/kernels.h"

#if defined(__clang__) && !defined(BYTESCAN_EMULATES_AVX512)
#pragma clang attribute pop
#endif
#endif
