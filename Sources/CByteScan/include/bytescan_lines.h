// Masks about lines, a batch of blocks at a time.
//
// What ends a line is a line feed, a carriage return, or both in this order; a line without a byte is blank; `-->` is an arrow.
// All of them are seen by comparing a block with four bytes and shifting the masks, with what the block before carries over.
#ifndef BYTESCAN_LINES_H
#define BYTESCAN_LINES_H

#include "bytescan_block.h"

/// What 64 bytes say about lines: bit n stands for the n-th byte.
typedef struct BYTESCAN_NAMED("LineMasks") {
    /// Line feeds and carriage returns.
    uint64_t ends;
    /// The places at which a line ends: a carriage return and the line feed after it are one terminator, at the carriage return.
    uint64_t terminators;
    /// The places at which a line ends that has no byte.
    uint64_t blanks;
    /// The places at which `-->` ends.
    uint64_t arrows;
} bytescan_line_masks;

/// What the bytes before a block mean to it: their masks, of which the highest bits count.
typedef struct BYTESCAN_NAMED("BlockCarry") {
    uint64_t ends, returns, hyphens;
} bytescan_block_carry;

/// Makes the masks of one block from the four that it was compared for, and leaves in `carry` what they mean to the next.
BYTESCAN_INLINE bytescan_line_masks bytescan_combine_lines(uint64_t feeds, uint64_t returns, uint64_t hyphens, uint64_t greater,
                                                           bytescan_block_carry *carry) {
    uint64_t ends = feeds | returns;
    uint64_t terminators = returns | (feeds & ~(returns << 1 | carry->returns >> 63));
    bytescan_line_masks masks = {
        ends,
        terminators,
        terminators & (ends << 1 | carry->ends >> 63),
        greater & (hyphens << 1 | carry->hyphens >> 63) & (hyphens << 2 | carry->hyphens >> 62),
    };
    *carry = (bytescan_block_carry){ends, returns, hyphens};
    return masks;
}

#endif
