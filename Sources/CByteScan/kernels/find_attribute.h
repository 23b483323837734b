// find_attribute: where a named attribute stands in the attribute list of a tag, and where the list and the line end.
//   reads     whole blocks from the colon at `start`, the last of them at or before `last`, and 32 bytes after each
//   answers   whether the attribute is there, once and with a value; where that stands. Or that the list is odd: white space stands in
//             it outside quotes, a quote is left open, the name stands there twice or without a value, or the line does not end
//             in the blocks
//   why       of a name the first and the last byte are looked for, and the comma before it, in all 64 places at once. What
//             stands in the list besides costs nothing
//   oracle    naive_find_attribute in Tests/Kernels

KERNEL bytescan_found_attribute K(find_attribute)(const uint8_t *bytes, ptrdiff_t start, ptrdiff_t last,
                                                  const bytescan_attribute_name *name) {
    bytescan_found_attribute found = {start, start, start, start, bytescan_attribute_odd};
    const ptrdiff_t count = name->count;
    uint64_t inside_before = 0;
    bool is_found = false, is_open = false;
    // The colon before the list stands for a comma.
    uint64_t colon = 1;
    for (ptrdiff_t offset = start; offset <= last; offset += 64) {
        const uint8_t *place = bytes + offset;
        K(block) block = K(load)(place);
        K(mask) names = K(and)(K(equal)(K(load)(place + 1), name->first), K(equal)(K(load)(place + count), name->last));
        uint64_t commas = K(bits)(K(equal)(block, ',')) | colon, quotes = K(bits)(K(equal)(block, '"'));
        uint64_t white = K(kept)(K(bits)(K(at_most)(block, ' '))), feeds = 0, own = UINT64_MAX;
        if (white != 0) {
            feeds = K(bits)(K(equal)(block, '\n'));
            if (feeds != 0) own = K(up_to_lowest)(feeds) >> 1;
        }
        uint64_t inside = K(parities)(quotes & own) ^ inside_before;
        commas &= own & ~inside;
        colon = 0;
        uint64_t after = is_open ? UINT64_MAX : 0;
        for (uint64_t heads = K(bits)(names) & commas; heads != 0; heads &= heads - 1) {
            const uint8_t *item = place + __builtin_ctzll(heads) + 1;
            if (!bytescan_has_prefix(item, &name->prefix)) continue;
            if (item[count] != '=') {
                if (item[count] == ',' || item[count] <= ' ') return found;
                continue;
            }
            if (is_found) return found;
            is_found = is_open = true;
            found.value = item - bytes + count + 1;
            after = ~((heads & -heads) | ((heads & -heads) - 1));
        }
        if (is_open && (commas & after) != 0) {
            found.stop = offset + __builtin_ctzll(commas & after);
            is_open = false;
        }
        if (feeds != 0) {
            ptrdiff_t end = offset + __builtin_ctzll(feeds);
            found.line_end = end;
            if (own != 0 && bytes[end - 1] == '\r') {
                own >>= 1;
                end--;
            }
            if ((white & own & ~inside) != 0 || inside >> 63 != 0) return found;
            found.list_end = end;
            if (is_open) found.stop = end;
            found.state = is_found ? bytescan_attribute_there : bytescan_attribute_absent;
            return found;
        }
        if ((white & ~inside) != 0) return found;
        inside_before = -(inside >> 63);
    }
    return found;
}
