// The kernels for x86-64 processors with AVX2.
#include "bytescan_kernels.h"

#if BYTESCAN_X86
#include <immintrin.h>

// Every processor with AVX2 has the others too, but a virtual one may not: dispatch.c asks for all of them.
#if defined(__clang__)
#pragma clang attribute push(__attribute__((target("avx2,bmi,bmi2,pclmul,popcnt"))), apply_to = function)
#else
#pragma GCC target("avx2,bmi,bmi2,pclmul,popcnt")
#endif

#define K(name) bytescan_avx2_##name
#include "../arch/avx2.h"
#include "../arch/common.h"
#include "../kernels/kernels.h"

#if defined(__clang__)
#pragma clang attribute pop
#endif
#endif
