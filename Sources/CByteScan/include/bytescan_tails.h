// Bytes that end before a whole block does, in a copy with zeros after them: so that the kernels go over them too.
//
// A kernel reads whole blocks, and up to 32 bytes after the last. Where a chunk ends that memory is somebody else's. To go over the last
// bytes of a chunk one by one took twice as long as all that a packet of 1,460 bytes takes besides.
#ifndef BYTESCAN_TAILS_H
#define BYTESCAN_TAILS_H

#include "bytescan_kernels.h"

enum {
    /// How many bytes a copy holds.
    bytescan_tail_capacity = 192,
    /// How many zeros are read after them at most: a block from any byte on, and 32 bytes.
    bytescan_tail_padding = 96,
};

typedef struct {
    uint8_t bytes[bytescan_tail_capacity + bytescan_tail_padding];
} bytescan_tail;

static inline void bytescan_copy_tail(bytescan_tail *tail, const uint8_t *bytes, ptrdiff_t count) {
    __builtin_memcpy(tail->bytes, bytes, (size_t)count);
    __builtin_memset(tail->bytes + count, 0, bytescan_tail_padding);
}

// Copies the lines that end in the `count` bytes, and returns how many bytes they have: those up to the last line feed.
static inline ptrdiff_t bytescan_copy_lines(bytescan_tail *tail, const uint8_t *bytes, ptrdiff_t count) {
    bytescan_copy_tail(tail, bytes, count);
    ptrdiff_t whole = 0;
    for (ptrdiff_t block = (count - 1) & -64; block >= 0 && whole == 0; block -= 64) {
        uint64_t feeds = bytescan_base_bits(bytescan_base_equal(bytescan_base_load(tail->bytes + block), '\n'));
        if (feeds != 0) whole = block + 64 - __builtin_clzll(feeds);
    }
    __builtin_memset(tail->bytes + whole, 0, (size_t)(count - whole));
    return whole;
}

/// Measures what is left of a line from `offset` up to `end`, at most `bytescan_tail_capacity` bytes, as `bytescan_measure_line` does.
static inline bytescan_measured_line bytescan_measure_tail(const uint8_t *bytes, ptrdiff_t offset, ptrdiff_t end, bytescan_pair pair)
    BYTESCAN_NAMED("measureTail(_:from:to:lookingFor:)");
static inline bytescan_measured_line bytescan_measure_tail(const uint8_t *bytes, ptrdiff_t offset, ptrdiff_t end, bytescan_pair pair) {
    bytescan_tail tail;
    bytescan_copy_tail(&tail, bytes + offset, end - offset);
    bytescan_measured_line line = bytescan_measure_line(tail.bytes, 0, end - offset - 1, pair);
    line.offset += offset;
    return line;
}

/// Finds lines from `offset` up to `end`, at most `bytescan_tail_capacity` bytes, as `bytescan_find_lines` does: only those that end there.
/// Where a last one begins that does not is put into `unfinished`, if a line feed stands before it.
static inline ptrdiff_t bytescan_find_last_lines(const uint8_t *bytes, ptrdiff_t offset, ptrdiff_t end, bytescan_line_finder *finder,
                                                 ptrdiff_t *unfinished) BYTESCAN_NAMED("findLastLines(_:from:to:_:unfinished:)");
static inline ptrdiff_t bytescan_find_last_lines(const uint8_t *bytes, ptrdiff_t offset, ptrdiff_t end, bytescan_line_finder *finder,
                                                 ptrdiff_t *unfinished) {
    bytescan_tail tail;
    ptrdiff_t whole = bytescan_copy_lines(&tail, bytes + offset, end - offset);
    if (whole > 0) *unfinished = offset + whole;
    ptrdiff_t count = bytescan_find_lines(tail.bytes, 0, whole - 1, finder);
    // What is found after the last line feed is made of zeros.
    if (count > 0 && finder->lines[count - 1].start == whole) count--;
    finder->next = finder->next < whole ? finder->next + offset : end;
    for (ptrdiff_t i = 0; i < count; i++) {
        finder->lines[i].start += offset;
        if (finder->lines[i].end > 0) finder->lines[i].end += offset;
    }
    return count;
}

/// Finds URIs from `offset` up to `end`, at most `bytescan_tail_capacity` bytes, as `bytescan_find_uris` does: only those of lines that end
/// there. Where a last line begins that does not is put into `unfinished`, if a line feed stands before it.
static inline ptrdiff_t bytescan_find_last_uris(const uint8_t *bytes, ptrdiff_t offset, ptrdiff_t end, bytescan_uri_finder *finder,
                                                ptrdiff_t *unfinished) BYTESCAN_NAMED("findLastURIs(_:from:to:_:unfinished:)");
static inline ptrdiff_t bytescan_find_last_uris(const uint8_t *bytes, ptrdiff_t offset, ptrdiff_t end, bytescan_uri_finder *finder,
                                                ptrdiff_t *unfinished) {
    bytescan_tail tail;
    ptrdiff_t whole = bytescan_copy_lines(&tail, bytes + offset, end - offset);
    if (whole > 0) *unfinished = offset + whole;
    ptrdiff_t count = bytescan_find_uris(tail.bytes, 0, whole - 1, finder);
    if (count > 0 && finder->found[count - 1].start == whole) count--;
    finder->next = finder->next < whole ? finder->next + offset : end;
    for (ptrdiff_t i = 0; i < count; i++) {
        finder->found[i].start += offset;
        finder->found[i].end += offset;
        finder->found[i].path += offset;
    }
    return count;
}

/// Judges the URI of the line that has the `count` bytes before its line feed, at most `bytescan_tail_capacity`: as `bytescan_find_uris`
/// does, which loses what it has found before.
static inline bytescan_uri bytescan_judge_line(const uint8_t *line, ptrdiff_t count, bytescan_uri_finder *finder)
    BYTESCAN_NAMED("judgeLine(_:count:_:)");
static inline bytescan_uri bytescan_judge_line(const uint8_t *line, ptrdiff_t count, bytescan_uri_finder *finder) {
    uint8_t bytes[1 + bytescan_tail_capacity + bytescan_tail_padding];
    bytes[0] = '\n';
    __builtin_memcpy(bytes + 1, line, (size_t)count);
    bytes[1 + count] = '\n';
    __builtin_memset(bytes + 2 + count, 0, bytescan_tail_padding - 1);
    finder->capacity = 1;
    if (bytescan_find_uris(bytes, 0, count, finder) == 0 || finder->found[0].start != 1) {
        return (bytescan_uri){0, 0, 0, bytescan_uri_odd, false};
    }
    bytescan_uri uri = finder->found[0];
    uri.start--, uri.end--, uri.path--;
    return uri;
}

/// Finds what `bytescan_find_value` does in the list from `start` up to `end`, at most `bytescan_tail_capacity` bytes.
static inline bytescan_value bytescan_find_last_value(const uint8_t *bytes, ptrdiff_t start, ptrdiff_t end, bytescan_uri_oddities oddities)
    BYTESCAN_NAMED("findLastValue(_:from:to:_:)");
static inline bytescan_value bytescan_find_last_value(const uint8_t *bytes, ptrdiff_t start, ptrdiff_t end, bytescan_uri_oddities oddities) {
    bytescan_tail tail;
    bytescan_copy_tail(&tail, bytes + start, end - start);
    bytescan_value value = bytescan_find_value(tail.bytes, 0, end - start - 1, oddities);
    value.line_end += start;
    value.uri.start += start;
    value.uri.end += start;
    value.uri.path += start;
    return value;
}

#endif
