// What a form does that has no better instructions for it: the offsets of bits one after the other. Eight are written, needed or not.

BYTESCAN_INLINE uint64_t K(note_one)(ptrdiff_t *offsets, ptrdiff_t offset, uint64_t bits) {
    *offsets = offset + (bits == 0 ? 64 : __builtin_ctzll(bits));
    return bits & (bits - 1);
}
BYTESCAN_INLINE uint64_t K(note_eight)(ptrdiff_t *offsets, ptrdiff_t offset, uint64_t bits) {
    for (int i = 0; i < 8; i++) bits = K(note_one)(offsets + i, offset, bits);
    return bits;
}

// A pair of bytes is looked for by comparing a block with the first, and what comes `distance` bytes later with the second.

typedef K(fold) K(pairs);
BYTESCAN_INLINE K(pairs) K(no_pairs)(void) { return K(fold_of_none)(); }
BYTESCAN_INLINE K(pairs) K(note_pair)(K(pairs) seen, const uint8_t *block, K(block) bytes, bytescan_pair pair) {
    K(mask) second = K(equal)(K(load)(block + bytescan_pair_distance(pair)), bytescan_pair_second(pair));
    return K(fold_any)(seen, K(and)(K(equal)(bytes, bytescan_pair_first(pair)), second));
}
BYTESCAN_INLINE bool K(any_pairs)(K(pairs) seen) { return K(fold_is_set)(seen); }
