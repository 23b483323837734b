// Every form of the kernels: for the dispatch, and for those who compare the forms with each other.
#ifndef BYTESCAN_FORMS_H
#define BYTESCAN_FORMS_H

#include "bytescan_attributes.h"
#include "bytescan_lines.h"
#include "bytescan_playlists.h"
#include "bytescan_search.h"

/// All kernels in one form.
typedef struct BYTESCAN_NAMED("KernelForm") {
    bytescan_match (*find_byte)(const uint8_t *, ptrdiff_t, ptrdiff_t, uint8_t) BYTESCAN_NAMED("findByte");
    bytescan_line_match (*measure_line)(const uint8_t *, ptrdiff_t, ptrdiff_t, bytescan_pair) BYTESCAN_NAMED("measureLine");
    ptrdiff_t (*walk_lines)(const uint8_t *, ptrdiff_t, ptrdiff_t, bytescan_line_walk *) BYTESCAN_NAMED("walkLines");
    void (*split_attributes)(const uint8_t *, ptrdiff_t, ptrdiff_t, ptrdiff_t, bytescan_list_items *)
        BYTESCAN_NAMED("splitAttributes");
    ptrdiff_t (*mask_lines)(const uint8_t *, ptrdiff_t, bytescan_block_carry *, bytescan_line_masks *) BYTESCAN_NAMED("maskLines");
} bytescan_form;

/// The form that every processor of the architecture has.
extern const bytescan_form bytescan_base_form;

#if BYTESCAN_X86
extern const bytescan_form bytescan_avx2_form, bytescan_avx512_form;
#endif

/// The forms that this processor has: the one with `index`, the slowest first; null if there are not so many.
const bytescan_form *bytescan_form_at(ptrdiff_t index) BYTESCAN_NAMED("kernelForm(_:)");

#endif
