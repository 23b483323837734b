// Which form of the kernels is called.
//
// Elsewhere than on x86-64 there is one. There the processor is asked once, by the first call of any kernel. Two threads may do so
// at the same time, and find the same.
#include "bytescan_kernels.h"

#if BYTESCAN_X86

static bool has_avx2(void) {
    return __builtin_cpu_supports("avx2") && __builtin_cpu_supports("bmi") && __builtin_cpu_supports("bmi2") &&
           __builtin_cpu_supports("pclmul") && __builtin_cpu_supports("popcnt");
}
static bool has_avx512(void) {
    return has_avx2() && __builtin_cpu_supports("avx512bw") && __builtin_cpu_supports("avx512vbmi2");
}

const bytescan_form *bytescan_form_at(ptrdiff_t index) {
    // A constructor may call a kernel before the compiler's own has asked the processor.
    __builtin_cpu_init();
    if (index == 0) return &bytescan_base_form;
    if (index == 1 && has_avx2()) return &bytescan_avx2_form;
    if (index == 2 && has_avx512()) return &bytescan_avx512_form;
    return NULL;
}

static const bytescan_form *choose(void) {
    const bytescan_form *form = &bytescan_base_form, *better;
    for (ptrdiff_t index = 1; (better = bytescan_form_at(index)) != NULL; index++) form = better;
    __atomic_store_n(&bytescan_chosen_form, form, __ATOMIC_RELAXED);
    return form;
}

// The form that asks: each of its kernels chooses, and calls the one that was chosen.
static bytescan_match ask_find_byte(const uint8_t *bytes, ptrdiff_t offset, ptrdiff_t last, uint8_t byte) {
    return choose()->find_byte(bytes, offset, last, byte);
}
static bytescan_measured_line ask_measure_line(const uint8_t *bytes, ptrdiff_t offset, ptrdiff_t last, bytescan_pair pair) {
    return choose()->measure_line(bytes, offset, last, pair);
}
static ptrdiff_t ask_find_lines(const uint8_t *bytes, ptrdiff_t offset, ptrdiff_t last, bytescan_line_finder *finder) {
    return choose()->find_lines(bytes, offset, last, finder);
}
static void ask_split_attributes(const uint8_t *bytes, ptrdiff_t start, ptrdiff_t end, ptrdiff_t readable,
                                 bytescan_list_items *items) {
    choose()->split_attributes(bytes, start, end, readable, items);
}
static void ask_mask_lines(const uint8_t *bytes, ptrdiff_t count, bytescan_block_carry *carry, bytescan_line_batch *batch) {
    choose()->mask_lines(bytes, count, carry, batch);
}
static ptrdiff_t ask_find_uris(const uint8_t *bytes, ptrdiff_t offset, ptrdiff_t last, bytescan_uri_finder *finder) {
    return choose()->find_uris(bytes, offset, last, finder);
}
static bytescan_value ask_find_value(const uint8_t *bytes, ptrdiff_t start, ptrdiff_t last, bytescan_uri_oddities oddities) {
    return choose()->find_value(bytes, start, last, oddities);
}
static bytescan_found_attribute ask_find_attribute(const uint8_t *bytes, ptrdiff_t start, ptrdiff_t last,
                                                   const bytescan_attribute_name *name) {
    return choose()->find_attribute(bytes, start, last, name);
}
static ptrdiff_t ask_find_cues(const uint8_t *bytes, ptrdiff_t offset, ptrdiff_t last, bytescan_cue_finder *finder) {
    return choose()->find_cues(bytes, offset, last, finder);
}
static ptrdiff_t ask_pass_utf8(const uint8_t *bytes, ptrdiff_t offset, ptrdiff_t last) { return choose()->pass_utf8(bytes, offset, last); }
static const bytescan_form asking = {ask_find_byte, ask_measure_line, ask_find_lines,     ask_split_attributes, ask_mask_lines,
                                     ask_find_uris, ask_find_value,   ask_find_attribute, ask_find_cues,        ask_pass_utf8};

const bytescan_form *bytescan_chosen_form = &asking;

#else

const bytescan_form *bytescan_form_at(ptrdiff_t index) { return index == 0 ? &bytescan_base_form : NULL; }

#endif
