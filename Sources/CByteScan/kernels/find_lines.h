// The end of a line that is plain so far as its quotes and the probe tell, up to the line feed at `feed`; null if it is none after
// all.
BYTESCAN_INLINE const uint8_t *K(plain_end)(const uint8_t *start, const uint8_t *feed, const bytescan_line_walk *walk) {
    if ((size_t)(feed - start - walk->shortest) > walk->span) return NULL;
    if (feed[-1] > ' ') return feed;
    return feed[-1] == '\r' && feed[-2] > ' ' ? feed - 1 : NULL;
}

// The blocks lie on a grid, whatever lines they hold, so that the address of none of them hangs on what stands in another: the
// processor is then many blocks ahead of the answers. Of a sign the second byte is looked for first: it is rarer than a line feed.
KERNEL ptrdiff_t K(walk_lines)(const uint8_t *bytes, ptrdiff_t offset, ptrdiff_t last, bytescan_line_walk *walk) {
    walk->next = offset;
    if (offset > last) return 0;
    const bytescan_pair sign = walk->interest.sign, probe = walk->probe;
    const uint8_t *block = bytes + offset, *last_block = bytes + last;
    bytescan_met_line *met = walk->lines, *room = met + walk->interest.room;
    for (; block <= last_block; block += 64) {
        K(mask) signs = K(equal)(K(load)(block + bytescan_pair_distance(sign)), bytescan_pair_second(sign));
        if (!K(any)(signs)) continue;
        uint64_t feeds = K(bits)(K(equal)(K(load)(block), '\n'));
        uint64_t signed_feeds = feeds & K(kept)(K(bits)(signs));
        while (signed_feeds != 0) {
            int place = __builtin_ctzll(signed_feeds);
            const uint8_t *start = block + place + 1;
            signed_feeds &= signed_feeds - 1;
            bytescan_look look = bytescan_look_at(start, walk);
            if (look == bytescan_line_ignored) continue;
            if (look == bytescan_line_passed) {
                walk->interest = walk->passing;
                room = walk->lines + walk->interest.room;
            }
            if (met >= room) {
                walk->next = start - 1 - bytes;
                return met - walk->lines;
            }
            met->start = start - bytes;
            met->end = look == bytescan_line_passed ? -1 : 0;
            if (look == bytescan_line_plain) {
                K(measured) line = K(measure_part)(block, feeds, ~UINT64_C(1) << place, last_block, probe);
                if (line.feeds == 0) {
                    walk->next = line.block - bytes;
                    return met + 1 - walk->lines;
                }
                if (line.block != block) {
                    block = line.block;
                    feeds = line.feeds;
                    K(block) behind = K(load)(block + bytescan_pair_distance(sign));
                    signed_feeds = feeds & K(bits)(K(equal)(behind, bytescan_pair_second(sign)));
                }
                if (!line.may_hold_probe && !line.has_odd_quotes) {
                    const uint8_t *end = K(plain_end)(start, block + __builtin_ctzll(line.feeds), walk);
                    if (end != NULL) met->end = end - bytes;
                }
            }
            met++;
        }
    }
    walk->next = block - bytes;
    return met - walk->lines;
}
