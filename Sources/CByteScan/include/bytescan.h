// Sixty-four bytes compared at once, on SSE2 (the x86-64 baseline), NEON (the arm64 one) and plain C.
//
// A ByteBlock is 64 bytes in registers. Comparing it yields another ByteBlock, 0xFF where the byte is equal and 0
// elsewhere; `bits` turns such a mask into 64 bits, bit n for byte n. A ByteLane is what is left of one or more masks folded
// onto 16 bytes: enough to ask whether there was any match, or an odd number of them, without the price of 64 bits.
//
// The functions are Swift methods of these types (see swift_name); only the loads touch memory.
//
// The searches at the end are whole loops. On x86-64 they exist twice, from one text (bytescan_searches.inc): for the
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

/// What is known of a line that has been passed, up to the block in which it ends.
typedef struct BYTESCAN_NAMED("LineMatch") {
    /// Where that block starts, or the next one would.
    ptrdiff_t offset;
    /// The line feeds in it: bit n for byte n. No bit: the line's end has not been found.
    uint64_t ends;
    /// Whether an odd number of quotes stands in the line, so far as it has been passed.
    bool has_odd_quotes BYTESCAN_NAMED("hasOddQuotes");
    /// Whether the probe stands in one of the blocks.
    bool may_hold_probe BYTESCAN_NAMED("mayHoldProbe");
} bytescan_line_match;

/// Two bytes at a distance: the byte that comes first, the other, and how far behind it stands, at most 12 bytes.
///
/// They are packed, so that they travel in one register.
typedef struct BYTESCAN_NAMED("BytePair") {
    uint32_t packed;
} bytescan_pair;

BYTESCAN_INLINE bytescan_pair bytescan_pair_make(uint8_t first, uint8_t second, uint16_t distance) BYTESCAN_NAMED("BytePair.init(first:second:distance:)");
BYTESCAN_INLINE bytescan_pair bytescan_pair_make(uint8_t first, uint8_t second, uint16_t distance) {
    return (bytescan_pair){(uint32_t)distance << 16 | (uint32_t)second << 8 | first};
}
BYTESCAN_INLINE uint8_t bytescan_pair_first(bytescan_pair pair) BYTESCAN_NAMED("getter:BytePair.first(self:)");
BYTESCAN_INLINE uint8_t bytescan_pair_first(bytescan_pair pair) { return (uint8_t)pair.packed; }
BYTESCAN_INLINE uint8_t bytescan_pair_second(bytescan_pair pair) BYTESCAN_NAMED("getter:BytePair.second(self:)");
BYTESCAN_INLINE uint8_t bytescan_pair_second(bytescan_pair pair) { return (uint8_t)(pair.packed >> 8); }
BYTESCAN_INLINE uint16_t bytescan_pair_distance(bytescan_pair pair) BYTESCAN_NAMED("getter:BytePair.distance(self:)");
BYTESCAN_INLINE uint16_t bytescan_pair_distance(bytescan_pair pair) { return (uint16_t)(pair.packed >> 16); }

/// The hash of a line's head, from 0 to 63, by the eight bytes at offset 4, the first of them in the lowest bits: of the
/// tag's name without `EXT-X-`, or without `EXT` where it begins otherwise, the first three bytes count.
///
/// The factor was found by trial: of the tags with a name in code none that is passed over, be the playlist of either kind, has
/// the hash of one that is looked for there, unless the three bytes are the same.
BYTESCAN_INLINE uint32_t bytescan_head_hash(uint64_t word) BYTESCAN_NAMED("headHash(_:)");
BYTESCAN_INLINE uint32_t bytescan_head_hash(uint64_t word) {
    const uint32_t x = '-' | 'X' << 8 | '-' << 16;
    uint32_t key = word & 0xFFFFFF;
    if (key == x) key = word >> 24 & 0xFFFFFF;
    return key * UINT32_C(0x958A94A7) >> 26;
}

