// Sixteen bytes as two words of plain C: for every processor, whichever way it lays a word out in memory.

typedef struct { uint64_t low, high; } bytescan_16;

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

// 0xFF in each byte of `x` that is at most `byte`. Seven bits are subtracted from those of `byte` with the eighth as a loan: it is left if
// nothing had to be borrowed.
BYTESCAN_INLINE uint64_t bytescan_8_at_most(uint64_t x, uint8_t byte) {
    uint64_t left = (BYTESCAN_ONES * byte | BYTESCAN_TOPS) - (x & ~BYTESCAN_TOPS);
    uint64_t tops = (byte < 0x80 ? left & ~x : left | ~x) & BYTESCAN_TOPS;
    return (tops >> 7) * 0xFF;
}

// Bit n for byte n of a mask of eight bytes.
BYTESCAN_INLINE uint64_t bytescan_8_bits(uint64_t mask) {
#if __BYTE_ORDER__ == __ORDER_BIG_ENDIAN__
    mask = __builtin_bswap64(mask);
#endif
    return ((mask & BYTESCAN_ONES) * UINT64_C(0x0102040810204080)) >> 56;
}

BYTESCAN_INLINE bytescan_16 bytescan_16_equal(bytescan_16 x, uint8_t byte) {
    return (bytescan_16){bytescan_8_zero(x.low ^ (BYTESCAN_ONES * byte)), bytescan_8_zero(x.high ^ (BYTESCAN_ONES * byte))};
}
BYTESCAN_INLINE bytescan_16 bytescan_16_at_most(bytescan_16 x, uint8_t byte) {
    return (bytescan_16){bytescan_8_at_most(x.low, byte), bytescan_8_at_most(x.high, byte)};
}
BYTESCAN_INLINE bytescan_16 bytescan_16_and(bytescan_16 x, bytescan_16 y) {
    return (bytescan_16){x.low & y.low, x.high & y.high};
}
BYTESCAN_INLINE bytescan_16 bytescan_16_or(bytescan_16 x, bytescan_16 y) {
    return (bytescan_16){x.low | y.low, x.high | y.high};
}
BYTESCAN_INLINE bytescan_16 bytescan_16_xor(bytescan_16 x, bytescan_16 y) {
    return (bytescan_16){x.low ^ y.low, x.high ^ y.high};
}
BYTESCAN_INLINE bool bytescan_16_any(bytescan_16 mask) { return (mask.low | mask.high) != 0; }
BYTESCAN_INLINE uint64_t bytescan_16_bits(bytescan_16 mask) {
    return bytescan_8_bits(mask.low) | bytescan_8_bits(mask.high) << 8;
}
BYTESCAN_INLINE uint64_t bytescan_64_bits(bytescan_16 a, bytescan_16 b, bytescan_16 c, bytescan_16 d) {
    return bytescan_16_bits(a) | bytescan_16_bits(b) << 16 | bytescan_16_bits(c) << 32 | bytescan_16_bits(d) << 48;
}
