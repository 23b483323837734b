// pass_utf8: how far a text is UTF-8 whose characters have three bytes at most.
//   reads     whole blocks from `offset`, where a character begins, the last of them at or before `last`
//   answers   the first character of four bytes, or that is none, or that does not end in the blocks; where the next block would be if
//             there is none
//   why       which bytes begin characters of how many bytes, and so which have to go on with one, are masks of a block: no branch
//             depends on where one character ends and another begins
//   oracle    naive_pass_utf8 in Tests/Kernels

// Where the character begins to which `bytes` has come, of which `expected` tells whether it goes on there.
BYTESCAN_INLINE ptrdiff_t K(character_start)(const uint8_t *bytes, ptrdiff_t offset, bool expected) {
    return !expected ? offset : bytes[offset - 1] >= 0xC0 ? offset - 1 : offset - 2;
}

KERNEL ptrdiff_t K(pass_utf8)(const uint8_t *bytes, ptrdiff_t offset, ptrdiff_t last) {
    // What the block before leaves over: which bytes go on with its last character, and whether it ends in 0xE0, or 0xED.
    uint64_t expected_before = 0, e0_before = 0, ed_before = 0;
    for (; offset <= last; offset += 64) {
        K(block) block = K(load)(bytes + offset);
        uint64_t ascii = K(kept)(K(bits)(K(at_most)(block, 0x7F)));
        if (ascii == UINT64_MAX && expected_before == 0) continue;
        uint64_t below_c0 = K(kept)(K(bits)(K(at_most)(block, 0xBF))), below_c2 = K(kept)(K(bits)(K(at_most)(block, 0xC1)));
        uint64_t below_e0 = K(kept)(K(bits)(K(at_most)(block, 0xDF))), below_f0 = K(kept)(K(bits)(K(at_most)(block, 0xEF)));
        uint64_t e0 = K(kept)(K(bits)(K(equal)(block, 0xE0))), ed = K(kept)(K(bits)(K(equal)(block, 0xED)));
        uint64_t low = K(kept)(K(bits)(K(at_most)(block, 0x9F)));
        uint64_t twos = below_e0 & ~below_c2, threes = below_f0 & ~below_e0;
        uint64_t expected = (twos | threes) << 1 | threes << 2 | expected_before;
        // An overlong form of two bytes; of three; a surrogate; more than three bytes.
        uint64_t odd = (below_c2 & ~below_c0) | ((e0 << 1 | e0_before) & low) | ((ed << 1 | ed_before) & ~low) | ~below_f0;
        odd |= expected ^ (below_c0 & ~ascii);
        if (odd != 0) {
            int place = __builtin_ctzll(odd);
            return K(character_start)(bytes, offset + place, expected >> place & 1);
        }
        expected_before = (twos | threes) >> 63 | threes >> 62;
        e0_before = e0 >> 63;
        ed_before = ed >> 63;
    }
    return K(character_start)(bytes, offset, expected_before & 1);
}
