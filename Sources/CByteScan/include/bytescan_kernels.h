// The kernels: loops over whole blocks of 64 bytes, in the best form that the processor has.
//
// A kernel is written once, in kernels/, and compiled once a form, in forms/. On x86-64 there are three forms; the first call of any
// kernel asks the processor which to call (dispatch.c). Through the pointer a call costs two instructions more than by name. Asking
// at each call cost about ten, and a function in between that holds the pointer 17.
#ifndef BYTESCAN_KERNELS_H
#define BYTESCAN_KERNELS_H

#include "bytescan_attributes.h"
#include "bytescan_cues.h"
#include "bytescan_lines.h"
#include "bytescan_playlists.h"
#include "bytescan_uris.h"

/// The first block with a match: where it starts, and bit n for a match at byte n. No bit: there is none, and `start` is
/// where the next block would be.
typedef struct BYTESCAN_NAMED("BlockMatch") {
    ptrdiff_t start;
    uint64_t bits;
} bytescan_match;

/// All kernels in one form.
typedef struct BYTESCAN_NAMED("KernelForm") {
    bytescan_match (*find_byte)(const uint8_t *, ptrdiff_t, ptrdiff_t, uint8_t) BYTESCAN_NAMED("findByte");
    bytescan_measured_line (*measure_line)(const uint8_t *, ptrdiff_t, ptrdiff_t, bytescan_pair) BYTESCAN_NAMED("measureLine");
    ptrdiff_t (*find_lines)(const uint8_t *, ptrdiff_t, ptrdiff_t, bytescan_line_finder *) BYTESCAN_NAMED("findLines");
    void (*split_attributes)(const uint8_t *, ptrdiff_t, ptrdiff_t, ptrdiff_t, bytescan_list_items *)
        BYTESCAN_NAMED("splitAttributes");
    void (*mask_lines)(const uint8_t *, ptrdiff_t, bytescan_block_carry *, bytescan_line_batch *) BYTESCAN_NAMED("maskLines");
    ptrdiff_t (*find_uris)(const uint8_t *, ptrdiff_t, ptrdiff_t, bytescan_uri_finder *) BYTESCAN_NAMED("findURIs");
    bytescan_value (*find_value)(const uint8_t *, ptrdiff_t, ptrdiff_t, bytescan_uri_oddities) BYTESCAN_NAMED("findValue");
    bytescan_found_attribute (*find_attribute)(const uint8_t *, ptrdiff_t, ptrdiff_t, const bytescan_attribute_name *)
        BYTESCAN_NAMED("findAttribute");
    ptrdiff_t (*find_cues)(const uint8_t *, ptrdiff_t, ptrdiff_t, bytescan_cue_finder *) BYTESCAN_NAMED("findCues");
    ptrdiff_t (*pass_utf8)(const uint8_t *, ptrdiff_t, ptrdiff_t) BYTESCAN_NAMED("passUTF8");
} bytescan_form;

/// The form that every processor of the architecture has.
extern const bytescan_form bytescan_base_form;

#if BYTESCAN_X86
extern const bytescan_form bytescan_avx2_form, bytescan_avx512_form;
#endif

/// The forms that this processor has: the one with `index`, the slowest first; null if there are not so many.
const bytescan_form *bytescan_form_at(ptrdiff_t index) BYTESCAN_NAMED("kernelForm(_:)");

#if BYTESCAN_X86
/// The form that is called: until the processor has been asked, one that asks it.
extern const bytescan_form *bytescan_chosen_form;

BYTESCAN_INLINE const bytescan_form *bytescan_best_form(void) {
    return __atomic_load_n(&bytescan_chosen_form, __ATOMIC_RELAXED);
}
#else
BYTESCAN_INLINE const bytescan_form *bytescan_best_form(void) { return &bytescan_base_form; }
#endif

/// Finds the first whole block with `byte`, in steps of 64 from `offset` up to the block that starts at or before `last`.
BYTESCAN_INLINE bytescan_match bytescan_find_byte(const uint8_t *bytes, ptrdiff_t offset, ptrdiff_t last, uint8_t byte)
    BYTESCAN_NAMED("findByte(_:from:last:_:)");
