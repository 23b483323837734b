// Sixty-four bytes compared at once, on SSE2 (the x86-64 baseline), NEON (the arm64 one) and plain C.
//
// A ByteBlock is 64 bytes in registers. Comparing it yields another ByteBlock, 0xFF where the byte is equal and 0
// elsewhere; `bits` turns such a mask into 64 bits, bit n for byte n. A ByteLane is what is left of one or more masks folded
// onto 16 bytes: enough to ask whether there was any match, or an odd number of them, without the price of 64 bits.
//
// The functions are Swift methods of these types (see swift_name); only the loads touch memory.
//
// The three searches at the end are whole loops. On x86-64 they exist twice, from one text (bytescan_searches.inc): for the
// baseline and for AVX2, which the processor is asked for. A loop is a fair price for that question; a single block is not.
//
// For those who change this: all forms must answer alike for every input, and nothing may read past what it is told to.
#ifndef BYTESCAN_H
#define BYTESCAN_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#if defined(__SSE2__) && !defined(BYTESCAN_PORTABLE)
#define BYTESCAN_SSE2 1
#include <immintrin.h>
typedef __m128i bytescan_16;
#elif defined(__aarch64__) && !defined(BYTESCAN_PORTABLE)
#define BYTESCAN_NEON 1
#include <arm_neon.h>
typedef uint8x16_t bytescan_16;
#else
typedef struct { uint64_t low, high; } bytescan_16;
#endif

// Compilers that know nothing of Swift build the kernels too: Tests/Kernels.
#if __has_attribute(swift_name)
#define BYTESCAN_NAMED(name) __attribute__((swift_name(name)))
#else
#define BYTESCAN_NAMED(name)
#endif
#define BYTESCAN_INLINE static inline __attribute__((always_inline))

typedef struct BYTESCAN_NAMED("ByteBlock") { bytescan_16 a, b, c, d; } bytescan_block;
typedef struct BYTESCAN_NAMED("ByteLane") { bytescan_16 a; } bytescan_lane;

// Sixteen bytes: what each architecture has to say for itself.

#if BYTESCAN_SSE2

BYTESCAN_INLINE bytescan_16 bytescan_16_load(const uint8_t *bytes) { return _mm_loadu_si128((const __m128i *)bytes); }
BYTESCAN_INLINE bytescan_16 bytescan_16_equal(bytescan_16 x, uint8_t byte) { return _mm_cmpeq_epi8(x, _mm_set1_epi8((char)byte)); }
BYTESCAN_INLINE bytescan_16 bytescan_16_and(bytescan_16 x, bytescan_16 y) { return _mm_and_si128(x, y); }
BYTESCAN_INLINE bytescan_16 bytescan_16_or(bytescan_16 x, bytescan_16 y) { return _mm_or_si128(x, y); }
BYTESCAN_INLINE bytescan_16 bytescan_16_xor(bytescan_16 x, bytescan_16 y) { return _mm_xor_si128(x, y); }
BYTESCAN_INLINE uint64_t bytescan_16_bits(bytescan_16 mask) { return (uint32_t)_mm_movemask_epi8(mask); }
BYTESCAN_INLINE bool bytescan_16_any(bytescan_16 mask) { return _mm_movemask_epi8(mask) != 0; }

#elif BYTESCAN_NEON

BYTESCAN_INLINE bytescan_16 bytescan_16_load(const uint8_t *bytes) { return vld1q_u8(bytes); }
BYTESCAN_INLINE bytescan_16 bytescan_16_equal(bytescan_16 x, uint8_t byte) { return vceqq_u8(x, vdupq_n_u8(byte)); }
BYTESCAN_INLINE bytescan_16 bytescan_16_and(bytescan_16 x, bytescan_16 y) { return vandq_u8(x, y); }
BYTESCAN_INLINE bytescan_16 bytescan_16_or(bytescan_16 x, bytescan_16 y) { return vorrq_u8(x, y); }
BYTESCAN_INLINE bytescan_16 bytescan_16_xor(bytescan_16 x, bytescan_16 y) { return veorq_u8(x, y); }
BYTESCAN_INLINE bool bytescan_16_any(bytescan_16 mask) { return vmaxvq_u8(mask) != 0; }

// Each byte keeps the one bit that names its place in a group of eight; pairwise sums then bring the groups together.
BYTESCAN_INLINE bytescan_16 bytescan_16_weigh(bytescan_16 mask) {
    const uint8x16_t weights = {1, 2, 4, 8, 16, 32, 64, 128, 1, 2, 4, 8, 16, 32, 64, 128};
    return vandq_u8(mask, weights);
}

#else

