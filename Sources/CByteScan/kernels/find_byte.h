// find_byte: the first block of 64 bytes that holds `byte`.
//   reads     whole blocks from `offset`, the last of them at or before `last`
//   answers   the block's offset and one bit a match; no bits, and where the next block would be, if there is none
//   why       one branch a block, and no address that depends on an answer
//   oracle    naive_find in Tests/Kernels
KERNEL bytescan_match K(find_byte)(const uint8_t *bytes, ptrdiff_t offset, ptrdiff_t last, uint8_t byte) {
    for (; offset <= last; offset += 64) {
        K(mask) matches = K(equal)(K(load)(bytes + offset), byte);
        if (K(any)(matches)) return (bytescan_match){offset, K(bits)(matches)};
    }
    return (bytescan_match){offset, 0};
}