BYTESCAN_INLINE bytescan_match bytescan_find_byte(const uint8_t *bytes, ptrdiff_t offset, ptrdiff_t last, uint8_t byte) {
    return bytescan_best_form()->find_byte(bytes, offset, last, byte);
}

/// Measures the line that starts at `offset`, up to the whole block in which it ends, or the one that starts at or before `last`.
/// As many bytes after the last block are read as the pair's are apart, 12 at most.
BYTESCAN_INLINE bytescan_measured_line bytescan_measure_line(const uint8_t *bytes, ptrdiff_t offset, ptrdiff_t last,
                                                             bytescan_pair pair)
    BYTESCAN_NAMED("measureLine(_:from:last:lookingFor:)");
BYTESCAN_INLINE bytescan_measured_line bytescan_measure_line(const uint8_t *bytes, ptrdiff_t offset, ptrdiff_t last,
                                                             bytescan_pair pair) {
    return bytescan_best_form()->measure_line(bytes, offset, last, pair);
}

/// Finds the lines that begin after line feeds at or after `offset`, and returns how many: as many as the filter allows, or up to
/// the whole block that starts at or before `last`. Up to 32 bytes after that are read.
BYTESCAN_INLINE ptrdiff_t bytescan_find_lines(const uint8_t *bytes, ptrdiff_t offset, ptrdiff_t last, bytescan_line_finder *finder)
    BYTESCAN_NAMED("findLines(_:from:last:_:)");
BYTESCAN_INLINE ptrdiff_t bytescan_find_lines(const uint8_t *bytes, ptrdiff_t offset, ptrdiff_t last, bytescan_line_finder *finder) {
    return bytescan_best_form()->find_lines(bytes, offset, last, finder);
}

/// Splits the attribute list from `start` to `end`: as many items as there is room for, at least one unless nothing is left.
/// No byte from `readable` on is read.
BYTESCAN_INLINE void bytescan_split_attributes(const uint8_t *bytes, ptrdiff_t start, ptrdiff_t end, ptrdiff_t readable,
                                               bytescan_list_items *items)
    BYTESCAN_NAMED("splitAttributes(_:from:to:readable:_:)");
BYTESCAN_INLINE void bytescan_split_attributes(const uint8_t *bytes, ptrdiff_t start, ptrdiff_t end, ptrdiff_t readable,
                                               bytescan_list_items *items) {
    bytescan_best_form()->split_attributes(bytes, start, end, readable, items);
}

/// Adds `count` whole blocks at `bytes` to the batch.
BYTESCAN_INLINE void bytescan_mask_lines(const uint8_t *bytes, ptrdiff_t count, bytescan_block_carry *carry, bytescan_line_batch *batch)
    BYTESCAN_NAMED("maskLines(_:count:_:_:)");
BYTESCAN_INLINE void bytescan_mask_lines(const uint8_t *bytes, ptrdiff_t count, bytescan_block_carry *carry, bytescan_line_batch *batch) {
    bytescan_best_form()->mask_lines(bytes, count, carry, batch);
}

/// Adds a block of which there are `count` bytes, with zeros after them.
BYTESCAN_INLINE void bytescan_mask_rest(const uint8_t *bytes, size_t count, bytescan_block_carry *carry, bytescan_line_batch *batch)
    BYTESCAN_NAMED("maskRest(_:count:_:_:)");
BYTESCAN_INLINE void bytescan_mask_rest(const uint8_t *bytes, size_t count, bytescan_block_carry *carry, bytescan_line_batch *batch) {
    uint8_t padded[64] = {0};
    __builtin_memcpy(padded, bytes, count);
    bytescan_best_form()->mask_lines(padded, 1, carry, batch);
}

