// Masks about lines, a batch of blocks at a time.
//
// What ends a line is a line feed, a carriage return, or both in this order; a line without a byte is blank; `-->` is an
// arrow. All of them are seen by comparing a block with four bytes and shifting the masks, with what the block before
// left over. One call makes the masks of many blocks, so that the question for AVX2 is asked once for all of them.
#ifndef BYTESCAN_LINES_H
#define BYTESCAN_LINES_H

#include "bytescan_searches.h"

/// What 64 bytes say about lines: bit n stands for the n-th byte.
typedef struct BYTESCAN_NAMED("LineMasks") {
    /// Line feeds and carriage returns.
    uint64_t ends;
    /// Where a line ends: a carriage return and the line feed behind it are one terminator, at the carriage return.
    uint64_t terminators;
    /// Where a line ends that has no byte.
    uint64_t blanks;
    /// Where `-->` ends.
    uint64_t arrows;
} bytescan_line_masks;

/// What the bytes before a block mean to it: their masks, of which the highest bits count.
typedef struct BYTESCAN_NAMED("LineCarry") {
    uint64_t ends, returns, hyphens;
} bytescan_line_carry;

BYTESCAN_INLINE bytescan_line_masks bytescan_combine_lines(uint64_t feeds, uint64_t returns, uint64_t hyphens, uint64_t greater,
                                                           bytescan_line_carry *carry) {
    uint64_t ends = feeds | returns;
    uint64_t terminators = returns | (feeds & ~(returns << 1 | carry->returns >> 63));
    bytescan_line_masks masks = {
        ends,
        terminators,
        terminators & (ends << 1 | carry->ends >> 63),
        greater & (hyphens << 1 | carry->hyphens >> 63) & (hyphens << 2 | carry->hyphens >> 62),
    };
    *carry = (bytescan_line_carry){ends, returns, hyphens};
    return masks;
}

#define BYTESCAN_MASK_LINES(block_type, load, equal, bits)                                                            \
    ptrdiff_t lines = 0;                                                                                              \
    bytescan_line_carry before = *carry;                                                                              \
    for (ptrdiff_t i = 0; i < count; i++) {                                                                           \
        block_type block = load(bytes + 64 * i);                                                                      \
        masks[i] = bytescan_combine_lines(bits(equal(block, '\n')), bits(equal(block, '\r')), bits(equal(block, '-')), \
                                          bits(equal(block, '>')), &before);                                          \
        lines += __builtin_popcountll(masks[i].terminators);                                                          \
    }                                                                                                                 \
    *carry = before;                                                                                                  \
    return lines

static inline ptrdiff_t bytescan_mask_lines_base(const uint8_t *bytes, ptrdiff_t count, bytescan_line_carry *carry,
                                                 bytescan_line_masks *masks) {
    BYTESCAN_MASK_LINES(bytescan_block, bytescan_load, bytescan_equal, bytescan_bits);
}

#if BYTESCAN_SSE2
// Every processor with AVX2 counts bits in one instruction.
static __attribute__((unused, noinline, target("avx2,bmi,pclmul,popcnt"))) ptrdiff_t bytescan_mask_lines_avx2(
    const uint8_t *bytes, ptrdiff_t count, bytescan_line_carry *carry, bytescan_line_masks *masks) {
    BYTESCAN_MASK_LINES(bytescan_wide, bytescan_wide_load, bytescan_wide_equal, bytescan_wide_bits);
}
#endif

#undef BYTESCAN_MASK_LINES

/// Makes the masks of `count` whole blocks at `bytes`, and returns how many lines end in them.
BYTESCAN_INLINE ptrdiff_t bytescan_mask_lines(const uint8_t *bytes, ptrdiff_t count, bytescan_line_carry *carry,
                                              bytescan_line_masks *masks) BYTESCAN_NAMED("maskLines(_:count:_:_:)");
BYTESCAN_INLINE ptrdiff_t bytescan_mask_lines(const uint8_t *bytes, ptrdiff_t count, bytescan_line_carry *carry,
                                              bytescan_line_masks *masks) {
    BYTESCAN_BEST(bytescan_mask_lines, bytes, count, carry, masks);
}

#endif
