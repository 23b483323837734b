// What the searches of playlists are told and what they answer: lines, and the items of attribute lists.
//
// Here are the shapes and the questions about how one line begins; the loops over blocks are in kernels/.
#ifndef BYTESCAN_PLAYLISTS_H
#define BYTESCAN_PLAYLISTS_H

#include "bytescan_block.h"

/// What is known of a line up to the block in which it ends.
typedef struct BYTESCAN_NAMED("MeasuredLine") {
    /// Where that block starts, or the next one would.
    ptrdiff_t offset;
    /// The line feeds in it: bit n for byte n. No bit: the line's end has not been found.
    uint64_t ends;
    /// Whether an odd number of quotes stands in the line, as far as it has been measured.
    bool has_odd_quotes BYTESCAN_NAMED("hasOddQuotes");
    /// Whether the pair stands in one of the blocks.
    bool may_contain BYTESCAN_NAMED("mayContain");
} bytescan_measured_line;

/// Two bytes at a distance: the byte that comes first, the other, and how many bytes later it stands, at most 12.
///
/// They are packed, so that they travel in one register.
typedef struct BYTESCAN_NAMED("BytePair") {
    uint32_t packed;
} bytescan_pair;

BYTESCAN_INLINE bytescan_pair bytescan_pair_make(uint8_t first, uint8_t second, uint16_t distance) BYTESCAN_NAMED("BytePair.init(first:second:distance:)");
BYTESCAN_INLINE bytescan_pair bytescan_pair_make(uint8_t first, uint8_t second, uint16_t distance) {
    return (bytescan_pair){(uint32_t)distance << 16 | (uint32_t)second << 8 | first};
}
BYTESCAN_INLINE uint8_t bytescan_pair_first(bytescan_pair pair) BYTESCAN_NAMED("getter:BytePair.first(self:)");
BYTESCAN_INLINE uint8_t bytescan_pair_first(bytescan_pair pair) { return (uint8_t)pair.packed; }
BYTESCAN_INLINE uint8_t bytescan_pair_second(bytescan_pair pair) BYTESCAN_NAMED("getter:BytePair.second(self:)");
BYTESCAN_INLINE uint8_t bytescan_pair_second(bytescan_pair pair) { return (uint8_t)(pair.packed >> 8); }
BYTESCAN_INLINE uint16_t bytescan_pair_distance(bytescan_pair pair) BYTESCAN_NAMED("getter:BytePair.distance(self:)");
BYTESCAN_INLINE uint16_t bytescan_pair_distance(bytescan_pair pair) { return (uint16_t)(pair.packed >> 16); }

/// The hash of a line's tag, from 0 to 63, by the eight bytes at offset 4, the first of them in the lowest bits: of the
/// tag's name without `EXT-X-`, or without `EXT` if it begins otherwise, the first three bytes count.
///
/// The factor was found by trial: no tag with a name in code that is passed over has the hash of one that is looked for, be the
/// playlist of either kind, unless the three bytes are the same. TagHashTests says for which tags this holds.
BYTESCAN_INLINE uint32_t bytescan_head_hash(uint64_t word) BYTESCAN_NAMED("headHash(_:)");
BYTESCAN_INLINE uint32_t bytescan_head_hash(uint64_t word) {
    const uint32_t x = '-' | 'X' << 8 | '-' << 16;
    uint32_t key = word & 0xFFFFFF;
    if (key == x) key = word >> 24 & 0xFFFFFF;
    return key * UINT32_C(0x958A94A7) >> 26;
}

// Whether a line begins with `#EXT` and its tag has one of the hashes. Any line will do if all hashes are there.
BYTESCAN_INLINE bool bytescan_may_matter(const uint8_t *line, uint64_t hashes) {
    uint64_t word;
    __builtin_memcpy(&word, line + 4, sizeof word);
#if __BYTE_ORDER__ == __ORDER_BIG_ENDIAN__
    word = __builtin_bswap64(word);
#endif
    return hashes >> bytescan_head_hash(word) & 1 && (__builtin_memcmp(line, "#EXT", 4) == 0 || hashes == UINT64_MAX);
}

enum { bytescan_found_capacity = 32 };

/// The first 32 bytes of a line, as far as the bits are set in `mask`.
typedef struct BYTESCAN_NAMED("LinePrefix") {
    uint64_t words[4];
    uint64_t mask[4];
} bytescan_prefix;

/// Which lines of a playlist are reported.
typedef struct BYTESCAN_NAMED("LineFilter") {
    /// The line feed before such a line and a byte that stands in it.
    bytescan_pair anchor;
    /// Whether lines with a skipped prefix are told from others.
    bool tells_skipped BYTESCAN_NAMED("tellsSkipped");
    /// Whether they are not reported then. Otherwise the first is, and the successor holds from there on.
    bool skips;
    /// Bit n for lines that begin with `#EXT` and whose tag has the hash n. All bits: every line.
    uint64_t hashes;
    /// How many lines are reported at once at most, by the successor if that has taken over.
    ptrdiff_t capacity;
} bytescan_line_filter;