/// Finds the URI lines, and the lines of tags that may matter, that begin after line feeds at or after `offset`, and returns how many: as
/// many as the finder's capacity, or up to the whole block that starts at or before `last`. Up to 32 bytes after that are read.
BYTESCAN_INLINE ptrdiff_t bytescan_find_uris(const uint8_t *bytes, ptrdiff_t offset, ptrdiff_t last, bytescan_uri_finder *finder)
    BYTESCAN_NAMED("findURIs(_:from:last:_:)");
BYTESCAN_INLINE ptrdiff_t bytescan_find_uris(const uint8_t *bytes, ptrdiff_t offset, ptrdiff_t last, bytescan_uri_finder *finder) {
    return bytescan_best_form()->find_uris(bytes, offset, last, finder);
}

/// Finds the URI in the attribute `URI` of the list that begins at the colon at `start`, and the end of its line. Whole blocks are read up
/// to the one that starts at or before `last`, and 32 bytes after that.
BYTESCAN_INLINE bytescan_value bytescan_find_value(const uint8_t *bytes, ptrdiff_t start, ptrdiff_t last, bytescan_uri_oddities oddities)
    BYTESCAN_NAMED("findValue(_:from:last:_:)");
BYTESCAN_INLINE bytescan_value bytescan_find_value(const uint8_t *bytes, ptrdiff_t start, ptrdiff_t last, bytescan_uri_oddities oddities) {
    return bytescan_best_form()->find_value(bytes, start, last, oddities);
}

/// Finds the attribute `name` in the list that begins at the colon at `start`, and the end of its line. Whole blocks are read up to the
/// one that starts at or before `last`, and 32 bytes after that.
BYTESCAN_INLINE bytescan_found_attribute bytescan_find_attribute(const uint8_t *bytes, ptrdiff_t start, ptrdiff_t last,
                                                                 const bytescan_attribute_name *name)
    BYTESCAN_NAMED("findAttribute(_:from:last:_:)");
BYTESCAN_INLINE bytescan_found_attribute bytescan_find_attribute(const uint8_t *bytes, ptrdiff_t start, ptrdiff_t last,
                                                                 const bytescan_attribute_name *name) {
    return bytescan_best_form()->find_attribute(bytes, start, last, name);
}

/// Finds the cues of SubRip that lie one after the other from `offset` and are plain in form, and returns how many: as many as there is room
/// for, or up to the whole block that starts at or before `last`. Up to 32 bytes after that are read.
BYTESCAN_INLINE ptrdiff_t bytescan_find_cues(const uint8_t *bytes, ptrdiff_t offset, ptrdiff_t last, bytescan_cue_finder *finder)
    BYTESCAN_NAMED("findCues(_:from:last:_:)");
BYTESCAN_INLINE ptrdiff_t bytescan_find_cues(const uint8_t *bytes, ptrdiff_t offset, ptrdiff_t last, bytescan_cue_finder *finder) {
    return bytescan_best_form()->find_cues(bytes, offset, last, finder);
}

/// Passes over UTF-8 from `offset`, where a character begins, up to `end`, and returns where the first character begins that has four bytes,
/// or is none, or is not whole.
static inline ptrdiff_t bytescan_pass_utf8(const uint8_t *bytes, ptrdiff_t offset, ptrdiff_t end) BYTESCAN_NAMED("passUTF8(_:from:to:)");
static inline ptrdiff_t bytescan_pass_utf8(const uint8_t *bytes, ptrdiff_t offset, ptrdiff_t end) {
    ptrdiff_t passed = bytescan_best_form()->pass_utf8(bytes, offset, end - 64);
    // A character that did not end in the blocks may have left as many bytes as one has.
    if (end - passed >= 64) passed = bytescan_best_form()->pass_utf8(bytes, passed, end - 64);
    if (end - passed >= 64) return passed;
    uint8_t padded[64] = {0};
    __builtin_memcpy(padded, bytes + passed, (size_t)(end - passed));
    ptrdiff_t rest = bytescan_best_form()->pass_utf8(padded, 0, 0);
    return rest < end - passed ? passed + rest : end;
}

#endif
