// measure_line: where a line ends, whether its quotes are closed, and whether a pair of bytes may stand in it.
//   reads     whole blocks from `offset`, the last of them at or before `last`, and 12 bytes after each
//   answers   the block in which the line ends; all line feeds of that block; whether an odd number of quotes stands in the line;
//             whether the pair stands in one of the blocks, in the line or not
//   why       quotes and pairs of all blocks are folded into one register each and asked for once, at the end
//   oracle    naive_measure_line in Tests/Kernels

// A line up to the block in which it ends, where the line feeds are `feeds`: the first is its end.
typedef struct {
    const uint8_t *block;
    uint64_t feeds;
    bool has_odd_quotes, may_contain;
} K(measured);

// Measures a line that starts in `block`, where the line feeds are `feeds` and the bytes of `own` belong to it or come after it.
BYTESCAN_INLINE K(measured) K(measure_part)(const uint8_t *block, uint64_t feeds, uint64_t own, const uint8_t *last, bytescan_pair pair) {
    K(block) bytes = K(load)(block);
    K(pairs) pairs = K(note_pair)(K(no_pairs)(), block, bytes, pair);
    uint64_t some_quotes = K(bits)(K(equal)(bytes, '"')) & own;
    feeds &= own;
    if (feeds != 0) {
        bool has_odd_quotes = bytescan_odd(some_quotes & K(up_to_lowest)(feeds));
        return (K(measured)){block, feeds, has_odd_quotes, K(any_pairs)(pairs)};
    }
    K(fold) quotes = K(fold_of_none)();
    for (block += 64; block <= last; block += 64) {
        bytes = K(load)(block);
        pairs = K(note_pair)(pairs, block, bytes, pair);
        K(mask) ends = K(equal)(bytes, '\n');
        if (K(any)(ends)) {
            feeds = K(kept)(K(bits)(ends));
            // There is one; `kept` hides it from the compiler.
            if (feeds == 0) __builtin_unreachable();
            some_quotes ^= K(bits)(K(equal)(bytes, '"')) & K(up_to_lowest)(feeds);
            break;
        }
        quotes = K(fold_odd)(quotes, K(equal)(bytes, '"'));
    }
    bool has_odd_quotes = bytescan_odd(some_quotes ^ K(fold_bits)(quotes));
    return (K(measured)){block, feeds, has_odd_quotes, K(any_pairs)(pairs)};
}

KERNEL bytescan_measured_line K(measure_line)(const uint8_t *bytes, ptrdiff_t offset, ptrdiff_t last, bytescan_pair pair) {
    if (offset > last) return (bytescan_measured_line){offset, 0, false, false};
    const uint8_t *block = bytes + offset;
    uint64_t feeds = K(bits)(K(equal)(K(load)(block), '\n'));
    K(measured) line = K(measure_part)(block, feeds, UINT64_MAX, bytes + last, pair);
    return (bytescan_measured_line){line.block - bytes, line.feeds, line.has_odd_quotes, line.may_contain};
}
