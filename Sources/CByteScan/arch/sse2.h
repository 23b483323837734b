// Sixteen bytes on SSE2, which every x86-64 processor has.
#include <emmintrin.h>

typedef __m128i bytescan_16;

BYTESCAN_INLINE bytescan_16 bytescan_16_load(const uint8_t *bytes) { return _mm_loadu_si128((const __m128i *)bytes); }
BYTESCAN_INLINE bytescan_16 bytescan_16_equal(bytescan_16 x, uint8_t byte) {
    return _mm_cmpeq_epi8(x, _mm_set1_epi8((char)byte));
}
BYTESCAN_INLINE bytescan_16 bytescan_16_at_most(bytescan_16 x, uint8_t byte) {
    return _mm_cmpeq_epi8(_mm_min_epu8(x, _mm_set1_epi8((char)byte)), x);
}
BYTESCAN_INLINE bytescan_16 bytescan_16_and(bytescan_16 x, bytescan_16 y) { return _mm_and_si128(x, y); }
BYTESCAN_INLINE bytescan_16 bytescan_16_or(bytescan_16 x, bytescan_16 y) { return _mm_or_si128(x, y); }
BYTESCAN_INLINE bytescan_16 bytescan_16_xor(bytescan_16 x, bytescan_16 y) { return _mm_xor_si128(x, y); }
BYTESCAN_INLINE bool bytescan_16_any(bytescan_16 mask) { return _mm_movemask_epi8(mask) != 0; }
BYTESCAN_INLINE uint64_t bytescan_16_bits(bytescan_16 mask) { return (uint32_t)_mm_movemask_epi8(mask); }
BYTESCAN_INLINE uint64_t bytescan_64_bits(bytescan_16 a, bytescan_16 b, bytescan_16 c, bytescan_16 d) {
    return bytescan_16_bits(a) | bytescan_16_bits(b) << 16 | bytescan_16_bits(c) << 32 | bytescan_16_bits(d) << 48;
}
