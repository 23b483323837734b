// The search for one byte.
#ifndef BYTESCAN_SEARCH_H
#define BYTESCAN_SEARCH_H

#include "bytescan_block.h"

/// The first block with a match: where it starts, and bit n for a match at byte n. No bit: there is none, and `start` is
/// where the next block would be.
typedef struct BYTESCAN_NAMED("BlockMatch") {
    ptrdiff_t start;
    uint64_t bits;
} bytescan_match;

/// Finds the first whole block with `byte`, in steps of 64 from `offset` up to the block that starts at or before `last`.
///
/// See kernels/find_byte.h.
bytescan_match bytescan_find_byte(const uint8_t *bytes, ptrdiff_t offset, ptrdiff_t last, uint8_t byte)
    BYTESCAN_NAMED("findByte(_:from:last:_:)");

#endif