// Whether a line may be of interest: it begins with `#EXT` and has one of the hashes. Any line may where all hashes are.
BYTESCAN_INLINE bool bytescan_may_be_of_interest(const uint8_t *line, uint64_t hashes) {
    uint64_t word;
    __builtin_memcpy(&word, line + 4, sizeof word);
#if __BYTE_ORDER__ == __ORDER_BIG_ENDIAN__
    word = __builtin_bswap64(word);
#endif
    return hashes >> bytescan_head_hash(word) & 1 && (__builtin_memcmp(line, "#EXT", 4) == 0 || hashes == UINT64_MAX);
}

enum { bytescan_walk_capacity = 32 };

/// What the first 32 bytes of a line are, so far as the bits are set in `mask`.
typedef struct BYTESCAN_NAMED("LineHead") {
    uint64_t words[4];
    uint64_t mask[4];
} bytescan_head;

/// Which lines of a playlist are of interest, and those that have been met.
///
/// Most lines of one tag are plain: they need no closer look. Their quotes are closed, the probe is not in them, something
/// stands behind their head, and their last byte is no white space.
typedef struct BYTESCAN_NAMED("LineWalkMemory") {
    /// The line feed before a line of interest and a byte that stands in it.
    bytescan_pair sign;
    /// What does not stand in a plain line.
    bytescan_pair probe;
    /// Bit n for a line of interest that begins with `#EXT` and whose head has the hash n. Other lines may have it too. All
    /// bits: every line is of interest.
    uint64_t hashes;
    /// How a plain line begins.
    bytescan_head plain;
    /// How lines begin that are not of interest although they may have the hash of one.
    bytescan_head passed[2];
    ptrdiff_t passed_count BYTESCAN_NAMED("passedCount");
    /// How many bytes a plain line has at least, its line ending not counted but for a CR, and how many more it may have.
    ptrdiff_t shortest;
    size_t span;
    /// How many lines are met at once at most, so far as there is room.
    ptrdiff_t room;

    /// Where the lines that have been met start.
    ptrdiff_t starts[bytescan_walk_capacity];
    /// Where those that are plain end, their line endings left out; 0 for the others.
    ptrdiff_t ends[bytescan_walk_capacity];
    /// Where to go on: lines behind a line feed at or after this have not been met.
    ptrdiff_t next;
} bytescan_line_walk;

BYTESCAN_INLINE bool bytescan_has_head(const uint8_t *line, const bytescan_head *head) {
    uint64_t words[4];
    __builtin_memcpy(words, line, sizeof words);
    uint64_t difference = 0;
    for (int i = 0; i < 4; i++) difference |= (words[i] ^ head->words[i]) & head->mask[i];
    return difference == 0;
}

// Whether the line begins as one of those that are passed over. 32 bytes of it are read.
BYTESCAN_INLINE bool bytescan_is_passed(const uint8_t *line, const bytescan_line_walk *walk) {
    for (ptrdiff_t i = 0; i < walk->passed_count; i++) {
        if (bytescan_has_head(line, &walk->passed[i])) return true;
    }
    return false;
}

/// An item of an attribute list: its first `=` outside quotes, and the comma behind it or the list's end. Without an `=` both
/// are the same.
typedef struct BYTESCAN_NAMED("ListItem") {
    ptrdiff_t equals;
    ptrdiff_t stop;
} bytescan_list_item;

enum { bytescan_items_capacity = 10 };

/// Items that follow each other in an attribute list.
typedef struct BYTESCAN_NAMED("ListItems") {
    bytescan_list_item items[bytescan_items_capacity];
    /// How many there are.
    ptrdiff_t count;
    /// Whether a quote is open at the end of the list, if that has been reached.
    bool ends_inside_quotes BYTESCAN_NAMED("endsInsideQuotes");
} bytescan_list_items;

// Bit n is set where an odd number of the bits up to n is.
BYTESCAN_INLINE uint64_t bytescan_parities(uint64_t bits) {
    for (int shift = 1; shift < 64; shift *= 2) bits ^= bits << shift;
    return bits;
}

// The bits below the lowest of `bits`.
BYTESCAN_INLINE uint64_t bytescan_below(uint64_t bits) { return (bits & -bits) - 1; }

// The bits themselves, which the optimizer then keeps in a register. It would carry the vector they come from across branches,
// byte by byte, to combine it with another.
BYTESCAN_INLINE uint64_t bytescan_kept(uint64_t bits) {
    __asm__("" : "+r"(bits));
    return bits;
}

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
