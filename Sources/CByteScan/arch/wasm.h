// Sixteen bytes on WebAssembly with fixed-width SIMD (simd128).
#include <wasm_simd128.h>

typedef v128_t bytescan_16;

BYTESCAN_INLINE bytescan_16 bytescan_16_load(const uint8_t *bytes) { return wasm_v128_load(bytes); }
BYTESCAN_INLINE bytescan_16 bytescan_16_equal(bytescan_16 x, uint8_t byte) {
    return wasm_i8x16_eq(x, wasm_i8x16_splat((int8_t)byte));
}
BYTESCAN_INLINE bytescan_16 bytescan_16_at_most(bytescan_16 x, uint8_t byte) {
    return wasm_u8x16_le(x, wasm_u8x16_splat(byte));
}
BYTESCAN_INLINE bytescan_16 bytescan_16_and(bytescan_16 x, bytescan_16 y) { return wasm_v128_and(x, y); }
BYTESCAN_INLINE bytescan_16 bytescan_16_or(bytescan_16 x, bytescan_16 y) { return wasm_v128_or(x, y); }
BYTESCAN_INLINE bytescan_16 bytescan_16_xor(bytescan_16 x, bytescan_16 y) { return wasm_v128_xor(x, y); }
BYTESCAN_INLINE bool bytescan_16_any(bytescan_16 mask) { return wasm_v128_any_true(mask); }
BYTESCAN_INLINE uint64_t bytescan_16_bits(bytescan_16 mask) { return wasm_i8x16_bitmask(mask); }
BYTESCAN_INLINE uint64_t bytescan_64_bits(bytescan_16 a, bytescan_16 b, bytescan_16 c, bytescan_16 d) {
    return bytescan_16_bits(a) | bytescan_16_bits(b) << 16 | bytescan_16_bits(c) << 32 | bytescan_16_bits(d) << 48;
}
