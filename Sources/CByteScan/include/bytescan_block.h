// Sixty-four bytes compared at once, by what every processor of the architecture has: SSE2, NEON, WebAssembly's simd128, or plain C.
//
// A ByteBlock is 64 bytes in registers. Comparing it yields a mask: another ByteBlock, 0xFF where the byte is equal and 0
// elsewhere; `bits` turns a mask into 64 bits, bit n for byte n.
//
//     bytes        #EXTM3U⏎#EXT…
//     equal('#')   1.......1...      bits: 0x101
//
// The functions are Swift methods (see swift_name), inlined there, so that one block costs no call. Only the loads touch memory.
// What loops over many blocks is a kernel: see kernels/.
//
// To add a processor: a file in arch/ with what the others there have, and a line below. Tests/Kernels checks it.
#ifndef BYTESCAN_BLOCK_H
#define BYTESCAN_BLOCK_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

// Compilers that know nothing of Swift build the kernels too: Tests/Kernels.
#if __has_attribute(swift_name)
#define BYTESCAN_NAMED(name) __attribute__((swift_name(name)))
#else
#define BYTESCAN_NAMED(name)
#endif
#define BYTESCAN_INLINE static inline __attribute__((always_inline))

#if defined(BYTESCAN_PORTABLE)
#include "../arch/portable.h"
#elif defined(__SSE2__)
#define BYTESCAN_X86 1
#include "../arch/sse2.h"
#elif defined(__aarch64__)
#include "../arch/neon.h"
#elif defined(__wasm_simd128__)
#include "../arch/wasm.h"
#else
#include "../arch/portable.h"
#endif

typedef struct BYTESCAN_NAMED("ByteBlock") { bytescan_16 a, b, c, d; } bytescan_base_block;

/// Loads the 64 bytes at `bytes`.
BYTESCAN_INLINE bytescan_base_block bytescan_base_load(const uint8_t *bytes) BYTESCAN_NAMED("ByteBlock.init(loading:)");
BYTESCAN_INLINE bytescan_base_block bytescan_base_load(const uint8_t *bytes) {
    return (bytescan_base_block){
        bytescan_16_load(bytes), bytescan_16_load(bytes + 16), bytescan_16_load(bytes + 32), bytescan_16_load(bytes + 48)};
}

/// Loads `count` bytes, at most 64, and zeros after them.
bytescan_base_block bytescan_base_load_partial(const uint8_t *bytes, size_t count) BYTESCAN_NAMED("ByteBlock.init(loading:count:)");

/// The mask of the bytes equal to `byte`.
BYTESCAN_INLINE bytescan_base_block bytescan_base_equal(bytescan_base_block x, uint8_t byte)
    BYTESCAN_NAMED("ByteBlock.equal(self:to:)");
BYTESCAN_INLINE bytescan_base_block bytescan_base_equal(bytescan_base_block x, uint8_t byte) {
    return (bytescan_base_block){
        bytescan_16_equal(x.a, byte), bytescan_16_equal(x.b, byte), bytescan_16_equal(x.c, byte), bytescan_16_equal(x.d, byte)};
}

/// The mask of the bytes that are at most `byte`.
BYTESCAN_INLINE bytescan_base_block bytescan_base_at_most(bytescan_base_block x, uint8_t byte)
    BYTESCAN_NAMED("ByteBlock.atMost(self:_:)");
BYTESCAN_INLINE bytescan_base_block bytescan_base_at_most(bytescan_base_block x, uint8_t byte) {
    return (bytescan_base_block){bytescan_16_at_most(x.a, byte), bytescan_16_at_most(x.b, byte),
                                 bytescan_16_at_most(x.c, byte), bytescan_16_at_most(x.d, byte)};
}

/// The mask of the bytes in both masks.
BYTESCAN_INLINE bytescan_base_block bytescan_base_and(bytescan_base_block x, bytescan_base_block y)
    BYTESCAN_NAMED("ByteBlock.and(self:_:)");
BYTESCAN_INLINE bytescan_base_block bytescan_base_and(bytescan_base_block x, bytescan_base_block y) {
    return (bytescan_base_block){
        bytescan_16_and(x.a, y.a), bytescan_16_and(x.b, y.b), bytescan_16_and(x.c, y.c), bytescan_16_and(x.d, y.d)};
}

/// The mask of the bytes in either mask.
BYTESCAN_INLINE bytescan_base_block bytescan_base_or(bytescan_base_block x, bytescan_base_block y)
    BYTESCAN_NAMED("ByteBlock.or(self:_:)");
BYTESCAN_INLINE bytescan_base_block bytescan_base_or(bytescan_base_block x, bytescan_base_block y) {
    return (bytescan_base_block){
        bytescan_16_or(x.a, y.a), bytescan_16_or(x.b, y.b), bytescan_16_or(x.c, y.c), bytescan_16_or(x.d, y.d)};
}

/// A mask as 64 bits, bit n for byte n.
BYTESCAN_INLINE uint64_t bytescan_base_bits(bytescan_base_block mask) BYTESCAN_NAMED("getter:ByteBlock.bits(self:)");
BYTESCAN_INLINE uint64_t bytescan_base_bits(bytescan_base_block mask) {
    return bytescan_64_bits(mask.a, mask.b, mask.c, mask.d);
}

/// Whether the mask has any byte set.
BYTESCAN_INLINE bool bytescan_base_any(bytescan_base_block mask) BYTESCAN_NAMED("getter:ByteBlock.isAnySet(self:)");
BYTESCAN_INLINE bool bytescan_base_any(bytescan_base_block mask) {
    return bytescan_16_any(bytescan_16_or(bytescan_16_or(mask.a, mask.b), bytescan_16_or(mask.c, mask.d)));
}

/// Whether no byte is above 0x7F.
BYTESCAN_INLINE bool bytescan_base_is_ascii(bytescan_base_block x) BYTESCAN_NAMED("getter:ByteBlock.isASCII(self:)");
BYTESCAN_INLINE bool bytescan_base_is_ascii(bytescan_base_block x) {
    bytescan_16 all = bytescan_16_or(bytescan_16_or(x.a, x.b), bytescan_16_or(x.c, x.d));
    uint64_t words[2];
    __builtin_memcpy(words, &all, sizeof words);
    return ((words[0] | words[1]) & UINT64_C(0x8080808080808080)) == 0;
}

/// Whether an odd number of the bits of `bits` is set.
BYTESCAN_INLINE bool bytescan_odd(uint64_t bits) BYTESCAN_NAMED("isOddCount(_:)");
BYTESCAN_INLINE bool bytescan_odd(uint64_t bits) { return __builtin_parityll(bits); }

#endif
