// All kernels in one form. A file in forms/ includes this once, after it has named its form and what the form has:
//
//     K(name)             the name that `name` has in this form, for types and functions alike
//     K(block), K(mask)   64 bytes in registers, and what comparing them yields: load, equal, at_most, and, or, any, bits
//     K(fold)             masks of many blocks, folded onto each other: fold_of_none, fold_any, fold_odd, fold_is_set, fold_bits
//     K(pairs)            whether a pair of bytes has been seen in any block: no_pairs, note_pair, any_pairs
//     K(parities)         bit n is set if an odd number of the bits up to n is
//     K(note_eight)       writes the offsets of the lowest eight bits, and returns the bits that are left
//
// To add a kernel: its body here, its prototype in include/, a field in bytescan_kernels.h, a line in dispatch.c, and its naive answer
// in Tests/Kernels/kernels.c.

#define KERNEL static

// The lowest of `bits`, of which there is one at least, and all bits below it.
BYTESCAN_INLINE uint64_t K(up_to_lowest)(uint64_t bits) { return bits ^ (bits - 1); }

// The bits themselves, which the optimizer then keeps in a register. It would carry the vector they come from across branches,
// byte by byte, to combine it with another.
BYTESCAN_INLINE uint64_t K(kept)(uint64_t bits) {
    __asm__("" : "+r"(bits));
    return bits;
}

#include "find_byte.h"
#include "mask_lines.h"
#include "measure_line.h"
#include "find_lines.h"
#include "split_attributes.h"
#include "find_uris.h"
#include "find_attribute.h"
#include "find_cues.h"
#include "pass_utf8.h"

const bytescan_form K(form) = {K(find_byte), K(measure_line), K(find_lines), K(split_attributes), K(mask_lines),
                                K(find_uris), K(find_value), K(find_attribute), K(find_cues), K(pass_utf8)};
