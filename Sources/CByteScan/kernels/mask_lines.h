// mask_lines: where lines end, where blank ones do, and where `-->` stands.
//   reads     `count` blocks of 64 bytes at `bytes`
//   answers   the batch with these blocks after those it has (bytescan_lines.h); there must be room for them
//   why       no branch on a byte: four comparisons a block, then shifts of 64 bits. A block has seldom more than two marks
//   oracle    check_lines in Tests/Kernels
KERNEL void K(mask_lines)(const uint8_t *bytes, ptrdiff_t count, bytescan_block_carry *carry, bytescan_line_batch *batch) {
    bytescan_block_carry before = *carry;
    bytescan_line_masks *masks = batch->masks + batch->block_count;
    uint16_t *marks = batch->marks + batch->mark_count;
    ptrdiff_t offset = 64 * batch->block_count, lines = batch->line_count;
    uint64_t all_returns = batch->returns, oddities = batch->oddities;
    for (ptrdiff_t i = 0; i < count; i++, offset += 64) {
        K(block) block = K(load)(bytes + 64 * i);
        uint64_t feeds = K(bits)(K(equal)(block, '\n')), returns = K(bits)(K(equal)(block, '\r'));
        all_returns |= returns;
        oddities |= feeds ^ (returns << 1 | before.returns >> 63);
        masks[i] = bytescan_combine_lines(feeds, returns, K(bits)(K(equal)(block, '-')), K(bits)(K(equal)(block, '>')), &before);
        lines += __builtin_popcountll(masks[i].terminators);
        uint64_t bits = masks[i].blanks | masks[i].arrows;
        // Two are written, needed or not. A bit that is never the lowest makes up for none.
        uint16_t *next = marks;
        marks += __builtin_popcountll(bits);
        for (int mark = 0; mark < 2; mark++, bits &= bits - 1) {
            *next++ = (uint16_t)(offset + __builtin_ctzll(bits | UINT64_C(1) << 63));
        }
        for (; bits != 0; bits &= bits - 1) *next++ = (uint16_t)(offset + __builtin_ctzll(bits));
    }
    masks[count].terminators = 0;
    batch->block_count += count;
    batch->mark_count = marks - batch->marks;
    batch->line_count = lines;
    batch->returns = all_returns;
    batch->oddities = oddities;
    *carry = before;
}
