// mask_lines: where lines end, where blank ones do, and where `-->` stands.
//   reads     `count` blocks of 64 bytes at `bytes`
//   answers   the masks of each block (bytescan_lines.h), and how many lines end in all of them
//   why       no branch on a byte: four comparisons a block, then shifts of 64 bits
//   oracle    check_lines in Tests/Kernels
KERNEL ptrdiff_t K(mask_lines)(const uint8_t *bytes, ptrdiff_t count, bytescan_block_carry *carry, bytescan_line_masks *masks) {
    ptrdiff_t lines = 0;
    bytescan_block_carry before = *carry;
    for (ptrdiff_t i = 0; i < count; i++) {
        K(block) block = K(load)(bytes + 64 * i);
        masks[i] = bytescan_combine_lines(K(bits)(K(equal)(block, '\n')), K(bits)(K(equal)(block, '\r')),
                                          K(bits)(K(equal)(block, '-')), K(bits)(K(equal)(block, '>')), &before);
        lines += __builtin_popcountll(masks[i].terminators);
    }
    *carry = before;
    return lines;
}
