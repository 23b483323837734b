// The instructions of AVX-512 that forms/avx512.c uses, for processors without them: by SIMDe, and by hand what SIMDe has not.
#define SIMDE_ENABLE_NATIVE_ALIASES
#include <simde/x86/avx512.h>
#include <simde/x86/clmul.h>

#define _pdep_u64(source, mask) emulated_pdep(source, mask)

// The lowest bits of `source`, each at the place of a bit of `mask`.
static inline uint64_t emulated_pdep(uint64_t source, uint64_t mask) {
    uint64_t result = 0;
    for (; mask != 0; mask &= mask - 1, source >>= 1) {
        if (source & 1) result |= mask & -mask;
    }
    return result;
}

// Debian 12's SIMDe lacks these.
#ifndef _mm512_testn_epi8_mask
#define _mm512_testn_epi8_mask(x, y) (~_mm512_test_epi8_mask(x, y))
#endif

#ifndef _mm512_cvtepu8_epi64
#define _mm512_cvtepu8_epi64(bytes) emulated_widen(bytes)
static inline __m512i emulated_widen(__m128i bytes) {
    uint8_t narrow[16];
    uint64_t wide[8];
    __builtin_memcpy(narrow, &bytes, sizeof narrow);
    for (int i = 0; i < 8; i++) wide[i] = narrow[i];
    return _mm512_loadu_si512(wide);
}
#endif

#ifndef _mm512_maskz_compress_epi8
#define _mm512_maskz_compress_epi8(mask, bytes) emulated_compress(mask, bytes)
static inline __m512i emulated_compress(uint64_t mask, __m512i bytes) {
    uint8_t all[64], packed[64] = {0};
    int count = 0;
    _mm512_storeu_si512(all, bytes);
    for (int i = 0; i < 64; i++) {
        if (mask >> i & 1) packed[count++] = all[i];
    }
    return _mm512_loadu_si512(packed);
}
#endif
