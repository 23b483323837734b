// Searches: loops over whole blocks of `bytes`, from `offset` in steps of 64, up to the block that starts at or before `last`.
//
// On x86-64 they exist twice, from one text (bytescan_searches.inc): for the baseline and for AVX2, which the processor is asked
// for. A loop is a fair price for that question; a single block is not.
#ifndef BYTESCAN_SEARCHES_H
#define BYTESCAN_SEARCHES_H

#include "bytescan_playlists.h"

/// The first block with a match: where it starts, and bit n for a match at byte n. No bit: there is none, and `start` is
/// where the next block would be.
typedef struct BYTESCAN_NAMED("BlockMatch") {
    ptrdiff_t start;
    uint64_t bits;
} bytescan_match;

#define BYTESCAN_SEARCH static inline
#define BYTESCAN_PART BYTESCAN_INLINE
#define BYTESCAN_FORM(name) name##_base
#define BYTESCAN_BLOCK bytescan_block
#define BYTESCAN_LOAD bytescan_load
#define BYTESCAN_EQUAL bytescan_equal
#define BYTESCAN_AND bytescan_and
#define BYTESCAN_ANY bytescan_any
#define BYTESCAN_BITS bytescan_bits
#define BYTESCAN_FOLDED bytescan_lane
#define BYTESCAN_FOLDED_EMPTY bytescan_lane_empty()
#define BYTESCAN_FOLD_ANY(folded, x) bytescan_lane_or(folded, bytescan_fold_any(x))
#define BYTESCAN_FOLD_ODD(folded, x) bytescan_lane_xor(folded, bytescan_fold_odd(x))
#define BYTESCAN_FOLDED_BITS bytescan_lane_bits
#define BYTESCAN_FOLDED_ANY bytescan_lane_any
#define BYTESCAN_PARITIES bytescan_parities
#include "bytescan_searches.inc"

#if BYTESCAN_SSE2

#define BYTESCAN_AVX2 __attribute__((target("avx2,bmi,pclmul")))

typedef struct { __m256i a, b; } bytescan_wide;

BYTESCAN_INLINE BYTESCAN_AVX2 bytescan_wide bytescan_wide_load(const uint8_t *bytes) {
    return (bytescan_wide){_mm256_loadu_si256((const __m256i *)bytes), _mm256_loadu_si256((const __m256i *)(bytes + 32))};
}
BYTESCAN_INLINE BYTESCAN_AVX2 bytescan_wide bytescan_wide_equal(bytescan_wide x, uint8_t byte) {
    __m256i all = _mm256_set1_epi8((char)byte);
    return (bytescan_wide){_mm256_cmpeq_epi8(x.a, all), _mm256_cmpeq_epi8(x.b, all)};
}
BYTESCAN_INLINE BYTESCAN_AVX2 bytescan_wide bytescan_wide_and(bytescan_wide x, bytescan_wide y) {
    return (bytescan_wide){_mm256_and_si256(x.a, y.a), _mm256_and_si256(x.b, y.b)};
}
BYTESCAN_INLINE BYTESCAN_AVX2 bool bytescan_wide_any(bytescan_wide x) {
    return _mm256_movemask_epi8(_mm256_or_si256(x.a, x.b)) != 0;
}
BYTESCAN_INLINE BYTESCAN_AVX2 uint64_t bytescan_wide_bits(bytescan_wide x) {
    return (uint64_t)(uint32_t)_mm256_movemask_epi8(x.a) | (uint64_t)(uint32_t)_mm256_movemask_epi8(x.b) << 32;
}
BYTESCAN_INLINE BYTESCAN_AVX2 __m256i bytescan_wide_fold_any(__m256i folded, bytescan_wide x) {
    return _mm256_or_si256(folded, _mm256_or_si256(x.a, x.b));
}
BYTESCAN_INLINE BYTESCAN_AVX2 __m256i bytescan_wide_fold_odd(__m256i folded, bytescan_wide x) {
    return _mm256_xor_si256(folded, _mm256_xor_si256(x.a, x.b));
}
BYTESCAN_INLINE BYTESCAN_AVX2 uint64_t bytescan_wide_folded_bits(__m256i folded) {
    return (uint32_t)_mm256_movemask_epi8(folded);
}

BYTESCAN_INLINE BYTESCAN_AVX2 bool bytescan_wide_folded_any(__m256i folded) { return !_mm256_testz_si256(folded, folded); }

// A product without carries, by all ones: each bit is added to itself and all above it.
BYTESCAN_INLINE BYTESCAN_AVX2 uint64_t bytescan_wide_parities(uint64_t bits) {
    return (uint64_t)_mm_cvtsi128_si64(_mm_clmulepi64_si128(_mm_cvtsi64_si128((long long)bits), _mm_set1_epi8((char)0xFF), 0));
}

#define BYTESCAN_SEARCH static __attribute__((unused, noinline)) BYTESCAN_AVX2
#define BYTESCAN_PART BYTESCAN_INLINE BYTESCAN_AVX2
#define BYTESCAN_FORM(name) name##_avx2
#define BYTESCAN_BLOCK bytescan_wide
#define BYTESCAN_LOAD bytescan_wide_load
#define BYTESCAN_EQUAL bytescan_wide_equal
#define BYTESCAN_AND bytescan_wide_and
#define BYTESCAN_ANY bytescan_wide_any
#define BYTESCAN_BITS bytescan_wide_bits
#define BYTESCAN_FOLDED __m256i
#define BYTESCAN_FOLDED_EMPTY _mm256_setzero_si256()
#define BYTESCAN_FOLD_ANY bytescan_wide_fold_any
#define BYTESCAN_FOLD_ODD bytescan_wide_fold_odd
#define BYTESCAN_FOLDED_BITS bytescan_wide_folded_bits
#define BYTESCAN_FOLDED_ANY bytescan_wide_folded_any
#define BYTESCAN_PARITIES bytescan_wide_parities
#include "bytescan_searches.inc"

// Every processor with AVX2 has the others too, but a virtual one may not.
#define BYTESCAN_HAS_AVX2 (__builtin_cpu_supports("avx2") && __builtin_cpu_supports("bmi") && __builtin_cpu_supports("pclmul"))

#define BYTESCAN_BEST(name, ...)                            \
    if (BYTESCAN_HAS_AVX2) return name##_avx2(__VA_ARGS__); \
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

/// Where a line starts that has been met, by its index.
BYTESCAN_INLINE ptrdiff_t bytescan_walk_start(const bytescan_line_walk *walk, ptrdiff_t index) BYTESCAN_NAMED("walkStart(_:_:)");
BYTESCAN_INLINE ptrdiff_t bytescan_walk_start(const bytescan_line_walk *walk, ptrdiff_t index) { return walk->starts[index]; }

/// Where a plain line ends that has been met, by its index; 0 for another line.
BYTESCAN_INLINE ptrdiff_t bytescan_walk_end(const bytescan_line_walk *walk, ptrdiff_t index) BYTESCAN_NAMED("walkEnd(_:_:)");
BYTESCAN_INLINE ptrdiff_t bytescan_walk_end(const bytescan_line_walk *walk, ptrdiff_t index) { return walk->ends[index]; }

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

#endif
