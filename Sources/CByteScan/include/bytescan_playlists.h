// What the searches of playlists are told and what they answer: lines, and the items of attribute lists.
//
// Here are the shapes and the questions about one line's head; the loops over blocks are in bytescan_searches.inc.
#ifndef BYTESCAN_PLAYLISTS_H
#define BYTESCAN_PLAYLISTS_H

#include "bytescan_block.h"

/// What is known of a line that has been passed, up to the block in which it ends.
typedef struct BYTESCAN_NAMED("LineMatch") {
    /// Where that block starts, or the next one would.
    ptrdiff_t offset;
    /// The line feeds in it: bit n for byte n. No bit: the line's end has not been found.
    uint64_t ends;
    /// Whether an odd number of quotes stands in the line, so far as it has been passed.
    bool has_odd_quotes BYTESCAN_NAMED("hasOddQuotes");
    /// Whether the probe stands in one of the blocks.
    bool may_hold_probe BYTESCAN_NAMED("mayHoldProbe");
} bytescan_line_match;

/// Two bytes at a distance: the byte that comes first, the other, and how far behind it stands, at most 12 bytes.
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

/// The hash of a line's head, from 0 to 63, by the eight bytes at offset 4, the first of them in the lowest bits: of the
/// tag's name without `EXT-X-`, or without `EXT` where it begins otherwise, the first three bytes count.
///
/// The factor was found by trial: of the tags with a name in code none that is passed over, be the playlist of either kind, has
/// the hash of one that is looked for there, unless the three bytes are the same.
BYTESCAN_INLINE uint32_t bytescan_head_hash(uint64_t word) BYTESCAN_NAMED("headHash(_:)");
BYTESCAN_INLINE uint32_t bytescan_head_hash(uint64_t word) {
    const uint32_t x = '-' | 'X' << 8 | '-' << 16;
    uint32_t key = word & 0xFFFFFF;
    if (key == x) key = word >> 24 & 0xFFFFFF;
    return key * UINT32_C(0x958A94A7) >> 26;
}

// Whether a line may be of interest: it begins with `#EXT` and has one of the hashes. Any line may where all hashes are.
BYTESCAN_INLINE bool bytescan_may_be_of_interest(const uint8_t *line, uint64_t hashes) {
    uint64_t word;
    __builtin_memcpy(&word, line + 4, sizeof word);
#if __BYTE_ORDER__ == __ORDER_BIG_ENDIAN__
    word = __builtin_bswap64(word);
#endif
    return hashes >> bytescan_head_hash(word) & 1 && (__builtin_memcmp(line, "#EXT", 4) == 0 || hashes == UINT64_MAX);
}

enum { bytescan_walk_capacity = 32 };

/// What the first 32 bytes of a line are, so far as the bits are set in `mask`.
typedef struct BYTESCAN_NAMED("LineHead") {
    uint64_t words[4];
    uint64_t mask[4];
} bytescan_head;

/// Which lines of a playlist are of interest.
typedef struct BYTESCAN_NAMED("LineInterest") {
    /// The line feed before such a line and a byte that stands in it.
    bytescan_pair sign;
    /// Whether lines with a passed head are told from others.
    bool tells_passed BYTESCAN_NAMED("tellsPassed");
    /// Whether they are of no interest then. Otherwise the first that is met is the only one of them.
    bool passes;
    /// Bit n for a line of interest that begins with `#EXT` and whose head has the hash n. Other lines may have it too. All
    /// bits: every line is of interest.
    uint64_t hashes;
    /// How many lines are met at once at most, unless one of them has a passed head.
    ptrdiff_t room;
} bytescan_interest;

/// A line that has been met.
typedef struct BYTESCAN_NAMED("MetLine") {
    ptrdiff_t start;
    /// Where it ends if it is plain, its line ending left out; -1 if it has a passed head, 0 otherwise.
    ptrdiff_t end;
} bytescan_met_line;

/// What a walk looks for, and the lines that have been met.
///
/// Most lines of one tag are plain: they need no closer look. Their quotes are closed, the probe is not in them, something
/// stands behind their head, and their last byte is no white space.
typedef struct BYTESCAN_NAMED("LineWalkMemory") {
    bytescan_interest interest;
    /// What does not stand in a plain line.
    bytescan_pair probe;
    /// How a plain line begins.
    bytescan_head plain;
    /// How lines begin that are passed over, whatever their hash, once one of them has been met.
    bytescan_head passed[2];
    /// Which lines are of interest from there on. The sign stays as it is until the lines that have been met are handed out.
    bytescan_interest passing;
    /// How many bytes a plain line has at least, its line ending not counted but for a CR, and how many more it may have.
    ptrdiff_t shortest;
    size_t span;

    /// The lines that have been met.
    bytescan_met_line lines[bytescan_walk_capacity];
    /// Where to go on: lines behind a line feed at or after this have not been met.
    ptrdiff_t next;
} bytescan_line_walk;

BYTESCAN_INLINE bool bytescan_has_head(const uint8_t *line, const bytescan_head *head) {
    uint64_t words[4];
    __builtin_memcpy(words, line, sizeof words);
    uint64_t difference = 0;
    for (int i = 0; i < 4; i++) difference |= (words[i] ^ head->words[i]) & head->mask[i];
    return difference == 0;
}

// What a line is by its head: of no interest, of interest, the first with a passed head, or plain unless the rest of it says otherwise.
typedef enum { bytescan_line_ignored, bytescan_line_met, bytescan_line_passed, bytescan_line_plain } bytescan_look;

// Looks at the head of a line, of which 32 bytes are read.
BYTESCAN_INLINE bytescan_look bytescan_look_at(const uint8_t *line, const bytescan_line_walk *walk) {
    const bytescan_interest *interest = &walk->interest;
    if (bytescan_has_head(line, &walk->plain)) return bytescan_line_plain;
    if (interest->tells_passed && (bytescan_has_head(line, &walk->passed[0]) || bytescan_has_head(line, &walk->passed[1]))) {
        return interest->passes ? bytescan_line_ignored : bytescan_line_passed;
    }
    return bytescan_may_be_of_interest(line, interest->hashes) ? bytescan_line_met : bytescan_line_ignored;
}

/// The line with `index`, one of those met last.
BYTESCAN_INLINE bytescan_met_line bytescan_walked_line(const bytescan_line_walk *walk, ptrdiff_t index) BYTESCAN_NAMED("walkedLine(_:_:)");
BYTESCAN_INLINE bytescan_met_line bytescan_walked_line(const bytescan_line_walk *walk, ptrdiff_t index) { return walk->lines[index]; }

#endif