#define BYTESCAN_ONES UINT64_C(0x0101010101010101)
#define BYTESCAN_TOPS UINT64_C(0x8080808080808080)

BYTESCAN_INLINE bytescan_16 bytescan_16_load(const uint8_t *bytes) {
    bytescan_16 x;
    __builtin_memcpy(&x, bytes, sizeof x);
    return x;
}

// 0xFF in each byte of `x` that is zero. The addition stays inside seven bits, so no byte's answer leaks into the next.
BYTESCAN_INLINE uint64_t bytescan_8_zero(uint64_t x) {
    uint64_t tops = ~(((x & ~BYTESCAN_TOPS) + ~BYTESCAN_TOPS) | x) & BYTESCAN_TOPS;
    return (tops >> 7) * 0xFF;
}

// Bit n for byte n of a mask of eight bytes, whichever way the machine lays a word out in memory.
BYTESCAN_INLINE uint64_t bytescan_8_bits(uint64_t mask) {
#if __BYTE_ORDER__ == __ORDER_BIG_ENDIAN__
    mask = __builtin_bswap64(mask);
#endif
    return ((mask & BYTESCAN_ONES) * UINT64_C(0x0102040810204080)) >> 56;
}

BYTESCAN_INLINE bytescan_16 bytescan_16_equal(bytescan_16 x, uint8_t byte) {
    return (bytescan_16){bytescan_8_zero(x.low ^ (BYTESCAN_ONES * byte)), bytescan_8_zero(x.high ^ (BYTESCAN_ONES * byte))};
}
BYTESCAN_INLINE bytescan_16 bytescan_16_and(bytescan_16 x, bytescan_16 y) { return (bytescan_16){x.low & y.low, x.high & y.high}; }
BYTESCAN_INLINE bytescan_16 bytescan_16_or(bytescan_16 x, bytescan_16 y) { return (bytescan_16){x.low | y.low, x.high | y.high}; }
BYTESCAN_INLINE bytescan_16 bytescan_16_xor(bytescan_16 x, bytescan_16 y) { return (bytescan_16){x.low ^ y.low, x.high ^ y.high}; }
BYTESCAN_INLINE uint64_t bytescan_16_bits(bytescan_16 mask) { return bytescan_8_bits(mask.low) | bytescan_8_bits(mask.high) << 8; }
BYTESCAN_INLINE bool bytescan_16_any(bytescan_16 mask) { return (mask.low | mask.high) != 0; }

#endif

// Sixty-four bytes.

/// Loads the 64 bytes at `bytes`.
BYTESCAN_INLINE bytescan_block bytescan_load(const uint8_t *bytes) BYTESCAN_NAMED("ByteBlock.init(loading:)");
BYTESCAN_INLINE bytescan_block bytescan_load(const uint8_t *bytes) {
    return (bytescan_block){bytescan_16_load(bytes), bytescan_16_load(bytes + 16), bytescan_16_load(bytes + 32), bytescan_16_load(bytes + 48)};
}

/// Loads `count` bytes, at most 64, and zeros behind them.
BYTESCAN_INLINE bytescan_block bytescan_load_partial(const uint8_t *bytes, size_t count) BYTESCAN_NAMED("ByteBlock.init(loading:count:)");
BYTESCAN_INLINE bytescan_block bytescan_load_partial(const uint8_t *bytes, size_t count) {
    uint8_t padded[64] = {0};
    __builtin_memcpy(padded, bytes, count);
    return bytescan_load(padded);
}

/// The mask of the bytes equal to `byte`.
BYTESCAN_INLINE bytescan_block bytescan_equal(bytescan_block x, uint8_t byte) BYTESCAN_NAMED("ByteBlock.equal(self:to:)");
BYTESCAN_INLINE bytescan_block bytescan_equal(bytescan_block x, uint8_t byte) {
    return (bytescan_block){bytescan_16_equal(x.a, byte), bytescan_16_equal(x.b, byte), bytescan_16_equal(x.c, byte), bytescan_16_equal(x.d, byte)};
}

/// The mask of the bytes in both masks.
BYTESCAN_INLINE bytescan_block bytescan_and(bytescan_block x, bytescan_block y) BYTESCAN_NAMED("ByteBlock.and(self:_:)");
BYTESCAN_INLINE bytescan_block bytescan_and(bytescan_block x, bytescan_block y) {
    return (bytescan_block){bytescan_16_and(x.a, y.a), bytescan_16_and(x.b, y.b), bytescan_16_and(x.c, y.c), bytescan_16_and(x.d, y.d)};
}

