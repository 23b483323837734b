// Which form of the library's kernels is called, chosen by name instead of by what the processor has: for measuring
// alone.
#ifndef FORMS_H
#define FORMS_H

#include <stdbool.h>

/// Only a name for the function to live under in Swift.
struct KernelForms { char unused; };

/// From now on the kernels of that name are called: `avx512`, `avx2`, `sse2` or `portable`. False if this processor has
/// them not, or there is no such name. To be called before any kernel.
///
/// `portable` is the plain C of all other processors, compiled for this one. What the library does with 64 bytes
/// outside a kernel stays as it is.
bool forms_force(const char *name) __attribute__((swift_name("KernelForms.force(_:)")));

#endif
