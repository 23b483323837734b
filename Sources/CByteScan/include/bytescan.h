// Sixty-four bytes compared at once, on SSE2 (the x86-64 baseline), NEON (the arm64 one) and plain C.
//
// A ByteBlock is 64 bytes in registers. Comparing it yields another ByteBlock, 0xFF where the byte is equal and 0
// elsewhere; `bits` turns such a mask into 64 bits, bit n for byte n. A ByteLane is what is left of one or more masks folded
// onto 16 bytes: enough to ask whether there was any match, or an odd number of them, without the price of 64 bits.
//
// The functions are Swift methods of these types (see swift_name); only the loads touch memory.
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
BYTESCAN_INLINE bytescan_16 bytescan_16_at_most(bytescan_16 x, uint8_t byte) { return _mm_cmpeq_epi8(_mm_min_epu8(x, _mm_set1_epi8((char)byte)), x); }
BYTESCAN_INLINE bytescan_16 bytescan_16_and(bytescan_16 x, bytescan_16 y) { return _mm_and_si128(x, y); }
BYTESCAN_INLINE bytescan_16 bytescan_16_or(bytescan_16 x, bytescan_16 y) { return _mm_or_si128(x, y); }
BYTESCAN_INLINE bytescan_16 bytescan_16_xor(bytescan_16 x, bytescan_16 y) { return _mm_xor_si128(x, y); }
BYTESCAN_INLINE uint64_t bytescan_16_bits(bytescan_16 mask) { return (uint32_t)_mm_movemask_epi8(mask); }
BYTESCAN_INLINE bool bytescan_16_any(bytescan_16 mask) { return _mm_movemask_epi8(mask) != 0; }

#elif BYTESCAN_NEON

BYTESCAN_INLINE bytescan_16 bytescan_16_load(const uint8_t *bytes) { return vld1q_u8(bytes); }
BYTESCAN_INLINE bytescan_16 bytescan_16_equal(bytescan_16 x, uint8_t byte) { return vceqq_u8(x, vdupq_n_u8(byte)); }
BYTESCAN_INLINE bytescan_16 bytescan_16_at_most(bytescan_16 x, uint8_t byte) { return vcleq_u8(x, vdupq_n_u8(byte)); }
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

// 0xFF in each byte of `x` that is at most `byte`, which is below 0x80. Seven bits are taken from `byte` with the eighth as a loan:
// it is left where nothing had to be borrowed.
BYTESCAN_INLINE uint64_t bytescan_8_at_most(uint64_t x, uint8_t byte) {
    uint64_t tops = ((BYTESCAN_ONES * byte | BYTESCAN_TOPS) - (x & ~BYTESCAN_TOPS)) & ~x & BYTESCAN_TOPS;
    return (tops >> 7) * 0xFF;
}
BYTESCAN_INLINE bytescan_16 bytescan_16_at_most(bytescan_16 x, uint8_t byte) {
    return (bytescan_16){bytescan_8_at_most(x.low, byte), bytescan_8_at_most(x.high, byte)};
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

/// The mask of the bytes that are at most `byte`, an ASCII character.
BYTESCAN_INLINE bytescan_block bytescan_at_most(bytescan_block x, uint8_t byte) BYTESCAN_NAMED("ByteBlock.atMost(self:_:)");
BYTESCAN_INLINE bytescan_block bytescan_at_most(bytescan_block x, uint8_t byte) {
    return (bytescan_block){bytescan_16_at_most(x.a, byte), bytescan_16_at_most(x.b, byte), bytescan_16_at_most(x.c, byte), bytescan_16_at_most(x.d, byte)};
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

// Bit n is set where an odd number of the bits up to n is.
BYTESCAN_INLINE uint64_t bytescan_parities(uint64_t bits) {
    for (int shift = 1; shift < 64; shift *= 2) bits ^= bits << shift;
    return bits;
}

// Notes where the lowest of `bits` stands, if there is one, counted from `offset`, and returns the others.
BYTESCAN_INLINE uint64_t bytescan_note_place(ptrdiff_t *place, ptrdiff_t offset, uint64_t bits) {
    *place = offset + (bits == 0 ? 64 : __builtin_ctzll(bits));
    return bits & (bits - 1);
}

// Notes the lowest eight of `bits` like that. There is room for eight places even where there are fewer.
BYTESCAN_INLINE uint64_t bytescan_note_eight(ptrdiff_t *places, ptrdiff_t offset, uint64_t bits) {
    bits = bytescan_note_place(places, offset, bits);
    bits = bytescan_note_place(places + 1, offset, bits);
    bits = bytescan_note_place(places + 2, offset, bits);
    bits = bytescan_note_place(places + 3, offset, bits);
    bits = bytescan_note_place(places + 4, offset, bits);
    bits = bytescan_note_place(places + 5, offset, bits);
    bits = bytescan_note_place(places + 6, offset, bits);
    return bytescan_note_place(places + 7, offset, bits);
}

// The lowest of `bits`, of which there is one at least, and all bits below it.
BYTESCAN_INLINE uint64_t bytescan_up_to_lowest(uint64_t bits) { return bits ^ (bits - 1); }

// The bits themselves, which the optimizer then keeps in a register. It would carry the vector they come from across branches,
// byte by byte, to combine it with another.
BYTESCAN_INLINE uint64_t bytescan_kept(uint64_t bits) {
    __asm__("" : "+r"(bits));
    return bits;
}

#endif