/// The mask of the bytes in either mask.
BYTESCAN_INLINE bytescan_block bytescan_or(bytescan_block x, bytescan_block y) BYTESCAN_NAMED("ByteBlock.or(self:_:)");
BYTESCAN_INLINE bytescan_block bytescan_or(bytescan_block x, bytescan_block y) {
    return (bytescan_block){bytescan_16_or(x.a, y.a), bytescan_16_or(x.b, y.b), bytescan_16_or(x.c, y.c), bytescan_16_or(x.d, y.d)};
}

/// The mask folded onto one lane: a byte is set where any of its four is.
BYTESCAN_INLINE bytescan_lane bytescan_fold_any(bytescan_block x) BYTESCAN_NAMED("getter:ByteBlock.foldedAny(self:)");
BYTESCAN_INLINE bytescan_lane bytescan_fold_any(bytescan_block x) {
    return (bytescan_lane){bytescan_16_or(bytescan_16_or(x.a, x.b), bytescan_16_or(x.c, x.d))};
}

/// The mask folded onto one lane: a byte is set where an odd number of its four is.
BYTESCAN_INLINE bytescan_lane bytescan_fold_odd(bytescan_block x) BYTESCAN_NAMED("getter:ByteBlock.foldedOdd(self:)");
BYTESCAN_INLINE bytescan_lane bytescan_fold_odd(bytescan_block x) {
    return (bytescan_lane){bytescan_16_xor(bytescan_16_xor(x.a, x.b), bytescan_16_xor(x.c, x.d))};
}

/// A mask as 64 bits, bit n for byte n.
BYTESCAN_INLINE uint64_t bytescan_bits(bytescan_block mask) BYTESCAN_NAMED("getter:ByteBlock.bits(self:)");
BYTESCAN_INLINE uint64_t bytescan_bits(bytescan_block mask) {
#if BYTESCAN_NEON
    uint8x16_t low = vpaddq_u8(bytescan_16_weigh(mask.a), bytescan_16_weigh(mask.b));
    uint8x16_t high = vpaddq_u8(bytescan_16_weigh(mask.c), bytescan_16_weigh(mask.d));
    uint8x16_t sums = vpaddq_u8(low, high);
    return vgetq_lane_u64(vreinterpretq_u64_u8(vpaddq_u8(sums, sums)), 0);
#else
    return bytescan_16_bits(mask.a) | bytescan_16_bits(mask.b) << 16 | bytescan_16_bits(mask.c) << 32 | bytescan_16_bits(mask.d) << 48;
#endif
}

/// Whether the mask has any byte set.
BYTESCAN_INLINE bool bytescan_any(bytescan_block mask) BYTESCAN_NAMED("getter:ByteBlock.isAnySet(self:)");
BYTESCAN_INLINE bool bytescan_any(bytescan_block mask) { return bytescan_16_any(bytescan_fold_any(mask).a); }

// Lanes.

/// A lane with no byte set.
BYTESCAN_INLINE bytescan_lane bytescan_lane_empty(void) BYTESCAN_NAMED("getter:ByteLane.empty()");
BYTESCAN_INLINE bytescan_lane bytescan_lane_empty(void) {
    bytescan_lane lane;
    __builtin_memset(&lane, 0, sizeof lane);
    return lane;
}

/// The bytes set in either lane.
BYTESCAN_INLINE bytescan_lane bytescan_lane_or(bytescan_lane x, bytescan_lane y) BYTESCAN_NAMED("ByteLane.or(self:_:)");
BYTESCAN_INLINE bytescan_lane bytescan_lane_or(bytescan_lane x, bytescan_lane y) { return (bytescan_lane){bytescan_16_or(x.a, y.a)}; }

/// The bytes set in exactly one of the lanes.
BYTESCAN_INLINE bytescan_lane bytescan_lane_xor(bytescan_lane x, bytescan_lane y) BYTESCAN_NAMED("ByteLane.xor(self:_:)");
BYTESCAN_INLINE bytescan_lane bytescan_lane_xor(bytescan_lane x, bytescan_lane y) { return (bytescan_lane){bytescan_16_xor(x.a, y.a)}; }

/// Whether any byte is set.
BYTESCAN_INLINE bool bytescan_lane_any(bytescan_lane lane) BYTESCAN_NAMED("getter:ByteLane.isAnySet(self:)");
BYTESCAN_INLINE bool bytescan_lane_any(bytescan_lane lane) { return bytescan_16_any(lane.a); }

