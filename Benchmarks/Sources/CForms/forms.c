#include "include/forms.h"

#include <string.h>

#if defined(__x86_64__) && defined(__clang__)

// The kernels once more, in the form that no processor lacks, under a name of its own.
#define BYTESCAN_PORTABLE 1
#define bytescan_base_form bytescan_portable_form
#include "../../../Sources/CByteScan/include/bytescan_kernels.h"
#define K(name) bytescan_base_##name
#include "../../../Sources/CByteScan/arch/base.h"
#include "../../../Sources/CByteScan/arch/common.h"
#include "../../../Sources/CByteScan/kernels/kernels.h"

// The library's own, which the headers leave out as they were included here.
extern const bytescan_form *bytescan_chosen_form;

bool forms_force(const char *name) {
    static const char *const names[] = {"sse2", "avx2", "avx512"};
    const bytescan_form *form = NULL;
    if (strcmp(name, "portable") == 0) form = &bytescan_portable_form;
    for (ptrdiff_t index = 0; index < 3; index++) {
        if (strcmp(name, names[index]) == 0) form = bytescan_form_at(index);
    }
    if (form == NULL) return false;
    __atomic_store_n(&bytescan_chosen_form, form, __ATOMIC_RELAXED);
    return true;
}

#else

bool forms_force(const char *name) {
    (void)name;
    return false;
}

#endif
