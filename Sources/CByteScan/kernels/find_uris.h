// find_uris: the lines of a playlist's URIs, judged, and the lines of tags that may matter.
//   reads     whole blocks from `offset`, the last of them at or before `last`, and 32 bytes after each; whole blocks from the beginning
//             of each URI, the last of them at or before `last`
//   answers   the lines, in order, and where to go on, as find_lines does. A tag's line is an odd one, and so is a line whose end is not
//             in the blocks
//   why       most URIs have at most 64 bytes, which are loaded where the URI begins: masks need no shifting, and what is found out of
//             one line hangs on no other
//   oracle    naive_find_uris in Tests/Kernels
//
// find_value: the URI in the attribute `URI` of a line's list, judged, and where the line ends.
//   reads     whole blocks from `start`, the last of them at or before `last`, and 32 bytes after each
//   answers   the URI; an odd one also if a quote is left open, if white space stands before the attribute, or it has no value, or one that
//             is not in quotes: whether the list has another of that name is not seen at a glance then. A line that does not end in the
//             blocks has an odd one, and ends where it starts
//   oracle    naive_find_value in Tests/Kernels

// What 64 bytes of a URI say: where it may stop, which bytes no plain one has, and its delimiters.
typedef struct {
    uint64_t stops, odd, slashes, marks, colons;
} K(uri_block);

// Looks at a block; the lowest bit of `step` tells whether a step of the path begins with it.
BYTESCAN_INLINE K(uri_block) K(look_at_uri)(const uint8_t *place, uint8_t stop, bytescan_uri_oddities oddities, uint64_t step) {
    K(block) block = K(load)(place);
    K(mask) odd = K(or)(K(or)(K(equal)(block, '{'), K(equal)(block, '#')), K(or)(K(equal)(block, '\r'), K(equal)(block, '\n')));
    if (oddities.at) odd = K(or)(odd, K(equal)(block, '@'));
    K(uri_block) found = {K(bits)(K(equal)(block, stop)), K(bits)(odd), K(bits)(K(equal)(block, '/')), K(bits)(K(equal)(block, '?')),
                          K(bits)(K(equal)(block, ':'))};
    if (oddities.dots) found.odd |= K(bits)(K(equal)(block, '.')) & (found.slashes << 1 | step);
    return found;
}

// How a URI begins, by the delimiters of its first block.
BYTESCAN_INLINE bytescan_uri_form K(uri_form)(const uint8_t *start, uint64_t colons, uint64_t delimiters) {
    if (*start == '/') return start[1] == '/' ? bytescan_uri_odd : bytescan_uri_rooted;
    if (*start == '?') return bytescan_uri_odd;
    // What stands before a colon is a scheme, unless a slash or a question mark does.
    if (colons == 0 || (delimiters & ((colons & -colons) - 1)) != 0) return bytescan_uri_relative;
    if (__builtin_memcmp(start, "http://", 7) == 0) return bytescan_uri_http;
    return __builtin_memcmp(start, "https://", 8) == 0 ? bytescan_uri_https : bytescan_uri_odd;
}

// Where a long URI ends, of which `next` is the second block; null if it is odd.
static __attribute__((noinline)) const uint8_t *K(long_uri_end)(const uint8_t *next, const uint8_t *last, uint8_t stop,
                                                                bytescan_uri_oddities oddities, uint64_t step, bool *has_query) {
    for (; next <= last; next += 64) {
        K(uri_block) found = K(look_at_uri)(next, stop, oddities, step);
        uint64_t own = found.stops == 0 ? UINT64_MAX : K(up_to_lowest)(found.stops) >> 1;
        // A CR that ends the line belongs to its end.
        if (stop == '\n' && own != 0 && own != UINT64_MAX && next[__builtin_ctzll(found.stops) - 1] == '\r') own >>= 1;
        *has_query |= (found.marks & own) != 0;
        if ((found.odd & own) != 0) return NULL;
        if (found.stops != 0) return next + __builtin_ctzll(~own);
        step = found.slashes >> 63;
    }
    return NULL;
}

// Judges the URI at `start`, whatever it is.
static __attribute__((noinline)) bytescan_uri K(judge_any_uri)(const uint8_t *bytes, const uint8_t *start, const uint8_t *last, uint8_t stop,
                                          bytescan_uri_oddities oddities) {
    bytescan_uri uri = {start - bytes, start - bytes, start - bytes, bytescan_uri_odd, false};
    if (start > last) return uri;
    K(uri_block) found = K(look_at_uri)(start, stop, oddities, 1);
    const uint8_t *end = start + 64;
    uint64_t own = UINT64_MAX;
    if (found.stops != 0) {
        end = start + __builtin_ctzll(found.stops);
        if (stop == '\n' && end > start && end[-1] == '\r') end--;
        own = (UINT64_C(1) << (end - start)) - 1;
    }
    uint64_t delimiters = (found.slashes | found.marks) & own;
    uri.has_query = (found.marks & own) != 0;
    if ((found.odd & own) != 0 || end == start) return uri;
    if (found.stops == 0) {
        // A long one: what its first block does not tell of its beginning makes it odd.
        if (delimiters == 0) return uri;
        end = K(long_uri_end)(start + 64, last, stop, oddities, found.slashes >> 63, &uri.has_query);
        if (end == NULL) return uri;
    }
    if (*start <= ' ' || end[-1] <= ' ') return uri;
    bytescan_uri_form form = K(uri_form)(start, found.colons & own, delimiters);
    if (form >= bytescan_uri_http) {
        uint64_t after = delimiters & UINT64_MAX << (form == bytescan_uri_http ? 7 : 8);
        if (after == 0 && found.stops == 0) return uri;
        uri.path = (after != 0 ? start + __builtin_ctzll(after) : end) - bytes;
    }
    if (form != bytescan_uri_odd) uri.end = end - bytes;
    uri.form = form;
    return uri;
}

