// find_cues: cues of SubRip that lie one after the other from `offset`, as long as they are plain in form.
//   reads     whole blocks, the last of them at or before `last`, and 32 bytes after each
//   answers   the cues: as many as there is room for, or as there are before one that needs a closer look, or does not end in the blocks
//   why       a cue's text is mostly one block, which is loaded where the text begins: what ends it, what in it must be looked at, and
//             how its lines begin are masks of that block
//   oracle    naive_find_cues in Tests/Kernels

// The bits of `<b>`, `<i>`, `<u>` and their end tags at which `<` and `>` stand, of those tags that lie whole in the block.
BYTESCAN_INLINE uint64_t K(kept_tags)(K(block) block) {
    uint64_t opening = K(bits)(K(equal)(block, '<')), closing = K(bits)(K(equal)(block, '>'));
    uint64_t slashes = K(bits)(K(equal)(block, '/'));
    uint64_t letters = K(bits)(K(or)(K(or)(K(equal)(block, 'b'), K(equal)(block, 'i')), K(equal)(block, 'u')));
    uint64_t starts = opening & letters >> 1 & closing >> 2, ends = opening & slashes >> 1 & letters >> 2 & closing >> 3;
    return starts | starts << 2 | ends | ends << 3;
}

// Where the blank line after the text at `text` begins; null if that cannot be told, or if a line of it may be no text.
BYTESCAN_INLINE const uint8_t *K(text_end)(const uint8_t *text, const uint8_t *last, bool has_returns, bool *is_special) {
    // Whether the byte before the block is an LF, a CR, or other white space.
    uint64_t feed_before = 1, return_before = 0, white_before = 0;
    for (; text <= last; text += 64) {
        K(block) block = K(load)(text);
        uint64_t feeds = K(bits)(K(equal)(block, '\n')), returns = K(bits)(K(equal)(block, '\r'));
        uint64_t white = K(bits)(K(at_most)(block, ' ')) & ~(feeds | returns);
        uint64_t starts = feeds << 1 | feed_before, ends = has_returns ? returns : feeds;
        uint64_t blanks = ends & starts;
        uint64_t own = blanks == 0 ? UINT64_MAX : K(up_to_lowest)(blanks) >> 1;
        // An LF after each CR and nowhere else, or no CR.
        uint64_t odd = has_returns ? (returns << 1 | return_before) ^ feeds : returns;
        if ((odd & own) != 0) return NULL;
        K(mask) special = K(or)(K(or)(K(equal)(block, '<'), K(equal)(block, '>')), K(or)(K(equal)(block, '&'), K(equal)(block, '{')));
        special = K(or)(special, K(or)(K(equal)(block, '\\'), K(equal)(block, 0)));
        uint64_t specials = (K(bits)(special) | ((white << 1 | white_before) & ends)) & own;
        *is_special |= specials != 0 && (specials & ~K(kept_tags)(block)) != 0;
        // What begins a number or a time is a digit, a hyphen, white space or a byte order mark.
        uint64_t doubts = starts & own & K(bits)(K(or)(K(at_most)(block, '9'), K(equal)(block, 0xEF)));
        for (; doubts != 0; doubts &= doubts - 1) {
            if (!bytescan_begins_text(text + __builtin_ctzll(doubts))) return NULL;
        }
        if (blanks != 0) return text + __builtin_ctzll(blanks);
        feed_before = feeds >> 63;
        return_before = returns >> 63;
        white_before = white >> 63;
    }
    return NULL;
}

KERNEL ptrdiff_t K(find_cues)(const uint8_t *bytes, ptrdiff_t offset, ptrdiff_t last, bytescan_cue_finder *finder) {
    finder->next = offset;
    const uint8_t *start = bytes + offset, *last_block = bytes + last;
    ptrdiff_t count = 0;
    for (; count < bytescan_cues_capacity && start - bytes <= last; count++) {
        ptrdiff_t digits = 0;
        while (digits < 8 && bytescan_is_digit(start[digits])) digits++;
        bool has_returns = start[digits] == '\r';
        const uint8_t *times = start + digits + has_returns + 1;
        if (digits == 0 || times[-1] != '\n' || !bytescan_are_times(times)) break;
        const uint8_t *text = times + 30 + has_returns;
        if (text[-1] != '\n' || (has_returns && text[-2] != '\r')) break;
        bool is_special = false;
        const uint8_t *blank = K(text_end)(text, last_block, has_returns, &is_special);
        if (blank == NULL || blank == text || (has_returns && blank[1] != '\n')) break;
        finder->found[count] = (bytescan_cue){start - bytes, times - bytes, text - bytes, blank - bytes, has_returns, is_special};
        start = blank + 1 + has_returns;
        finder->next = start - bytes;
    }
    return count;
}
