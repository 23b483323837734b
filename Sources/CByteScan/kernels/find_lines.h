// find_lines: the lines that a filter names, with the ends of those that are simple.
//   reads     whole blocks from `offset`, the last of them at or before `last`, and 32 bytes after each
//   answers   the lines, in order, and where to go on: after the last block, or at the line feed before a line too many
//   why       the blocks lie on a grid, whatever lines they hold, so that the address of none depends on what stands in another:
//             the processor is many blocks ahead of the answers. Of an anchor the second byte is looked for first: it is rarer
//             than a line feed. A line that may be simple is measured at once, and its end comes with the blocks.
//   oracle    naive_find_lines in Tests/Kernels

// The end of a line that is simple as far as its quotes and the pair tell, up to the line feed at `feed`; null if it is not simple.
BYTESCAN_INLINE const uint8_t *K(simple_end)(const uint8_t *start, const uint8_t *feed, const bytescan_line_finder *finder) {
    if ((size_t)(feed - start - finder->shortest) > finder->span) return NULL;
    if (feed[-1] > ' ') return feed[-1] != ',' ? feed : NULL;
    return feed[-1] == '\r' && feed[-2] > ' ' && feed[-2] != ',' ? feed - 1 : NULL;
}

KERNEL ptrdiff_t K(find_lines)(const uint8_t *bytes, ptrdiff_t offset, ptrdiff_t last, bytescan_line_finder *finder) {
    finder->next = offset;
    if (offset > last) return 0;
    const bytescan_pair anchor = finder->filter.anchor, pair = finder->pair;
    // Read once where it has room in registers: for all that the compiler knows, what is found is written over it.
    const bytescan_prefix copy = finder->simple, *simple = K(holds_prefix) ? &copy : &finder->simple;
    const uint8_t *block = bytes + offset, *last_block = bytes + last;
    bytescan_found_line *found = finder->lines, *limit = found + finder->filter.capacity;
    for (; block <= last_block; block += 64) {
        K(mask) seconds = K(equal)(K(load)(block + bytescan_pair_distance(anchor)), bytescan_pair_second(anchor));
        if (!K(any)(seconds)) continue;
        uint64_t feeds = K(bits)(K(equal)(K(load)(block), '\n'));
        uint64_t anchors = feeds & K(kept)(K(bits)(seconds));
        while (anchors != 0) {
            int place = __builtin_ctzll(anchors);
            const uint8_t *start = block + place + 1;
            anchors &= anchors - 1;
            bytescan_look look = bytescan_look_at(start, simple, finder->skipped, &finder->filter);
            if (look == bytescan_line_ignored) continue;
            if (look == bytescan_line_switching) {
                finder->filter = finder->successor;
                limit = finder->lines + finder->filter.capacity;
            }
            if (found >= limit) {
                finder->next = start - 1 - bytes;
                return found - finder->lines;
            }
            found->start = start - bytes;
            found->end = look == bytescan_line_switching ? bytescan_end_switching : 0;
            if (look == bytescan_line_simple) {
                K(measured) line = K(measure_part)(block, feeds, ~UINT64_C(1) << place, last_block, pair);
                if (line.feeds == 0) {
                    found->end = bytescan_end_beyond;
                    finder->next = line.block - bytes;
                    return found + 1 - finder->lines;
                }
                if (line.block != block) {
                    block = line.block;
                    feeds = line.feeds;
                    K(block) after = K(load)(block + bytescan_pair_distance(anchor));
                    anchors = feeds & K(bits)(K(equal)(after, bytescan_pair_second(anchor)));
                }
                if (!line.may_contain && !line.has_odd_quotes) {
                    const uint8_t *end = K(simple_end)(start, block + __builtin_ctzll(line.feeds), finder);
                    if (end != NULL) found->end = end - bytes;
                }
            }
            found++;
        }
    }
    finder->next = block - bytes;
    return found - finder->lines;
}
