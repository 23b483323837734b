// Masks about lines, a batch of blocks at a time.
//
// What ends a line is a line feed, a carriage return, or both in this order; a line without a byte is blank; `-->` is an arrow.
// All of them are seen by comparing a block with four bytes and shifting the masks, with what the block before carries over.
// Blank lines and arrows are marks: few, and looked at one by one. So they are listed too, lest a loop end for each block.
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

enum { bytescan_batch_capacity = 16 };

/// Blocks that follow each other, and what they say about lines. Offsets count from the first byte of the first block.
typedef struct BYTESCAN_NAMED("LineBatchMemory") {
    /// One more than there are blocks; the last one has no terminator.
    bytescan_line_masks masks[bytescan_batch_capacity + 1];
    /// The offsets of the blank lines' terminators, and of the last bytes of arrows. What is behind them is anything.
    uint16_t marks[64 * bytescan_batch_capacity + 2];
    ptrdiff_t block_count BYTESCAN_NAMED("blockCount");
    ptrdiff_t mark_count BYTESCAN_NAMED("markCount");
    /// How many lines end in the batch.
    ptrdiff_t line_count BYTESCAN_NAMED("lineCount");
    /// Whether there are carriage returns, and places where they and line feeds do not take turns; 0 if not.
    uint64_t returns, oddities;
} bytescan_line_batch;

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

/// Makes the batch one of no blocks.
BYTESCAN_INLINE void bytescan_clear_batch(bytescan_line_batch *batch) BYTESCAN_NAMED("LineBatchMemory.clear(self:)");
BYTESCAN_INLINE void bytescan_clear_batch(bytescan_line_batch *batch) {
    batch->block_count = batch->mark_count = batch->line_count = 0;
    batch->returns = batch->oddities = 0;
}

/// The mark with `index`.
BYTESCAN_INLINE ptrdiff_t bytescan_mark(const bytescan_line_batch *batch, ptrdiff_t index) BYTESCAN_NAMED("mark(_:_:)");
BYTESCAN_INLINE ptrdiff_t bytescan_mark(const bytescan_line_batch *batch, ptrdiff_t index) { return batch->marks[index]; }

/// The masks of the block with `index`.
BYTESCAN_INLINE bytescan_line_masks bytescan_masks(const bytescan_line_batch *batch, ptrdiff_t index) BYTESCAN_NAMED("masks(_:_:)");
BYTESCAN_INLINE bytescan_line_masks bytescan_masks(const bytescan_line_batch *batch, ptrdiff_t index) { return batch->masks[index]; }

/// The terminators among the 64 bytes at `offset`, which is in the batch.
BYTESCAN_INLINE uint64_t bytescan_terminators(const bytescan_line_batch *batch, ptrdiff_t offset) BYTESCAN_NAMED("terminators(_:from:)");
BYTESCAN_INLINE uint64_t bytescan_terminators(const bytescan_line_batch *batch, ptrdiff_t offset) {
    const bytescan_line_masks *block = batch->masks + (offset >> 6);
    int shift = offset & 63;
    return block[0].terminators >> shift | block[1].terminators << 1 << (63 - shift);
}

#endif
