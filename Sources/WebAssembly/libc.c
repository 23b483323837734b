// What the library needs of a C library: WebAssembly has none.
//
// Memory comes in classes of sizes, four to each doubling, each with a list of its free blocks. A block that is given back waits for the next
// of its class, so that work done over and over takes no more memory after its first rounds.
//
//     ├─ header, 16 bytes ─┼─ what the caller gets ─┤       a block, at a multiple of 16
//                          └─ the next free block of the class, if this one is free
#include <stddef.h>
#include <stdint.h>

typedef struct header {
    uint32_t class;
    struct block *block; // which differs from what precedes the header if the caller wanted more than 16 for alignment
    uint64_t padding;
} header;

typedef struct block {
    header header;
    struct block *next;
} block;

enum { CLASSES = 108, PAGE = 65536, GROWTH = 16 * PAGE };

extern uint8_t __heap_base;
static block *free_blocks[CLASSES];
static uintptr_t unused_start, unused_end;

// Below 160 bytes a class for each 16, from there on four to each doubling.
static uint32_t class_of(size_t size) {
    uint32_t last = size == 0 ? 0 : (uint32_t)size - 1;
    if (last < 128) return last >> 4;
    uint32_t shift = 29 - (uint32_t)__builtin_clz(last);
    return 8 + 4 * (shift - 5) + ((last >> shift) - 4);
}

static size_t size_of(uint32_t class) {
    return class < 8 ? (class + 1) << 4 : (size_t)((class & 3) + 5) << (3 + class / 4);
}

static void *unused(size_t size) {
    if (unused_end == 0) {
        unused_start = ((uintptr_t)&__heap_base + 15) & ~(uintptr_t)15;
        unused_end = __builtin_wasm_memory_size(0) * PAGE;
    }
    if (unused_end - unused_start < size) {
        size_t missing = size - (unused_end - unused_start);
        size_t growth = missing < GROWTH ? GROWTH : missing;
        size_t pages = (growth + PAGE - 1) / PAGE;
        // There is no way back from here: Swift has no answer to memory that is not there.
        if (__builtin_wasm_memory_grow(0, pages) == SIZE_MAX) __builtin_trap();
        unused_end += pages * PAGE;
    }
    void *start = (void *)unused_start;
    unused_start += size;
    return start;
}

void *malloc(size_t size) {
    if (size > PTRDIFF_MAX / 2) __builtin_trap();
    uint32_t class = class_of(size);
    block *found = free_blocks[class];
    if (found != NULL) {
        free_blocks[class] = found->next;
    } else {
        found = unused(sizeof(header) + size_of(class));
        found->header = (header){class, found, 0};
    }
    return (uint8_t *)found + sizeof(header);
}

void free(void *memory) {
    if (memory == NULL) return;
    block *freed = ((header *)memory - 1)->block;
    freed->next = free_blocks[freed->header.class];
    free_blocks[freed->header.class] = freed;
}

int posix_memalign(void **memory, size_t alignment, size_t size) {
    if (alignment <= 16) {
        *memory = malloc(size);
        return 0;
    }
    uint8_t *start = malloc(size + alignment);
    block *found = ((header *)start - 1)->block;
    uint8_t *aligned = (uint8_t *)(((uintptr_t)start + alignment - 1) & ~(uintptr_t)(alignment - 1));
    if (aligned != start) ((header *)aligned - 1)->block = found;
    *memory = aligned;
    return 0;
}

// The instructions for memory are calls in engines: a few bytes are copied faster here.
enum { FEW = 32 };

void *memcpy(void *restrict to, const void *restrict from, size_t count) {
    if (count > FEW) return __builtin_memcpy(to, from, count);
    uint8_t *target = to;
    const uint8_t *source = from;
    for (; count >= 8; count -= 8, target += 8, source += 8) {
        uint64_t word;
        __builtin_memcpy(&word, source, 8);
        __builtin_memcpy(target, &word, 8);
    }
    for (; count > 0; count--) *target++ = *source++;
    return to;
}

void *memmove(void *to, const void *from, size_t count) { return __builtin_memmove(to, from, count); }

void *memset(void *memory, int byte, size_t count) { return __builtin_memset(memory, byte, count); }

int memcmp(const void *x, const void *y, size_t count) {
    const uint8_t *a = x, *b = y;
    for (size_t i = 0; i < count; i++) {
        if (a[i] != b[i]) return a[i] - b[i];
    }
    return 0;
}

size_t strlen(const char *text) {
    size_t count = 0;
    while (text[count] != '\0') count++;
    return count;
}

// The product of two numbers of 128 bits, which the compiler calls for.
typedef unsigned __int128 wide;

wide __multi3(wide x, wide y) {
    uint64_t a = (uint64_t)x, b = (uint64_t)y;
    uint64_t low = (a & UINT32_MAX) * (b & UINT32_MAX);
    uint64_t middle = (a >> 32) * (b & UINT32_MAX) + (low >> 32);
    uint64_t other = (a & UINT32_MAX) * (b >> 32) + (middle & UINT32_MAX);
    uint64_t high = (a >> 32) * (b >> 32) + (middle >> 32) + (other >> 32);
    high += (uint64_t)(x >> 64) * b + a * (uint64_t)(y >> 64);
    return (wide)high << 64 | (other << 32 | (low & UINT32_MAX));
}
