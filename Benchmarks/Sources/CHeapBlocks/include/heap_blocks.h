// How many blocks the process has asked of its heap.
//
// Linking this target into an executable puts its malloc, calloc, realloc, posix_memalign, aligned_alloc and memalign
// before those of the C library, for the Swift runtime too. Each counts and hands over. Freeing is not counted: what is
// gated is that nothing is asked for.
#ifndef HEAP_BLOCKS_H
#define HEAP_BLOCKS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/// Only a name for the functions to live under in Swift.
struct HeapBlocks { char unused; };

/// Blocks asked for since the process began, by any thread. A realloc counts as one.
uint64_t heap_blocks_count(void) __attribute__((swift_name("HeapBlocks.count()")));

/// Blocks that the calling thread has asked for since it began: what another thread asks for as it ends, some time after
/// its work, is not in it.
uint64_t heap_blocks_count_here(void) __attribute__((swift_name("HeapBlocks.countHere()")));

/// Whether the count can be believed: asks for a block in each way and sees whether each was counted.
///
/// False if the C library is not glibc. A gate must fail then, not pass with a count that stays at 0.
bool heap_blocks_are_counted(void) __attribute__((swift_name("HeapBlocks.areCounted()")));

/// Bytes of the heap that are in use, those that the system was asked for directly among them. 0 if the C library is
/// not glibc.
size_t heap_blocks_bytes(void) __attribute__((swift_name("HeapBlocks.bytes()")));

#endif