/// The lane as 16 bits, bit n for byte n.
BYTESCAN_INLINE uint64_t bytescan_lane_bits(bytescan_lane lane) BYTESCAN_NAMED("getter:ByteLane.bits(self:)");
BYTESCAN_INLINE uint64_t bytescan_lane_bits(bytescan_lane lane) {
#if BYTESCAN_NEON
    uint8x16_t sums = bytescan_16_weigh(lane.a);
    sums = vpaddq_u8(sums, sums);
    sums = vpaddq_u8(sums, sums);
    return vgetq_lane_u16(vreinterpretq_u16_u8(vpaddq_u8(sums, sums)), 0);
#else
    return bytescan_16_bits(lane.a);
#endif
}

/// Whether an odd number of the bits of `bits` is set.
BYTESCAN_INLINE bool bytescan_odd(uint64_t bits) BYTESCAN_NAMED("isOddCount(_:)");
BYTESCAN_INLINE bool bytescan_odd(uint64_t bits) { return __builtin_parityll(bits); }

// Searches: loops over whole blocks of `bytes`, from `offset` in steps of 64, up to the block that starts at or before `last`.

/// The first block with a match: where it starts, and bit n for a match at byte n. No bit: there is none, and `start` is
/// where the next block would be.
typedef struct BYTESCAN_NAMED("BlockMatch") {
    ptrdiff_t start;
    uint64_t bits;
} bytescan_match;

/// What is known of a line once it has been passed. Two registers hold it.
typedef struct BYTESCAN_NAMED("LineMatch") {
    /// Sixteen times the offset of the line's end (or, where that is not found, of the next block), and the signs below.
    ptrdiff_t end_and_signs BYTESCAN_NAMED("endAndSigns");
    /// The start of the next line of interest, or the offset of the block from which to look for it.
    ptrdiff_t next;
} bytescan_line_match;

enum {
    bytescan_odd_quotes = 1,  // an odd number of quotes stands in the line, so far as it has been passed
    bytescan_has_probe = 2,   // the probe stands in one of the blocks
    bytescan_has_end = 4,     // the line's end has been found
    bytescan_has_next = 8     // so has the next line of interest
};

/// Two bytes at a distance: the byte that comes first, the other, and how far behind it stands. One register holds it.
typedef struct BYTESCAN_NAMED("BytePair") {
    uint8_t first;
    uint8_t second;
    uint16_t distance;
} bytescan_pair;

/// Where the bytes are that part an attribute list, among 64: bit n for byte n.
typedef struct BYTESCAN_NAMED("ListMarks") {
    uint64_t commas;
    uint64_t equals;
    uint64_t quotes;
} bytescan_list_marks;

#define BYTESCAN_SEARCH static inline
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
#include "bytescan_searches.inc"

#if BYTESCAN_SSE2

#define BYTESCAN_AVX2 __attribute__((target("avx2")))

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

#define BYTESCAN_SEARCH static __attribute__((unused, noinline)) BYTESCAN_AVX2
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
#include "bytescan_searches.inc"

#define BYTESCAN_BEST(name, ...)                                          \
    if (__builtin_cpu_supports("avx2")) return name##_avx2(__VA_ARGS__); \
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

/// The first block with the pair. As many bytes more are read as it is apart.
BYTESCAN_INLINE bytescan_match bytescan_find_pair(const uint8_t *bytes, ptrdiff_t offset, ptrdiff_t last, bytescan_pair pair)
    BYTESCAN_NAMED("findPair(_:from:last:_:)");
BYTESCAN_INLINE bytescan_match bytescan_find_pair(const uint8_t *bytes, ptrdiff_t offset, ptrdiff_t last, bytescan_pair pair) {
    BYTESCAN_BEST(bytescan_find_pair, bytes, offset, last, pair);
}

/// Passes the line that starts at `offset`, and those behind it up to one that follows the pair `stop`, which is a line feed
/// and a byte of the line behind it. As many bytes more are read as the pairs are apart.
BYTESCAN_INLINE bytescan_line_match bytescan_pass_line(const uint8_t *bytes, ptrdiff_t offset, ptrdiff_t last,
                                                       bytescan_pair probe, bytescan_pair stop)
    BYTESCAN_NAMED("passLine(_:from:last:probing:stoppingAt:)");
BYTESCAN_INLINE bytescan_line_match bytescan_pass_line(const uint8_t *bytes, ptrdiff_t offset, ptrdiff_t last,
                                                       bytescan_pair probe, bytescan_pair stop) {
    BYTESCAN_BEST(bytescan_pass_line, bytes, offset, last, probe, stop);
}

/// The marks of the 64 bytes at `bytes`.
BYTESCAN_INLINE bytescan_list_marks bytescan_mark_list(const uint8_t *bytes) BYTESCAN_NAMED("markList(_:)");
BYTESCAN_INLINE bytescan_list_marks bytescan_mark_list(const uint8_t *bytes) { BYTESCAN_BEST(bytescan_mark_list, bytes); }

#endif
