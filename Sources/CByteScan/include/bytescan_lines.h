// Masks about lines, a batch of blocks at a time.
//
// What ends a line is a line feed, a carriage return, or both in this order; a line without a byte is blank; `-->` is an
// arrow. All of them are seen by comparing a block with four bytes and shifting the masks, with what the block before
// left over. One call makes the masks of many blocks, so that what the processor has is asked once for all of them.
#ifndef BYTESCAN_LINES_H
#define BYTESCAN_LINES_H

#include "bytescan.h"

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

#endif