// Judges the URI at `start`, which ends before a byte `stop`, a CR before an LF left out. Most are relative and have neither a query nor
// a colon, which one mask tells: `stop` is the first byte in it. White space, quotes and `#` are the bytes up to `#`. The answer is written
// where it is to be: copied from elsewhere as a whole, it would wait for its parts to have been stored.
BYTESCAN_INLINE void K(judge_uri)(bytescan_uri *uri, const uint8_t *bytes, const uint8_t *start, const uint8_t *last, uint8_t stop,
                                  bytescan_uri_oddities oddities) {
    if (start <= last && *start > '/') {
        K(block) block = K(load)(start);
        K(mask) special = K(or)(K(or)(K(at_most)(block, '#'), K(equal)(block, '{')), K(or)(K(equal)(block, '?'), K(equal)(block, ':')));
        if (oddities.at) special = K(or)(special, K(equal)(block, '@'));
        if (oddities.dots) special = K(or)(special, K(and)(K(equal)(block, '/'), K(equal)(K(load)(start + 1), '.')));
        ptrdiff_t first = start - bytes, end = first + __builtin_ctzll(K(bits)(special) | UINT64_C(1) << 63);
        if (bytes[end] == stop) {
            *uri = (bytescan_uri){first, end, first, bytescan_uri_relative, false};
            return;
        }
    }
    *uri = K(judge_any_uri)(bytes, start, last, stop, oddities);
}

KERNEL ptrdiff_t K(find_uris)(const uint8_t *bytes, ptrdiff_t offset, ptrdiff_t last, bytescan_uri_finder *finder) {
    finder->next = offset;
    if (offset > last) return 0;
    const uint64_t hashes = finder->hashes;
    const bytescan_uri_oddities oddities = finder->oddities;
    bytescan_uri *found = finder->found, *limit = found + finder->capacity;
    ptrdiff_t block = offset;
    for (; block <= last; block += 64) {
        uint64_t feeds = K(kept)(K(bits)(K(equal)(K(load)(bytes + block), '\n')));
        for (; feeds != 0; feeds &= feeds - 1) {
            ptrdiff_t start = block + __builtin_ctzll(feeds) + 1;
            const uint8_t *line = bytes + start;
            if (*line == '\n' || (*line == '#' && !bytescan_may_matter(line, hashes))) continue;
            if (found == limit) {
                finder->next = start - 1;
                return finder->capacity;
            }
            if (*line == '#') {
                *found++ = (bytescan_uri){start, start, start, bytescan_uri_odd, false};
            } else {
                K(judge_uri)(found++, bytes, line, bytes + last, '\n', oddities);
            }
        }
    }
    finder->next = block;
    return found - finder->found;
}

KERNEL bytescan_value K(find_value)(const uint8_t *bytes, ptrdiff_t start, ptrdiff_t last, bytescan_uri_oddities oddities) {
    bytescan_value value = {{start, start, start, bytescan_uri_odd, false}, start};
    bool is_open = false, is_found = false, is_odd = false;
    for (ptrdiff_t offset = start; offset <= last; offset += 64) {
        const uint8_t *place = bytes + offset;
        K(block) block = K(load)(place);
        uint64_t feeds = K(kept)(K(bits)(K(equal)(block, '\n')));
        uint64_t own = feeds == 0 ? UINT64_MAX : K(up_to_lowest)(feeds) >> 1;
        uint64_t quotes = K(bits)(K(equal)(block, '"')) & own;
        if (!is_found) {
            uint64_t white = K(bits)(K(at_most)(block, ' ')) & own;
            K(mask) names = K(and)(K(equal)(K(load)(place + 1), 'U'), K(equal)(K(load)(place + 3), 'I'));
            for (uint64_t heads = K(bits)(names) & own; heads != 0 && !is_found; heads &= heads - 1) {
                int head = __builtin_ctzll(heads);
                uint64_t before = (UINT64_C(1) << head) - 1;
                bool begins = place[head] == ',' || (place[head] == ':' && offset + head == start);
                if (!begins || bytescan_odd(quotes & before) != is_open) continue;
                bool is_plain = __builtin_memcmp(place + head + 2, "RI=\"", 4) == 0;
                uint8_t next = place[head + 4];
                if (!is_plain && (place[head + 2] != 'R' || (next != '=' && next != ',' && next > ' '))) continue;
                is_found = true;
                is_odd |= !is_plain || (white & before) != 0;
                K(judge_uri)(&value.uri, bytes, place + head + 6, bytes + last, '"', oddities);
                // The last of most lists: nothing of the line is left to be looked at.
                const uint8_t *after = bytes + value.uri.end + 1;
                if (after - place < 64 && *after == '\n' && value.uri.form != bytescan_uri_odd && !is_odd) {
                    value.line_end = after - bytes;
                    return value;
                }
            }
            is_odd |= !is_found && white != 0;
        }
        is_open ^= bytescan_odd(quotes);
        if (feeds == 0) continue;
        value.line_end = offset + __builtin_ctzll(feeds);
        const uint8_t *after = bytes + value.uri.end + 1;
        // What follows a value is a comma, or the line's end.
        bool is_whole = is_found && (*after == ',' || *after == '\n' || (*after == '\r' && after[1] == '\n'));
        if (is_odd || is_open || !is_whole) value.uri.form = bytescan_uri_odd;
        return value;
    }
    value.uri.form = bytescan_uri_odd;
    return value;
}
