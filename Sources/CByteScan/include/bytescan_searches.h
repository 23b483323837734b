// Searches: loops over whole blocks of `bytes`, from `offset` in steps of 64, up to the block that starts at or before `last`.
//
// They are written once (bytescan_searches.inc). On x86-64 they exist three times: for the baseline, for AVX2 and for AVX-512, which
// the processor is asked for. A loop is a fair price for that question; a single block is not.
#ifndef BYTESCAN_SEARCHES_H
#define BYTESCAN_SEARCHES_H

#include "bytescan_lines.h"
#include "bytescan_playlists.h"

/// The first block with a match: where it starts, and bit n for a match at byte n. No bit: there is none, and `start` is
/// where the next block would be.
typedef struct BYTESCAN_NAMED("BlockMatch") {
    ptrdiff_t start;
    uint64_t bits;
} bytescan_match;

#include "bytescan_base.inc"

#if BYTESCAN_SSE2

#include "bytescan_avx2.inc"
#include "bytescan_avx512.inc"

#define BYTESCAN_BEST(name, ...)                                \
    if (BYTESCAN_HAS_AVX512) return name##_avx512(__VA_ARGS__); \
    if (BYTESCAN_HAS_AVX2) return name##_avx2(__VA_ARGS__);     \
    return name##_base(__VA_ARGS__)

#else

#define BYTESCAN_BEST(name, ...) return name##_base(__VA_ARGS__)

#endif

/// The first block with `byte`.
BYTESCAN_INLINE bytescan_match bytescan_find_byte(const uint8_t *bytes, ptrdiff_t offset, ptrdiff_t last, uint8_t byte)
    BYTESCAN_NAMED("findByte(_:from:last:_:)");
BYTESCAN_INLINE bytescan_match bytescan_find_byte(const uint8_t *bytes, ptrdiff_t offset, ptrdiff_t last, uint8_t byte) {
    BYTESCAN_BEST(bytescan_find_byte, bytes, offset, last, byte);
}

/// Passes the line that starts at `offset`. As many bytes behind the last block are read as the probe's are apart, 12 at most.
BYTESCAN_INLINE bytescan_line_match bytescan_pass_line(const uint8_t *bytes, ptrdiff_t offset, ptrdiff_t last, bytescan_pair probe)
    BYTESCAN_NAMED("passLine(_:from:last:probing:)");
BYTESCAN_INLINE bytescan_line_match bytescan_pass_line(const uint8_t *bytes, ptrdiff_t offset, ptrdiff_t last, bytescan_pair probe) {
    BYTESCAN_BEST(bytescan_pass_line, bytes, offset, last, probe);
}

/// Meets the lines of interest behind line feeds at or after `offset`, and returns how many: as many as there is room for, or
/// up to the last whole block. Up to 32 bytes behind that are read.
BYTESCAN_INLINE ptrdiff_t bytescan_walk_lines(const uint8_t *bytes, ptrdiff_t offset, ptrdiff_t last, bytescan_line_walk *walk)
    BYTESCAN_NAMED("walkLines(_:from:last:_:)");
BYTESCAN_INLINE ptrdiff_t bytescan_walk_lines(const uint8_t *bytes, ptrdiff_t offset, ptrdiff_t last, bytescan_line_walk *walk) {
    BYTESCAN_BEST(bytescan_walk_lines, bytes, offset, last, walk);
}

/// The line with `index`, one of those met last.
BYTESCAN_INLINE bytescan_met_line bytescan_walked_line(const bytescan_line_walk *walk, ptrdiff_t index) BYTESCAN_NAMED("walkedLine(_:_:)");
BYTESCAN_INLINE bytescan_met_line bytescan_walked_line(const bytescan_line_walk *walk, ptrdiff_t index) { return walk->lines[index]; }

// The same for a list in at least 64 bytes.
BYTESCAN_INLINE void bytescan_part_list_readable(const uint8_t *bytes, ptrdiff_t start, ptrdiff_t end, ptrdiff_t readable,
                                                 bytescan_list_items *items) {
    BYTESCAN_BEST(bytescan_part_list, bytes, start, end, readable, items);
}

/// Parts the attribute list from `start` to `end`: as many items as there is room for, at least one unless nothing is left. No
/// byte from `readable` on is read.
BYTESCAN_INLINE void bytescan_part_list(const uint8_t *bytes, ptrdiff_t start, ptrdiff_t end, ptrdiff_t readable,
                                        bytescan_list_items *items)
    BYTESCAN_NAMED("partList(_:from:to:readable:_:)");
BYTESCAN_INLINE void bytescan_part_list(const uint8_t *bytes, ptrdiff_t start, ptrdiff_t end, ptrdiff_t readable,
                                        bytescan_list_items *items) {
    uint8_t padded[64];
    if (readable < 64) {
        __builtin_memset(padded, 0, sizeof padded);
        bytes = __builtin_memcpy(padded, bytes, (size_t)readable);
        readable = 64;
    }
    bytescan_part_list_readable(bytes, start, end, readable, items);
}

/// The item with `index`.
BYTESCAN_INLINE bytescan_list_item bytescan_item(const bytescan_list_items *items, ptrdiff_t index) BYTESCAN_NAMED("listItem(_:_:)");
BYTESCAN_INLINE bytescan_list_item bytescan_item(const bytescan_list_items *items, ptrdiff_t index) { return items->items[index]; }

/// Makes the masks of `count` whole blocks at `bytes`, and returns how many lines end in them.
BYTESCAN_INLINE ptrdiff_t bytescan_mask_lines(const uint8_t *bytes, ptrdiff_t count, bytescan_line_carry *carry,
                                              bytescan_line_masks *masks) BYTESCAN_NAMED("maskLines(_:count:_:_:)");
BYTESCAN_INLINE ptrdiff_t bytescan_mask_lines(const uint8_t *bytes, ptrdiff_t count, bytescan_line_carry *carry,
                                              bytescan_line_masks *masks) {
    BYTESCAN_BEST(bytescan_mask_lines, bytes, count, carry, masks);
}

#endif