/// What may be told of a line that is not simple, in place of its end.
enum {
    /// The filter has given way to its successor.
    bytescan_end_switching = -1,
    /// The line begins as a simple one does, and ends after the whole blocks, if it does.
    bytescan_end_beyond = -2,
};

/// A line that a finder reports.
typedef struct BYTESCAN_NAMED("FoundLine") {
    ptrdiff_t start;
    /// Where it ends if it is simple, its line ending left out; 0 or one of the above otherwise.
    ptrdiff_t end;
} bytescan_found_line;

/// What a finder looks for, and the lines that it has found.
///
/// Most lines of one tag are simple: they need no closer look. Their quotes are closed, the pair is not in them, there is
/// something after their prefix, and their last byte is neither white space nor a comma.
///
/// Rules (a prefix and an action each) instead of these fields, and a bit for each fact instead of numbers in `end`, were tried with
/// AVX2: 856,172 instructions became 945,603 (master-big-sliced), 77,746 became 92,698 (media-ll-sliced).
typedef struct BYTESCAN_NAMED("LineFinderMemory") {
    bytescan_line_filter filter;
    /// What does not stand in a simple line.
    bytescan_pair pair;
    /// How a simple line begins.
    bytescan_prefix simple;
    /// How lines begin that are skipped, whatever their hash, once one of them has been reported.
    bytescan_prefix skipped[2];
    /// Which lines are reported from there on. The anchor stays what it was until the next call.
    bytescan_line_filter successor;
    /// How many bytes a simple line has at least, its line ending not counted but for a CR, and how many more it may have.
    ptrdiff_t shortest;
    size_t span;

    /// The lines that have been found.
    bytescan_found_line lines[bytescan_found_capacity];
    /// Where to go on: lines after a line feed at or after this have not been looked at.
    ptrdiff_t next;
} bytescan_line_finder;

BYTESCAN_INLINE bool bytescan_has_prefix(const uint8_t *line, const bytescan_prefix *prefix) {
    uint64_t words[4];
    __builtin_memcpy(words, line, sizeof words);
    uint64_t difference = 0;
    for (int i = 0; i < 4; i++) difference |= (words[i] ^ prefix->words[i]) & prefix->mask[i];
    return difference == 0;
}

// What a line is by its prefix: not reported, reported, the first with a skipped prefix, or simple unless the rest of it says
// otherwise.
typedef enum { bytescan_line_ignored, bytescan_line_reported, bytescan_line_switching, bytescan_line_simple } bytescan_look;

// Looks at the prefix of a line, of which 32 bytes are read.
BYTESCAN_INLINE bytescan_look bytescan_look_at(const uint8_t *line, const bytescan_prefix *simple, const bytescan_prefix *skipped,
                                               const bytescan_line_filter *filter) {
    if (bytescan_has_prefix(line, simple)) return bytescan_line_simple;
    if (filter->tells_skipped && (bytescan_has_prefix(line, &skipped[0]) || bytescan_has_prefix(line, &skipped[1]))) {
        return filter->skips ? bytescan_line_ignored : bytescan_line_switching;
    }
    return bytescan_may_matter(line, filter->hashes) ? bytescan_line_reported : bytescan_line_ignored;
}

/// The name of an attribute that is looked for in the lists of tags.
typedef struct BYTESCAN_NAMED("AttributeName") {
    /// Its bytes, at most 31.
    bytescan_prefix prefix;
    ptrdiff_t count;
    uint8_t first, last;
} bytescan_attribute_name;

enum { bytescan_longest_name = 31 };

/// Whether an attribute stands in a list.
typedef enum BYTESCAN_NAMED("AttributePresence") {
    /// Nothing is known of the list, but where its line ends if that is not at its start.
    bytescan_attribute_odd,
    bytescan_attribute_absent,
    /// Once, with a value.
    bytescan_attribute_there,
} bytescan_attribute_presence;

/// What an attribute list says of one attribute.
typedef struct BYTESCAN_NAMED("FoundAttribute") {
    /// Where its value begins, after the `=`.
    ptrdiff_t value;
    /// The comma after it, or the end of the list.
    ptrdiff_t stop;
    /// Where the list ends, and where the line's LF is.
    ptrdiff_t list_end BYTESCAN_NAMED("listEnd"), line_end BYTESCAN_NAMED("lineEnd");
    bytescan_attribute_presence state;
} bytescan_found_attribute;

/// The lines found last.
BYTESCAN_INLINE const bytescan_found_line *bytescan_found_lines(const bytescan_line_finder *finder) BYTESCAN_NAMED("foundLines(_:)");
BYTESCAN_INLINE const bytescan_found_line *bytescan_found_lines(const bytescan_line_finder *finder) { return finder->lines; }

/// The line with `index`, one of those found last.
BYTESCAN_INLINE bytescan_found_line bytescan_found(const bytescan_line_finder *finder, ptrdiff_t index) BYTESCAN_NAMED("foundLine(_:_:)");
BYTESCAN_INLINE bytescan_found_line bytescan_found(const bytescan_line_finder *finder, ptrdiff_t index) { return finder->lines[index]; }

#endif
