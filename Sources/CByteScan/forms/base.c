// The kernels for every processor of the architecture.
#include "bytescan_kernels.h"

#define K(name) bytescan_base_##name
#include "../arch/base.h"
#include "../arch/common.h"
#include "../kernels/kernels.h"

#if defined(__wasm__)

// A module has to be small before it is fast.
bytescan_base_block bytescan_base_load_partial(const uint8_t *bytes, size_t count) {
    uint8_t padded[64] = {0};
    __builtin_memcpy(padded, bytes, count);
    return bytescan_base_load(padded);
}

#else

// A block of which not all is there is put together from words of what is: loaded from a copy, it would wait for the copy's stores.

static uint64_t word_of(const void *bytes, size_t count) {
    uint64_t word = 0;
    __builtin_memcpy(&word, bytes, count);
#if __BYTE_ORDER__ == __ORDER_BIG_ENDIAN__
    word = __builtin_bswap64(word);
#endif
    return word;
}

static bytescan_16 sixteen_of(uint64_t low, uint64_t high) {
    uint64_t words[2] = {word_of(&low, 8), word_of(&high, 8)};
    bytescan_16 x;
    __builtin_memcpy(&x, words, sizeof x);
    return x;
}

// The `count` bytes before `end`, at most 15, and zeros after them. Eight bytes before it are read at least.
static bytescan_16 last_bytes(const uint8_t *end, size_t count) {
    if (count == 0) return sixteen_of(0, 0);
    uint64_t last = word_of(end - 8, 8);
    if (count <= 8) return sixteen_of(last >> (64 - 8 * count), 0);
    return sixteen_of(word_of(end - count, 8), last >> (128 - 8 * count));
}

// The same of no more than 15 bytes that are there.
static bytescan_16 few_bytes(const uint8_t *bytes, size_t count) {
    if (count >= 8) return last_bytes(bytes + count, count);
    if (count >= 4) return sixteen_of(word_of(bytes, 4) | word_of(bytes + count - 4, 4) << (8 * count - 32), 0);
    uint64_t word = 0;
    while (count > 0) word = word << 8 | bytes[--count];
    return sixteen_of(word, 0);
}

bytescan_base_block bytescan_base_load_partial(const uint8_t *bytes, size_t count) {
    bytescan_16 none = sixteen_of(0, 0);
    if (count < 16) return (bytescan_base_block){few_bytes(bytes, count), none, none, none};
    bytescan_16 first = bytescan_16_load(bytes), last = last_bytes(bytes + count, count % 16);
    if (count < 32) return (bytescan_base_block){first, last, none, none};
    bytescan_16 second = bytescan_16_load(bytes + 16);
    if (count < 48) return (bytescan_base_block){first, second, last, none};
    return (bytescan_base_block){first, second, bytescan_16_load(bytes + 32), count < 64 ? last : bytescan_16_load(bytes + 48)};
}

#endif
