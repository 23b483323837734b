// Sixty-four bytes in two registers of AVX2.

typedef struct { __m256i a, b; } bytescan_avx2_block;
typedef bytescan_avx2_block bytescan_avx2_mask;
typedef __m256i bytescan_avx2_fold;

BYTESCAN_INLINE bytescan_avx2_block bytescan_avx2_load(const uint8_t *bytes) {
    return (bytescan_avx2_block){
        _mm256_loadu_si256((const __m256i *)bytes), _mm256_loadu_si256((const __m256i *)(bytes + 32))};
}
BYTESCAN_INLINE bytescan_avx2_mask bytescan_avx2_equal(bytescan_avx2_block x, uint8_t byte) {
    __m256i all = _mm256_set1_epi8((char)byte);
    return (bytescan_avx2_mask){_mm256_cmpeq_epi8(x.a, all), _mm256_cmpeq_epi8(x.b, all)};
}
BYTESCAN_INLINE bytescan_avx2_mask bytescan_avx2_at_most(bytescan_avx2_block x, uint8_t byte) {
    __m256i all = _mm256_set1_epi8((char)byte);
    return (bytescan_avx2_mask){
        _mm256_cmpeq_epi8(_mm256_min_epu8(x.a, all), x.a), _mm256_cmpeq_epi8(_mm256_min_epu8(x.b, all), x.b)};
}
BYTESCAN_INLINE bytescan_avx2_mask bytescan_avx2_and(bytescan_avx2_mask x, bytescan_avx2_mask y) {
    return (bytescan_avx2_mask){_mm256_and_si256(x.a, y.a), _mm256_and_si256(x.b, y.b)};
}
BYTESCAN_INLINE bytescan_avx2_mask bytescan_avx2_or(bytescan_avx2_mask x, bytescan_avx2_mask y) {
    return (bytescan_avx2_mask){_mm256_or_si256(x.a, y.a), _mm256_or_si256(x.b, y.b)};
}
BYTESCAN_INLINE bool bytescan_avx2_any(bytescan_avx2_mask x) { return _mm256_movemask_epi8(_mm256_or_si256(x.a, x.b)) != 0; }
BYTESCAN_INLINE uint64_t bytescan_avx2_bits(bytescan_avx2_mask x) {
    return (uint64_t)(uint32_t)_mm256_movemask_epi8(x.a) | (uint64_t)(uint32_t)_mm256_movemask_epi8(x.b) << 32;
}

enum { bytescan_avx2_holds_prefix = true };

BYTESCAN_INLINE bytescan_avx2_fold bytescan_avx2_fold_of_none(void) { return _mm256_setzero_si256(); }
BYTESCAN_INLINE bytescan_avx2_fold bytescan_avx2_fold_any(bytescan_avx2_fold folded, bytescan_avx2_mask x) {
    return _mm256_or_si256(folded, _mm256_or_si256(x.a, x.b));
}
BYTESCAN_INLINE bytescan_avx2_fold bytescan_avx2_fold_odd(bytescan_avx2_fold folded, bytescan_avx2_mask x) {
    return _mm256_xor_si256(folded, _mm256_xor_si256(x.a, x.b));
}
BYTESCAN_INLINE bool bytescan_avx2_fold_is_set(bytescan_avx2_fold folded) { return !_mm256_testz_si256(folded, folded); }
BYTESCAN_INLINE uint64_t bytescan_avx2_fold_bits(bytescan_avx2_fold folded) {
    return (uint32_t)_mm256_movemask_epi8(folded);
}

// A product without carries, by all ones: each bit is added to itself and all above it.
BYTESCAN_INLINE uint64_t bytescan_avx2_parities(uint64_t bits) {
    __m128i product = _mm_clmulepi64_si128(_mm_cvtsi64_si128((long long)bits), _mm_set1_epi8((char)0xFF), 0);
    return (uint64_t)_mm_cvtsi128_si64(product);
}
