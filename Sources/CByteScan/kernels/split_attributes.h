// split_attributes: the items of an attribute list, `NAME=VALUE,NAME="VALUE"`.
//   reads     [start, end), and what else of its blocks is before `readable`
//   answers   of each item its first `=` and its end, 11 items at most; whether all are plain; whether a quote is left open
//   why       a list of plain items costs no branch an item: `=` and commas take turns in it, so their offsets, written eight
//             at a time, already are the items. Any other list is split item by item.
//   oracle    naive_split in Tests/Kernels

// Splits a list of plain items, and tells whether it is one.
BYTESCAN_INLINE bool K(split_plain)(const uint8_t *bytes, ptrdiff_t start, ptrdiff_t end, bytescan_list_items *items) {
    ptrdiff_t *offsets = (ptrdiff_t *)items->items;
    ptrdiff_t count = 0;
    uint64_t inside_before = 0, has_value_before = 0;
    for (ptrdiff_t offset = start; offset < end; offset += 64) {
        uint64_t listed = end - offset < 64 ? (UINT64_C(1) << (end - offset)) - 1 : UINT64_MAX;
        K(block) block = K(load)(bytes + offset);
        uint64_t inside = K(parities)(K(bits)(K(equal)(block, '"')) & listed) ^ inside_before;
        uint64_t outside = listed & ~inside;
        uint64_t equals = K(bits)(K(equal)(block, '=')) & outside;
        uint64_t commas = K(bits)(K(equal)(block, ',')) & outside;
        uint64_t white = K(bits)(K(at_most)(block, ' ')) & outside;
        // The values, each from its `=` on: they are subtracted from the commas after them. If two of a kind follow each other,
        // one of them is on the wrong side.
        uint64_t values = commas - equals - has_value_before;
        uint64_t both = commas | equals;
        if (((both & values) ^ equals) != 0 || white != 0) return false;
        ptrdiff_t found = __builtin_popcountll(both);
        if (count + found >= 2 * bytescan_items_capacity) {
            if (count < 2) return false;
            items->count = count / 2;
            return true;
        }
        inside_before = -(inside >> 63);
        has_value_before = values >> 63;
        // Eight are noted at a time, whether there are so many or not: most blocks have some, and few have more.
        for (ptrdiff_t i = 0; i < found; i += 8) both = K(note_eight)(offsets + count + i, offset, both);
        count += found;
    }
    if (inside_before != 0 || count % 2 == 0) return false;
    offsets[count] = end;
    items->count = count / 2 + 1;
    return true;
}

// Splits any list. What an item carries over from one block to the next is the offset of its `=`.
BYTESCAN_INLINE void K(split_any)(const uint8_t *bytes, ptrdiff_t start, ptrdiff_t end, ptrdiff_t readable, bytescan_list_items *items) {
    ptrdiff_t count = 0;
    ptrdiff_t equals_before = PTRDIFF_MAX;
    uint64_t inside_before = 0;
    for (ptrdiff_t offset = start; offset < end; offset += 64) {
        // If fewer than 64 bytes are left, the last 64 are looked at, and those before the block shifted out.
        ptrdiff_t first_byte = offset + 64 <= readable ? offset : readable - 64;
        int shift = (int)(offset - first_byte);
        K(block) block = K(load)(bytes + first_byte);
        uint64_t inside = K(parities)(K(bits)(K(equal)(block, '"')) >> shift) ^ inside_before;
        uint64_t commas = K(bits)(K(equal)(block, ',')) >> shift & ~inside;
        uint64_t equals = K(bits)(K(equal)(block, '=')) >> shift & ~inside;
        inside_before = -(inside >> 63);
        ptrdiff_t left = end - offset;
        if (left <= 64) {
            // The end of the list is one more comma, even inside quotes.
            uint64_t last = left < 64 ? UINT64_C(1) << left : 0;
            commas = (commas & (last - 1)) | last;
            items->ends_inside_quotes = inside >> (left - 1) & 1;
        }
        for (; commas != 0; commas &= commas - 1) {
            uint64_t own = K(up_to_lowest)(commas);
            ptrdiff_t first = offset + __builtin_ctzll((equals & own) | (commas & -commas));
            if (equals_before < first) first = equals_before;
            items->items[count++] = (bytescan_list_item){first, offset + __builtin_ctzll(commas)};
            if (count == bytescan_items_capacity) {
                items->count = count;
                return;
            }
            equals_before = PTRDIFF_MAX;
            equals &= ~own;
        }
        if (equals != 0 && equals_before == PTRDIFF_MAX) equals_before = offset + __builtin_ctzll(equals);
        if (left == 64) items->items[count++] = (bytescan_list_item){equals_before < end ? equals_before : end, end};
    }
    items->count = count;
}

KERNEL void K(split_attributes)(const uint8_t *, ptrdiff_t, ptrdiff_t, ptrdiff_t, bytescan_list_items *);

// Splits a list of which fewer than 64 bytes can be read.
static __attribute__((noinline)) void K(split_short)(const uint8_t *bytes, ptrdiff_t start, ptrdiff_t end, ptrdiff_t readable,
                                                     bytescan_list_items *items) {
    uint8_t padded[64] = {0};
    __builtin_memcpy(padded, bytes, (size_t)readable);
    K(split_attributes)(padded, start, end, sizeof padded, items);
}

KERNEL void K(split_attributes)(const uint8_t *bytes, ptrdiff_t start, ptrdiff_t end, ptrdiff_t readable,
                                bytescan_list_items *items) {
    if (readable < 64) {
        K(split_short)(bytes, start, end, readable, items);
        return;
    }
    bool has_whole_blocks = start + ((end - start + 63) & -64) <= readable;
    items->ends_inside_quotes = false;
    items->are_plain = has_whole_blocks && K(split_plain)(bytes, start, end, items);
    if (!items->are_plain) K(split_any)(bytes, start, end, readable, items);
}
