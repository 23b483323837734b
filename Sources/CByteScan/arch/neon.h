// Sixteen bytes on NEON, which every arm64 processor has.
#include <arm_neon.h>

typedef uint8x16_t bytescan_16;

BYTESCAN_INLINE bytescan_16 bytescan_16_load(const uint8_t *bytes) { return vld1q_u8(bytes); }
BYTESCAN_INLINE bytescan_16 bytescan_16_equal(bytescan_16 x, uint8_t byte) { return vceqq_u8(x, vdupq_n_u8(byte)); }
BYTESCAN_INLINE bytescan_16 bytescan_16_at_most(bytescan_16 x, uint8_t byte) { return vcleq_u8(x, vdupq_n_u8(byte)); }
BYTESCAN_INLINE bytescan_16 bytescan_16_and(bytescan_16 x, bytescan_16 y) { return vandq_u8(x, y); }
BYTESCAN_INLINE bytescan_16 bytescan_16_or(bytescan_16 x, bytescan_16 y) { return vorrq_u8(x, y); }
BYTESCAN_INLINE bytescan_16 bytescan_16_xor(bytescan_16 x, bytescan_16 y) { return veorq_u8(x, y); }
BYTESCAN_INLINE bool bytescan_16_any(bytescan_16 mask) { return vmaxvq_u8(mask) != 0; }

// NEON has no instruction for the bits of a mask. Each byte keeps the one bit that names its place in a group of eight; pairwise
// sums then bring the groups together.
BYTESCAN_INLINE bytescan_16 bytescan_16_weigh(bytescan_16 mask) {
    const uint8x16_t weights = {1, 2, 4, 8, 16, 32, 64, 128, 1, 2, 4, 8, 16, 32, 64, 128};
    return vandq_u8(mask, weights);
}
BYTESCAN_INLINE uint64_t bytescan_16_bits(bytescan_16 mask) {
    uint8x16_t sums = bytescan_16_weigh(mask);
    sums = vpaddq_u8(sums, sums);
    sums = vpaddq_u8(sums, sums);
    return vgetq_lane_u16(vreinterpretq_u16_u8(vpaddq_u8(sums, sums)), 0);
}
BYTESCAN_INLINE uint64_t bytescan_64_bits(bytescan_16 a, bytescan_16 b, bytescan_16 c, bytescan_16 d) {
    uint8x16_t low = vpaddq_u8(bytescan_16_weigh(a), bytescan_16_weigh(b));
    uint8x16_t high = vpaddq_u8(bytescan_16_weigh(c), bytescan_16_weigh(d));
    uint8x16_t sums = vpaddq_u8(low, high);
    return vgetq_lane_u64(vreinterpretq_u64_u8(vpaddq_u8(sums, sums)), 0);
}
