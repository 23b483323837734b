// Where the library's memory comes from.
//
// Embedded Swift asks for all its memory by posix_memalign and free. install.sh redirects these two names, in the one object that the
// library is by then, to the two functions below. This file is linked to it afterwards, so that its own calls reach the C library.
//
// Without SURTITLE_HOOKS, in a build on the Swift runtime, memory comes from that runtime's malloc. The hooks would see none of it, so
// they are refused.

#include "surtitle.h"

#ifdef SURTITLE_HOOKS

#include <stdatomic.h>
#include <stdlib.h>

// Which memory is used: set once, by the first who sets or allocates.
enum source { UNUSED, BEING_SET, HOOKS, LIBC };

static _Atomic int source = UNUSED;
static void *(*allocate_hook)(size_t, size_t, void *);
static void (*release_hook)(void *, void *);
static void *hook_context;

int surtitle_set_allocator(
    void *(*allocate)(size_t alignment, size_t size, void *context), void (*release)(void *memory, void *context), void *context) {
    if (allocate == NULL || release == NULL) return SURTITLE_NULL_ARGUMENT;
    int unused = UNUSED;
    if (!atomic_compare_exchange_strong(&source, &unused, BEING_SET)) return SURTITLE_TOO_LATE;
    allocate_hook = allocate;
    release_hook = release;
    hook_context = context;
    atomic_store_explicit(&source, HOOKS, memory_order_release);
    return SURTITLE_OK;
}

// Whether the hooks are set; from the first question on the answer stays.
static int uses_hooks(void) {
    int now = atomic_load_explicit(&source, memory_order_acquire);
    while (now != HOOKS && now != LIBC) {
        int unused = UNUSED;
        atomic_compare_exchange_strong(&source, &unused, LIBC);
        now = atomic_load_explicit(&source, memory_order_acquire);
    }
    return now == HOOKS;
}

int hooked_memalign(void **memory, size_t alignment, size_t size);
void hooked_free(void *memory);

int hooked_memalign(void **memory, size_t alignment, size_t size) {
    if (!uses_hooks()) return posix_memalign(memory, alignment, size);
    *memory = allocate_hook(alignment, size, hook_context);
    // There is no way back from here: Swift has no answer to memory that is not there.
    if (*memory == NULL) abort();
    return 0;
}

void hooked_free(void *memory) {
    if (memory == NULL) return;
    if (uses_hooks()) {
        release_hook(memory, hook_context);
    } else {
        free(memory);
    }
}

#else

int surtitle_set_allocator(
    void *(*allocate)(size_t alignment, size_t size, void *context), void (*release)(void *memory, void *context), void *context) {
    (void)context;
    return allocate == NULL || release == NULL ? SURTITLE_NULL_ARGUMENT : SURTITLE_UNSUPPORTED;
}

#endif
