// What a search for the cues of a SubRip file answers.
//
// A cue is whole and plain in form if nothing about it needs to be made out: a counter, two times as nearly all writers spell
// them, lines that can be nothing but text, and a blank line. See kernels/find_cues.h.
#ifndef BYTESCAN_CUES_H
#define BYTESCAN_CUES_H

#include "bytescan_block.h"

/// A cue of SubRip, by the offsets of its parts.
typedef struct BYTESCAN_NAMED("FoundCue") {
    /// Where its counter begins.
    ptrdiff_t start;
    /// Where its times begin, 29 bytes.
    ptrdiff_t times;
    /// Where its text begins, a line at least.
    ptrdiff_t text;
    /// Where the blank line after it begins.
    ptrdiff_t blank;
    /// Whether its lines, and the blank one, end in CRLF; otherwise all of them end in LF.
    bool has_returns BYTESCAN_NAMED("hasReturns");
    /// Whether its text has a byte of `<>&{\` and NUL, or white space before a line's end. `<b>`, `<i>`, `<u>` and their end tags
    /// do not count if each lies in one block, counted from the beginning of the text.
    bool is_special BYTESCAN_NAMED("isSpecial");
} bytescan_cue;

enum { bytescan_cues_capacity = 32 };

/// What a finder of cues has found.
typedef struct BYTESCAN_NAMED("CueFinderMemory") {
    bytescan_cue found[bytescan_cues_capacity];
    /// After the blank line of the last of them; where the search began if there is none.
    ptrdiff_t next;
} bytescan_cue_finder;

/// The cue with `index`, one of those found last.
BYTESCAN_INLINE bytescan_cue bytescan_found_cue(const bytescan_cue_finder *finder, ptrdiff_t index) BYTESCAN_NAMED("foundCue(_:_:)");
BYTESCAN_INLINE bytescan_cue bytescan_found_cue(const bytescan_cue_finder *finder, ptrdiff_t index) { return finder->found[index]; }

BYTESCAN_INLINE bool bytescan_is_digit(uint8_t byte) { return (uint8_t)(byte - '0') <= 9; }

/// The bits in which the eight bytes at `bytes` differ from `form`: where `high` has F0, from its zeros, by more than the digit is
/// below 16 once `room` is added to it; where it has FF, from the byte itself.
BYTESCAN_INLINE uint64_t bytescan_unlike(const uint8_t *bytes, const char form[8], const char room[8], const char high[8]) {
    uint64_t word, zeros, added, mask;
    __builtin_memcpy(&word, bytes, 8);
    __builtin_memcpy(&zeros, form, 8);
    __builtin_memcpy(&added, room, 8);
    __builtin_memcpy(&mask, high, 8);
    word ^= zeros;
    return (word | (word + added)) & mask;
}

/// Whether the 29 bytes at `bytes` are `HH:MM:SS,mmm --> HH:MM:SS,mmm`, with minutes and seconds below 60.
BYTESCAN_INLINE bool bytescan_are_times(const uint8_t *bytes) {
    return (bytescan_unlike(bytes, "00:00:00", "\6\6\0\12\6\0\12\6", "\xF0\xF0\xFF\xF0\xF0\xFF\xF0\xF0") |
            bytescan_unlike(bytes + 8, ",000 -->", "\0\6\6\6\0\0\0\0", "\xFF\xF0\xF0\xF0\xFF\xFF\xFF\xFF") |
            bytescan_unlike(bytes + 16, " 00:00:0", "\0\6\6\0\12\6\0\12", "\xFF\xF0\xF0\xFF\xF0\xF0\xFF\xF0") |
            bytescan_unlike(bytes + 21, "0:00,000", "\6\0\12\6\0\6\6\6", "\xF0\xFF\xF0\xF0\xFF\xF0\xF0\xF0")) == 0;
}

/// Whether the line at `line` is text, by its first byte or its first three: neither a number nor times.
BYTESCAN_INLINE bool bytescan_begins_text(const uint8_t *line) {
    // A byte order mark is passed over.
    if (line[0] == 0xEF) return line[1] != 0xBB || line[2] != 0xBF;
    // A time may have a hyphen before it.
    uint8_t first = line[0] != '-' ? line[0] : line[1] != ' ' ? line[1] : line[2];
    return first > ' ' && !bytescan_is_digit(first);
}

#endif
