// Sixty-four bytes in one register of AVX-512. A comparison yields the 64 bits at once.

typedef __m512i bytescan_avx512_block;
typedef uint64_t bytescan_avx512_mask;
typedef uint64_t bytescan_avx512_fold;
typedef __m512i bytescan_avx512_pairs;

BYTESCAN_INLINE __m512i bytescan_avx512_load(const uint8_t *bytes) { return _mm512_loadu_si512(bytes); }
BYTESCAN_INLINE uint64_t bytescan_avx512_equal(__m512i x, uint8_t byte) {
    return _mm512_cmpeq_epi8_mask(x, _mm512_set1_epi8((char)byte));
}
BYTESCAN_INLINE uint64_t bytescan_avx512_at_most(__m512i x, uint8_t byte) {
    return _mm512_cmple_epu8_mask(x, _mm512_set1_epi8((char)byte));
}
BYTESCAN_INLINE uint64_t bytescan_avx512_and(uint64_t x, uint64_t y) { return x & y; }
BYTESCAN_INLINE uint64_t bytescan_avx512_or(uint64_t x, uint64_t y) { return x | y; }
BYTESCAN_INLINE bool bytescan_avx512_any(uint64_t mask) { return mask != 0; }
BYTESCAN_INLINE uint64_t bytescan_avx512_bits(uint64_t mask) { return mask; }

enum { bytescan_avx512_holds_prefix = true };

BYTESCAN_INLINE uint64_t bytescan_avx512_fold_of_none(void) { return 0; }
BYTESCAN_INLINE uint64_t bytescan_avx512_fold_odd(uint64_t folded, uint64_t mask) { return folded ^ mask; }
BYTESCAN_INLINE uint64_t bytescan_avx512_fold_bits(uint64_t folded) { return folded; }

// Comparisons have but one port, and what yields bits for them another. So a byte that is zero stands for the pair, and the least
// bytes of all blocks are kept: differences and minima go elsewhere.
BYTESCAN_INLINE __m512i bytescan_avx512_no_pairs(void) { return _mm512_set1_epi8(-1); }
BYTESCAN_INLINE __m512i bytescan_avx512_note_pair(__m512i least, const uint8_t *block, __m512i bytes, bytescan_pair pair) {
    __m512i first = _mm512_xor_si512(bytes, _mm512_set1_epi8((char)bytescan_pair_first(pair)));
    __m512i second = _mm512_xor_si512(_mm512_loadu_si512(block + bytescan_pair_distance(pair)),
                                      _mm512_set1_epi8((char)bytescan_pair_second(pair)));
    return _mm512_min_epu8(least, _mm512_or_si512(first, second));
}
BYTESCAN_INLINE bool bytescan_avx512_any_pairs(__m512i least) { return _mm512_testn_epi8_mask(least, least) != 0; }

// A product without carries, by all ones: each bit is added to itself and all above it.
BYTESCAN_INLINE uint64_t bytescan_avx512_parities(uint64_t bits) {
    __m128i product = _mm_clmulepi64_si128(_mm_cvtsi64_si128((long long)bits), _mm_set1_epi8((char)0xFF), 0);
    return (uint64_t)_mm_cvtsi128_si64(product);
}

// The numbers of the bits are packed together, and the first eight of them widened.
BYTESCAN_INLINE uint64_t bytescan_avx512_note_eight(ptrdiff_t *offsets, ptrdiff_t offset, uint64_t bits) {
    const __m512i numbers = _mm512_set_epi64(0x3F3E3D3C3B3A3938, 0x3736353433323130, 0x2F2E2D2C2B2A2928, 0x2726252423222120,
                                             0x1F1E1D1C1B1A1918, 0x1716151413121110, 0x0F0E0D0C0B0A0908, 0x0706050403020100);
    __m512i wide = _mm512_cvtepu8_epi64(_mm512_castsi512_si128(_mm512_maskz_compress_epi8(bits, numbers)));
    _mm512_storeu_si512(offsets, _mm512_add_epi64(wide, _mm512_set1_epi64(offset)));
    return _pdep_u64(UINT64_MAX << 8, bits);
}
