// Sixty-four bytes for the kernels, by what every processor of the architecture has. The block itself is in bytescan_block.h.

typedef bytescan_base_block bytescan_base_mask;
typedef bytescan_16 bytescan_base_fold;

enum { bytescan_base_holds_prefix = false };

BYTESCAN_INLINE bytescan_base_fold bytescan_base_fold_of_none(void) {
    bytescan_16 none;
    __builtin_memset(&none, 0, sizeof none);
    return none;
}
BYTESCAN_INLINE bytescan_base_fold bytescan_base_fold_any(bytescan_base_fold folded, bytescan_base_mask x) {
    return bytescan_16_or(folded, bytescan_16_or(bytescan_16_or(x.a, x.b), bytescan_16_or(x.c, x.d)));
}
BYTESCAN_INLINE bytescan_base_fold bytescan_base_fold_odd(bytescan_base_fold folded, bytescan_base_mask x) {
    return bytescan_16_xor(folded, bytescan_16_xor(bytescan_16_xor(x.a, x.b), bytescan_16_xor(x.c, x.d)));
}
BYTESCAN_INLINE bool bytescan_base_fold_is_set(bytescan_base_fold folded) { return bytescan_16_any(folded); }
BYTESCAN_INLINE uint64_t bytescan_base_fold_bits(bytescan_base_fold folded) { return bytescan_16_bits(folded); }

BYTESCAN_INLINE uint64_t bytescan_base_parities(uint64_t bits) {
    for (int shift = 1; shift < 64; shift *= 2) bits ^= bits << shift;
    return bits;
}
