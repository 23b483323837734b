// Copies of slices: some hundred bytes of a playlist, or the few that are put between them.
#ifndef BYTESCAN_COPY_H
#define BYTESCAN_COPY_H

#include "bytescan_block.h"

/// Copies `count` bytes, at least 1, to memory that does not overlap them.
///
/// The few bytes of an attribute are copied at once: the last step reaches back over bytes that are copied already, so there is no
/// loop over a rest. From 64 bytes on the C library's memcpy, with the processor's widest registers, takes fewer instructions. Engines
/// of WebAssembly call a function for it, which for a slice of a playlist takes longer than the copying.
BYTESCAN_INLINE void bytescan_copy(uint8_t *target, const uint8_t *source, size_t count)
    BYTESCAN_NAMED("copyBytes(_:from:_:)");
BYTESCAN_INLINE void bytescan_copy(uint8_t *target, const uint8_t *source, size_t count) {
#ifdef __wasm__
    if (count >= 512) {
        __builtin_memcpy(target, source, count);
    } else if (count >= 16) {
        for (size_t i = 0; i < count - 16; i += 16) __builtin_memcpy(target + i, source + i, 16);
        __builtin_memcpy(target + count - 16, source + count - 16, 16);
#else
    if (count >= 64) {
        __builtin_memcpy(target, source, count);
    } else if (count >= 32) {
        __builtin_memcpy(target, source, 32);
        __builtin_memcpy(target + count - 32, source + count - 32, 32);
    } else if (count >= 16) {
        __builtin_memcpy(target, source, 16);
        __builtin_memcpy(target + count - 16, source + count - 16, 16);
#endif
    } else if (count >= 8) {
        __builtin_memcpy(target, source, 8);
        __builtin_memcpy(target + count - 8, source + count - 8, 8);
    } else {
        for (size_t i = 0; i < count; i++) target[i] = source[i];
    }
}

#endif
