// Which form of the kernels is called.
//
// Elsewhere than on x86-64 there is one. There the processor is asked once, by the first call of any kernel. Two threads may do so
// at the same time, and find the same.
#include "bytescan_forms.h"

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

static const bytescan_form *chosen;

static __attribute__((noinline, cold)) const bytescan_form *choose(void) {
    const bytescan_form *form = &bytescan_base_form, *better;
    for (ptrdiff_t index = 1; (better = bytescan_form_at(index)) != NULL; index++) form = better;
    __atomic_store_n(&chosen, form, __ATOMIC_RELAXED);
    return form;
}

BYTESCAN_INLINE const bytescan_form *best_form(void) {
    const bytescan_form *form = __atomic_load_n(&chosen, __ATOMIC_RELAXED);
    return __builtin_expect(form != NULL, true) ? form : choose();
}

#else

const bytescan_form *bytescan_form_at(ptrdiff_t index) { return index == 0 ? &bytescan_base_form : NULL; }
BYTESCAN_INLINE const bytescan_form *best_form(void) { return &bytescan_base_form; }

#endif

bytescan_match bytescan_find_byte(const uint8_t *bytes, ptrdiff_t offset, ptrdiff_t last, uint8_t byte) {
    return best_form()->find_byte(bytes, offset, last, byte);
}
bytescan_line_match bytescan_measure_line(const uint8_t *bytes, ptrdiff_t offset, ptrdiff_t last, bytescan_pair probe) {
    return best_form()->measure_line(bytes, offset, last, probe);
}
ptrdiff_t bytescan_walk_lines(const uint8_t *bytes, ptrdiff_t offset, ptrdiff_t last, bytescan_line_walk *walk) {
    return best_form()->walk_lines(bytes, offset, last, walk);
}
void bytescan_split_attributes(const uint8_t *bytes, ptrdiff_t start, ptrdiff_t end, ptrdiff_t readable,
                               bytescan_list_items *items) {
    best_form()->split_attributes(bytes, start, end, readable, items);
}
ptrdiff_t bytescan_mask_lines(const uint8_t *bytes, ptrdiff_t count, bytescan_block_carry *carry, bytescan_line_masks *masks) {
    return best_form()->mask_lines(bytes, count, carry, masks);
}
