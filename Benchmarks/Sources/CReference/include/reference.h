// The work that the library is measured against, in the same process and on the same bytes.
//
// These are what a C programmer writes who needs the job done once: the C library's own vectorised memmem, memchr and
// memcpy, and nothing clever around them. Every function returns a number that depends on all the work, and none can be
// hoisted out of a loop or dropped, because it cannot be seen into from Swift (see also reference_keep).
#ifndef REFERENCE_H
#define REFERENCE_H

#include <stddef.h>
#include <stdint.h>

/// Only a name for the functions to live under in Swift.
struct Reference { char unused; };

/// Copies a playlist to `output` with `,SUBTITLES="subs"` put at the end of every EXT-X-STREAM-INF line.
///
/// Blind: it looks for no attribute that is there already, minds no quotes and checks no first line. Returns how many
/// bytes it wrote, or 0 if `capacity` is too small.
size_t reference_blind_edit(const void *bytes, size_t count, void *output, size_t capacity)
    __attribute__((swift_name("Reference.blindEdit(_:_:into:_:)")));

/// Finds the end of every line with memchr. Returns the number of lines, mixed with where they end.
uint64_t reference_lines(const void *bytes, size_t count) __attribute__((swift_name("Reference.lines(_:_:)")));

/// Copies the bytes, by one memcpy. Returns a byte of the copy.
uint64_t reference_copy(const void *bytes, size_t count, void *output)
    __attribute__((swift_name("Reference.copy(_:_:into:)")));

/// Makes the compiler believe that the memory at `bytes` is read and changed here.
void reference_keep(const void *bytes) __attribute__((swift_name("Reference.keep(_:)")));

#endif
