#define _GNU_SOURCE
#include "heap_blocks.h"

#include <errno.h>
#include <stdatomic.h>
#include <stddef.h>
#include <stdlib.h>

static _Atomic uint64_t blocks;
static _Thread_local uint64_t blocks_here;

uint64_t heap_blocks_count(void) { return atomic_load_explicit(&blocks, memory_order_relaxed); }
uint64_t heap_blocks_count_here(void) { return blocks_here; }

#if defined(__GLIBC__)

#include <malloc.h>

extern void *__libc_malloc(size_t size);
extern void *__libc_calloc(size_t count, size_t size);
extern void *__libc_realloc(void *block, size_t size);
extern void *__libc_memalign(size_t alignment, size_t size);

static void count_one(void) {
    atomic_fetch_add_explicit(&blocks, 1, memory_order_relaxed);
    blocks_here += 1;
}

void *malloc(size_t size) {
    count_one();
    return __libc_malloc(size);
}

void *calloc(size_t count, size_t size) {
    count_one();
    return __libc_calloc(count, size);
}

void *realloc(void *block, size_t size) {
    count_one();
    return __libc_realloc(block, size);
}

void *memalign(size_t alignment, size_t size) {
    count_one();
    return __libc_memalign(alignment, size);
}

void *aligned_alloc(size_t alignment, size_t size) {
    count_one();
    return __libc_memalign(alignment, size);
}

int posix_memalign(void **block, size_t alignment, size_t size) {
    if (alignment % sizeof(void *) != 0 || alignment == 0 || (alignment & (alignment - 1)) != 0) return EINVAL;
    count_one();
    int saved = errno;
    void *memory = __libc_memalign(alignment, size);
    errno = saved;
    if (memory == NULL) return ENOMEM;
    *block = memory;
    return 0;
}

size_t heap_blocks_bytes(void) {
    struct mallinfo2 heap = mallinfo2();
    return heap.uordblks + heap.hblkhd;
}

// The compiler may drop a block that is allocated and freed, unless its address escapes through a volatile.
static void *volatile escaped;

static bool counts(void *block, uint64_t before) {
    escaped = block;
    bool counted = block != NULL && heap_blocks_count() > before;
    free(escaped);
    return counted;
}

bool heap_blocks_are_counted(void) {
    uint64_t before = heap_blocks_count();
    bool all = counts(malloc(24), before);
    before = heap_blocks_count();
    all &= counts(calloc(3, 8), before);
    before = heap_blocks_count();
    all &= counts(realloc(NULL, 24), before);
    before = heap_blocks_count();
    all &= counts(aligned_alloc(64, 128), before);
    before = heap_blocks_count();
    void *block = NULL;
    all &= posix_memalign(&block, 64, 128) == 0;
    return counts(block, before) && all;
}

#else

bool heap_blocks_are_counted(void) { return false; }
size_t heap_blocks_bytes(void) { return 0; }

#endif
