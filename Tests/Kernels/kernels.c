// Every kernel of CByteScan, in the form this is compiled for, against a naive answer.
//
//     kernels [-v] [base | avx2 | avx512 | best]
//
// `base` is what the processor is known to have when this is compiled; `best` asks the processor; it, `avx2` and `avx512` differ
// from the base on x86-64 alone. With BYTESCAN_EMULATES_AVX512 any processor has AVX-512. A difference or a read outside of the bytes given ends the run with a
// message and status 1. At the end comes a digest for each kernel, which depends on nothing but the answers: all forms on all
// machines must print the same. With -v every answer is printed too, so that two runs can be laid side by side.
//
// Buffers are of every length up to 320 at every alignment to 64, beside pages that cannot be read where they touch one.
// Their bytes, and the arguments, come from a fixed seed. See run.sh.

#define _DEFAULT_SOURCE
#include "bytescan_kernels.h"
#include "../../Sources/CByteScan/arch/base.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#if !defined(__wasm__)
#include <signal.h>
#include <sys/mman.h>
#include <unistd.h>
#endif

enum { longest = 320 };

// MARK: Answers

enum kernel {
    EQUAL, AT_MOST, AND, OR, ANY, IS_ASCII, FOLD_ANY, FOLD_ODD, FOLD_IS_SET, PARITIES, ODD, LOAD_PARTIAL,
    FIND_BYTE, MEASURE_LINE, FIND_LINES, SPLIT_ATTRIBUTES, MASK_LINES, FIND_URIS, FIND_VALUE, FIND_ATTRIBUTE, FIND_CUES, PASS_UTF8,
    kernel_count
};
static const char *const kernel_names[kernel_count] = {
    "equal", "at_most", "and", "or", "any", "is_ascii", "fold_any", "fold_odd", "fold_is_set", "parities", "odd", "load_partial",
    "find_byte", "measure_line", "find_lines", "split_attributes", "mask_lines", "find_uris", "find_value",
    "find_attribute", "find_cues", "pass_utf8"};

/// An answer as numbers, so that its digest does not depend on how a machine lays out a structure.
typedef struct { int count; uint64_t words[48]; } answer;

/// What is being asked, for messages.
static struct {
    enum kernel kernel;
    int length, alignment;
    ptrdiff_t offset, last;
    unsigned arguments[6];
    const uint8_t *bytes;
} question;

static struct { uint64_t digest, answers; } totals[kernel_count];
static bool is_verbose;

static void set_arguments(unsigned a, unsigned b, unsigned c, unsigned d, unsigned e, unsigned f) {
    unsigned arguments[6] = {a, b, c, d, e, f};
    memcpy(question.arguments, arguments, sizeof arguments);
}

static void print_question(FILE *file) {
    fprintf(file, "%s length=%d alignment=%d offset=%td last=%td arguments=", kernel_names[question.kernel], question.length,
            question.alignment, question.offset, question.last);
    for (int i = 0; i < 6; i++) fprintf(file, "%s%x", i == 0 ? "" : ",", question.arguments[i]);
}

static void print_answer(FILE *file, const answer *answer) {
    for (int i = 0; i < answer->count; i++) fprintf(file, " %" PRIx64, answer->words[i]);
    fprintf(file, "\n");
}

static void put(answer *answer, uint64_t word) { answer->words[answer->count++] = word; }

/// Compares the kernel's answer with the naive one, and takes it into the digest.
static void check(const answer *found, const answer *expected) {
    if (found->count != expected->count || memcmp(found->words, expected->words, sizeof(uint64_t) * (size_t)found->count) != 0) {
        print_question(stderr);
        fprintf(stderr, "\n  expected:");
        print_answer(stderr, expected);
        fprintf(stderr, "  found:   ");
        print_answer(stderr, found);
        fprintf(stderr, "  bytes:   ");
        for (int i = 0; i < question.length; i++) fprintf(stderr, " %02x", question.bytes[i]);
        fprintf(stderr, "\n");
        exit(1);
    }
    if (is_verbose) {
        print_question(stdout);
        printf(":");
        print_answer(stdout, found);
    }
    uint64_t digest = totals[question.kernel].digest;
    for (int i = 0; i < found->count; i++) digest = (digest ^ found->words[i]) * UINT64_C(0x9E3779B97F4A7C15) + (digest >> 29);
    totals[question.kernel].digest = digest;
    totals[question.kernel].answers++;
}

static void check_word(uint64_t found, uint64_t expected) {
    answer left = {1, {found}}, right = {1, {expected}};
    check(&left, &right);
}

// MARK: Bytes

// C leaves open in which order arguments and initializers are evaluated, so every draw is a statement of its own.

static uint64_t random_state = 20240229;

/// SplitMix64.
static uint64_t random_word(void) {
    uint64_t x = random_state += UINT64_C(0x9E3779B97F4A7C15);
    x = (x ^ x >> 30) * UINT64_C(0xBF58476D1CE4E5B9);
    x = (x ^ x >> 27) * UINT64_C(0x94D049BB133111EB);
    return x ^ x >> 31;
}
static unsigned random_below(unsigned bound) { return (unsigned)((random_word() >> 32) % bound); }

/// The bytes that are searched for.
static const uint8_t interesting[] = {'\n', '\r', '"', ',', '=', '-', '>', '#', 0x00};
/// Their neighbours, and those where a carry or a sign could go wrong.
static const uint8_t confusing[] = {'\n' ^ 1, '\r' + 1, '"' - 1, ',' | 0x80, '=' ^ 0x80, '-' + 1, '>' - 1, 0x01, 0x7F, 0x80, 0x81, 0xFE, 0xFF};

static uint8_t random_interesting(void) { return interesting[random_below(sizeof interesting)]; }
static uint8_t random_byte(void) {
    switch (random_below(4)) {
    case 0: return (uint8_t)random_below(256);
    case 1: return confusing[random_below(sizeof confusing)];
    default: return random_interesting();
    }
}

/// Fills a buffer in one of the ways that matter: matches everywhere, here and there, alone, and nowhere.
static void fill(uint8_t *bytes, int count) {
    uint8_t filler = random_below(2) ? 'x' : confusing[random_below(sizeof confusing)];
    unsigned rarity = (unsigned[]){1, 2, 8, 40, 200, 1000}[random_below(6)];
    bool is_any = random_below(4) == 0;
    for (int i = 0; i < count; i++) {
        bytes[i] = random_below(rarity) != 0 ? filler : is_any ? random_byte() : random_interesting();
    }
}

static uint8_t *put_some(uint8_t *place, const uint8_t *end, const char *among, unsigned most) {
    unsigned kinds = (unsigned)strlen(among);
    for (unsigned left = random_below(most + 1); left > 0 && place < end; left--) *place++ = (uint8_t)among[random_below(kinds)];
    return place;
}

/// Fills a buffer with an attribute list, at which the searches go the short way unless it has a fault.
static void fill_list(uint8_t *bytes, int count) {
    const uint8_t *end = bytes + count;
    unsigned longest_value = (unsigned[]){1, 12, 90}[random_below(3)];
    for (uint8_t *place = bytes; place < end;) {
        place = put_some(place, end, "ABC-\x7F\xFF!", 9);
        if (place < end) *place++ = '=';
        bool is_quoted = random_below(3) == 0;
        if (is_quoted && place < end) *place++ = '"';
        place = put_some(place, end, is_quoted ? "a, =\n\x80" : "1x.\x8A\xA0!", longest_value);
        if (is_quoted && place < end) *place++ = '"';
        if (place < end) *place++ = ',';
    }
    if (count == 0 || random_below(2)) return;
    unsigned fault = random_below((unsigned)count);
    bytes[fault] = random_byte();
}

/// Fills a buffer with lines of URIs and of tags that have some, most of which are plain.
static void fill_uris(uint8_t *bytes, int count) {
    static const char *const beginnings[] = {
        "", "", "/", "//", "http://", "https://", "HTTP://", "https:/", "a:", ".", "../", "?", "#EXTINF:4,", "#EXT-X-PART:URI=\"",
        "#EXT-X-PART:DURATION=1,URI=\"", "#EXT-X-MEDIA:NAME=\"a,URI=\",URI=\"", ":URI=\"", ",URI=", ":URI,", ",URI,", ",URIS=", "#"};
    static const char *const endings[] = {"\n", "\n", "\r\n", "\"\n", "\",A=1\r\n", "\"\r\n", "\"b\n", "\n\n", " \n", "?\n", "&\n"};
    const uint8_t *end = bytes + count;
    unsigned longest_step = (unsigned[]){4, 20, 90}[random_below(3)];
    for (uint8_t *place = bytes; place < end;) {
        const char *beginning = beginnings[random_below(sizeof beginnings / sizeof *beginnings)];
        for (; *beginning != 0 && place < end; beginning++) *place++ = (uint8_t)*beginning;
        for (unsigned left = 1 + random_below(3); left > 0 && place < end; left--) {
            place = put_some(place, end, "ab.c-_\x80\xFF", longest_step);
            if (place < end) *place++ = (uint8_t)"//////??:&=,"[random_below(12)];
        }
        if (random_below(8) == 0) place = put_some(place, end, "{#\r@ .\"\n:U\t", 1);
        place = put_some(place, end, "ab.", longest_step);
        const char *ending = endings[random_below(sizeof endings / sizeof *endings)];
        for (; *ending != 0 && place < end; ending++) *place++ = (uint8_t)*ending;
    }
}

/// Fills a buffer with cues of SubRip, most of which are plain in form.
static void fill_cues(uint8_t *bytes, int count) {
    static const char *const texts[] = {
        "a", "Word, and more of them.", "- a", "-- a", "- 1", "1", "\xEF\xBC\x8C", ("\xEF\xBB\xBF" "1"), "\"a\"", " a", "a ", "<i>a</i>", "a & b", "<b></b><u>a</u>", "<i>>", "<i/>",
        "</i", "of sixty bytes, so that its last word is cut by a block's end <i>and</i> <b>more</b>",
        "{\\an8}a", "...", "(a)", "a\tb\t", "a text that is longer than the sixty-four bytes that a block of memory has here", "-"};
    const uint8_t *end = bytes + count;
    const char *ending = random_below(3) ? "\n" : "\r\n";
    for (uint8_t *place = bytes; place < end;) {
        char cue[400];
        // One after the other: in which order arguments are computed, each compiler chooses.
        int hour = (int)random_below(100), minute = (int)random_below(62), second = (int)random_below(62);
        int number = (int)random_below(12000), first = (int)random_below(1000), last = (int)random_below(1000);
        int size = snprintf(cue, sizeof cue, "%d%s%02d:%02d:%02d,%03d --> %02d:%02d:%02d,%03d%s", number, ending, hour, minute, second,
                            first, hour, second, minute, last, ending);
        for (unsigned left = 1 + random_below(3); left > 0; left--) {
            const char *text = texts[random_below(3) ? random_below(3) : random_below(sizeof texts / sizeof *texts)];
            size += snprintf(cue + size, sizeof cue - (size_t)size, "%s%s", text, ending);
        }
        size += snprintf(cue + size, sizeof cue - (size_t)size, "%s", ending);
        if (random_below(16) == 0) {
            unsigned place_of_fault = random_below((unsigned)size);
            cue[place_of_fault] = (char)"\n\r1 :,-\xEF"[random_below(8)];
        }
        for (int i = 0; i < size && place < end; i++) *place++ = (uint8_t)cue[i];
    }
}

/// Fills a buffer with text of characters of all lengths, hardly ever with one that is none.
static void fill_text(uint8_t *bytes, int count) {
    static const char *const texts[] = {
        "plain text without anything else, ", "\xC3\xA9", "\xC2\x80", "\xDF\xBF", "\xE5\xAD\x97", "\xE0\xA0\x80", "\xE0\xB8\x81", "\xED\x9F\xBF",
        "\xEE\x80\x80", "\xEF\xBF\xBF", "\xF0\x9F\x98\x80", "\xC1\x81", "\xE0\x9F\xBF", "\xED\xA0\x80", "\xC3", "\x80", "\xFF"};
    unsigned kinds = (unsigned[]){3, 10, 11, sizeof texts / sizeof *texts}[random_below(4)];
    for (const uint8_t *end = bytes + count; bytes < end;) {
        for (const char *text = texts[random_below(random_below(8) ? 10 : kinds)]; *text != 0 && bytes < end;) *bytes++ = (uint8_t)*text++;
    }
}

/// Puts the beginnings of some tags into a buffer, which chance alone never would.
static void plant_heads(uint8_t *bytes, int count) {
    static const char prefix[] = "\n#EXT-X-";
    int size = (int)sizeof prefix - 1;
    for (unsigned left = random_below(4); left > 0 && count >= size; left--) {
        uint8_t *place = bytes + random_below((unsigned)(count - size + 1));
        memcpy(place, prefix, (size_t)(random_below(2) ? size : 5));
    }
}

/// A byte to look for: mostly one that is there.
static uint8_t random_target(const uint8_t *bytes, int count) {
    return count > 0 && random_below(2) ? bytes[random_below((unsigned)count)] : random_byte();
}

static bytescan_pair random_pair(const uint8_t *bytes, int count) {
    static const uint16_t distances[] = {0, 1, 2, 5, 11, 12};
    uint8_t first = random_target(bytes, count);
    uint8_t second = random_target(bytes, count);
    return bytescan_pair_make(first, second, distances[random_below(6)]);
}

// MARK: Naive masks

static uint64_t naive_equal(const uint8_t *bytes, uint8_t byte) {
    uint64_t bits = 0;
    for (int i = 0; i < 64; i++) bits |= (uint64_t)(bytes[i] == byte) << i;
    return bits;
}

static uint64_t naive_at_most(const uint8_t *bytes, uint8_t byte) {
    uint64_t bits = 0;
    for (int i = 0; i < 64; i++) bits |= (uint64_t)(bytes[i] <= byte) << i;
    return bits;
}

static int naive_count(uint64_t bits) {
    int count = 0;
    for (int i = 0; i < 64; i++) count += (int)(bits >> i & 1);
    return count;
}

/// What is left of a mask when its four quarters lie on each other.
static uint64_t naive_fold(uint64_t bits, bool is_odd) {
    uint64_t folded = 0;
    for (int i = 0; i < 16; i++) {
        int count = 0;
        for (int quarter = 0; quarter < 4; quarter++) count += (int)(bits >> (16 * quarter + i) & 1);
        folded |= (uint64_t)(is_odd ? count % 2 : count > 0) << i;
    }
    return folded;
}

// MARK: Single blocks

static void check_block(const uint8_t *bytes, uint8_t one, uint8_t other) {
    set_arguments(one, other, 0, 0, 0, 0);
    bytescan_base_block block = bytescan_base_load(bytes);
    bytescan_base_block x = bytescan_base_equal(block, one), y = bytescan_base_equal(block, other);
    uint64_t naive_x = naive_equal(bytes, one), naive_y = naive_equal(bytes, other);

    question.kernel = EQUAL, check_word(bytescan_base_bits(x), naive_x);
    question.kernel = AT_MOST, check_word(bytescan_base_bits(bytescan_base_at_most(block, one)), naive_at_most(bytes, one));
    question.kernel = AND, check_word(bytescan_base_bits(bytescan_base_and(x, y)), naive_x & naive_y);
    question.kernel = OR, check_word(bytescan_base_bits(bytescan_base_or(x, y)), naive_x | naive_y);
    question.kernel = ANY, check_word(bytescan_base_any(x), naive_x != 0);
    question.kernel = IS_ASCII, check_word(bytescan_base_is_ascii(block), naive_at_most(bytes, 0x7F) == UINT64_MAX);

    bytescan_base_fold none = bytescan_base_fold_of_none();
    bytescan_base_fold any = bytescan_base_fold_any(bytescan_base_fold_any(none, x), y);
    bytescan_base_fold odd = bytescan_base_fold_odd(bytescan_base_fold_odd(none, x), y);
    uint64_t naive_odd = naive_fold(naive_x, true) ^ naive_fold(naive_y, true);
    question.kernel = FOLD_ANY, check_word(bytescan_base_fold_bits(any), naive_fold(naive_x | naive_y, false));
    question.kernel = FOLD_ODD, check_word(bytescan_base_fold_bits(odd), naive_odd);
    question.kernel = FOLD_IS_SET, check_word(bytescan_base_fold_is_set(odd), naive_odd != 0);
    uint64_t naive_parities = 0;
    for (int i = 0; i < 64; i++) naive_parities |= (uint64_t)(naive_count(naive_x << (63 - i)) % 2) << i;
    question.kernel = PARITIES, check_word(bytescan_base_parities(naive_x), naive_parities);
    question.kernel = ODD, check_word(bytescan_odd(naive_y), naive_count(naive_y) % 2 != 0);
}

static void check_partial(const uint8_t *bytes, int count, uint8_t byte) {
    uint8_t padded[64];
    for (int i = 0; i < 64; i++) padded[i] = i < count ? bytes[i] : 0;
    question.kernel = LOAD_PARTIAL;
    set_arguments(byte, (unsigned)count, 0, 0, 0, 0);
    check_word(bytescan_base_bits(bytescan_base_equal(bytescan_base_load_partial(bytes, (size_t)count), byte)), naive_equal(padded, byte));
}

/// Every byte against every byte, each in many places of a block.
static void check_every_byte(uint8_t *page) {
    uint8_t order[256];
    for (int i = 0; i < 256; i++) order[i] = (uint8_t)i;
    question.bytes = page;
    question.length = 64;
    for (int byte = 0; byte < 256; byte++) {
        for (int i = 255; i > 0; i--) {
            unsigned j = random_below((unsigned)i + 1);
            uint8_t swapped = order[i];
            order[i] = order[j], order[j] = swapped;
        }
        for (int start = 0; start < 256; start += 16) {
            for (int i = 0; i < 64; i++) page[i] = order[(start + i) % 256];
            check_block(page, (uint8_t)byte, order[start]);
        }
        // The byte itself alone, and all but alone, in every place.
        for (int place = 0; place < 64; place++) {
            uint8_t neighbour = (uint8_t)(byte ^ (1 << place % 8));
            memset(page, neighbour, 64);
            page[place] = (uint8_t)byte;
            check_block(page, (uint8_t)byte, neighbour);
        }
    }
}

// MARK: Searches

static ptrdiff_t best_pass_utf8(const uint8_t *bytes, ptrdiff_t offset, ptrdiff_t last) {
    return bytescan_best_form()->pass_utf8(bytes, offset, last);
}

/// What stands between the tests and the kernels of one form, or of the best one: what Swift calls.
static const bytescan_form best = {
    bytescan_find_byte, bytescan_measure_line, bytescan_find_lines, bytescan_split_attributes, bytescan_mask_lines,
    bytescan_find_uris, bytescan_find_value, bytescan_find_attribute, bytescan_find_cues, best_pass_utf8};

/// The form with that name, or null if the processor has it not.
static const bytescan_form *form_named(const char *name) {
    if (strcmp(name, "base") == 0) return bytescan_form_at(0);
    if (strcmp(name, "best") == 0) return &best;
#if defined(BYTESCAN_EMULATES_AVX512)
    if (strcmp(name, "avx512") == 0) return &bytescan_avx512_form;
#endif
    if (strcmp(name, "avx2") == 0) return bytescan_form_at(1);
    if (strcmp(name, "avx512") == 0) return bytescan_form_at(2);
    fprintf(stderr, "usage: kernels [-v] [base | avx2 | avx512 | best]\n");
    exit(2);
}

/// Where the first block starts that is not to be looked at.
static ptrdiff_t naive_limit(ptrdiff_t offset, ptrdiff_t last) {
    while (offset <= last) offset += 64;
    return offset;
}

static bool has_pair(const uint8_t *bytes, ptrdiff_t i, bytescan_pair pair) {
    return bytes[i] == bytescan_pair_first(pair) && bytes[i + bytescan_pair_distance(pair)] == bytescan_pair_second(pair);
}

/// The first block with the byte, and all its places in it.
static answer naive_find(const uint8_t *bytes, ptrdiff_t offset, ptrdiff_t last, uint8_t byte) {
    ptrdiff_t limit = naive_limit(offset, last), i = offset;
    while (i < limit && bytes[i] != byte) i++;
    ptrdiff_t start = i - (i - offset) % 64;
    return (answer){2, {(uint64_t)start, i < limit ? naive_equal(bytes + start, byte) : 0}};
}

/// How often the byte stands from one place to another.
static ptrdiff_t naive_occurrences(const uint8_t *bytes, ptrdiff_t from, ptrdiff_t to, uint8_t byte) {
    ptrdiff_t count = 0;
    for (ptrdiff_t i = from; i < to; i++) count += bytes[i] == byte;
    return count;
}

static bool naive_has_pair(const uint8_t *bytes, ptrdiff_t from, ptrdiff_t to, bytescan_pair pair) {
    for (ptrdiff_t i = from; i < to; i++) {
        if (has_pair(bytes, i, pair)) return true;
    }
    return false;
}

static ptrdiff_t naive_line_end(const uint8_t *bytes, ptrdiff_t start, ptrdiff_t limit) {
    while (start < limit && bytes[start] != '\n') start++;
    return start;
}

static answer naive_measure_line(const uint8_t *bytes, ptrdiff_t offset, ptrdiff_t last, bytescan_pair pair) {
    ptrdiff_t limit = naive_limit(offset, last), end = naive_line_end(bytes, offset, limit);
    ptrdiff_t block = end - (end - offset) % 64;
    bool has_end = end < limit;
    return (answer){4, {(uint64_t)block, has_end ? naive_equal(bytes + block, '\n') : 0,
                        (uint64_t)naive_occurrences(bytes, offset, end, '"') % 2,
                        naive_has_pair(bytes, offset, has_end ? block + 64 : limit, pair)}};
}

/// Items as numbers, folded.
static answer parted(const bytescan_list_items *items) {
    uint64_t places = 0;
    for (ptrdiff_t i = 0; i < items->count; i++) {
        places = (places * 331 + (uint64_t)items->items[i].equals) * 331 + (uint64_t)items->items[i].stop;
    }
    return (answer){4, {(uint64_t)items->count, items->are_plain, items->ends_inside_quotes, places}};
}

/// The items of a list that has the room and the looks of one of plain items, by one byte after the other; false for another.
static bool naive_split_plain(const uint8_t *bytes, ptrdiff_t start, ptrdiff_t end, ptrdiff_t readable, bytescan_list_items *items) {
    ptrdiff_t places[longest], count = 0;
    bool is_inside = false;
    if (start == end || start + (end - start + 63) / 64 * 64 > readable) return false;
    for (ptrdiff_t block = start; block < end; block += 64) {
        ptrdiff_t before = count;
        for (ptrdiff_t i = block; i < block + 64 && i < end; i++) {
            is_inside ^= bytes[i] == '"';
            // The quote that closes is outside, the one that opens is not.
            if (is_inside) continue;
            if (bytes[i] <= ' ') return false;
            if (bytes[i] != '=' && bytes[i] != ',') continue;
            if ((bytes[i] == '=') != (count % 2 == 0)) return false;
            places[count++] = i;
        }
        if (count >= 2 * bytescan_items_capacity) {
            if (before < 2) return false;
            for (ptrdiff_t i = 0; i < before / 2; i++) items->items[i] = (bytescan_list_item){places[2 * i], places[2 * i + 1]};
            items->count = before / 2;
            return true;
        }
    }
    if (is_inside || count % 2 == 0) return false;
    places[count++] = end;
    for (ptrdiff_t i = 0; i < count / 2; i++) items->items[i] = (bytescan_list_item){places[2 * i], places[2 * i + 1]};
    items->count = count / 2;
    return true;
}

/// The items of a list, by one byte after the other.
static answer naive_split(const uint8_t *bytes, ptrdiff_t start, ptrdiff_t end, ptrdiff_t readable) {
    bytescan_list_items items = {.count = 0};
    items.are_plain = naive_split_plain(bytes, start, end, readable, &items);
    if (items.are_plain) return parted(&items);
    bool is_inside = false;
    ptrdiff_t equals = -1;
    for (ptrdiff_t block = start; block < end; block += 64) {
        if (end <= block + 64) items.ends_inside_quotes = naive_occurrences(bytes, start, end, '"') % 2 != 0;
        // The end belongs to the block before it.
        for (ptrdiff_t i = block; i < block + 64 + (end == block + 64) && i <= end; i++) {
            if (i < end && bytes[i] == '"') is_inside = !is_inside;
            if (i < end && !is_inside && bytes[i] == '=' && equals < 0) equals = i;
            if (i < end && (is_inside || bytes[i] != ',')) continue;
            items.items[items.count++] = (bytescan_list_item){equals < 0 ? i : equals, i};
            equals = -1;
            if (items.count == bytescan_items_capacity) return parted(&items);
        }
    }
    return parted(&items);
}

// MARK: Walks

static bool naive_has_prefix(const uint8_t *line, const bytescan_prefix *prefix) {
    const uint8_t *words = (const uint8_t *)prefix->words, *mask = (const uint8_t *)prefix->mask;
    for (int i = 0; i < 32; i++) {
        if (((line[i] ^ words[i]) & mask[i]) != 0) return false;
    }
    return true;
}

/// A head of some bytes that stand somewhere in the buffer.
static bytescan_prefix random_prefix(const uint8_t *bytes, int length) {
    bytescan_prefix prefix = {{0}, {0}};
    size_t count = random_below(4);
    if (length < (int)count) count = (size_t)length;
    if (count > 0) memcpy(prefix.words, bytes + random_below((unsigned)(length - (int)count + 1)), count);
    memset(prefix.mask, 0xFF, count);
    return prefix;
}

static bytescan_line_filter random_filter(bytescan_pair anchor) {
    bytescan_line_filter filter = {.anchor = anchor};
    filter.tells_skipped = random_below(4) > 0;
    filter.skips = random_below(2);
    filter.hashes = random_below(2) ? random_word() : random_below(2) ? UINT64_MAX : 0;
    filter.capacity = 1 + random_below(bytescan_found_capacity);
    return filter;
}

static bytescan_line_finder random_finder(const uint8_t *bytes, int length) {
    bytescan_line_finder finder;
    memset(&finder, 0xA5, sizeof finder);
    bytescan_pair anchor = random_below(2) ? random_pair(bytes, length) : bytescan_pair_make('\n', '#', 1);
    anchor = bytescan_pair_make('\n', bytescan_pair_second(anchor), bytescan_pair_distance(anchor));
    finder.filter = random_filter(anchor);
    finder.successor = random_filter(anchor);
    finder.pair = random_pair(bytes, length);
    finder.simple = random_prefix(bytes, length);
    for (int i = 0; i < 2; i++) finder.skipped[i] = random_prefix(bytes, length);
    finder.shortest = random_below(8);
    finder.span = random_below(2) ? 1000 : random_below(64);
    return finder;
}

static uint32_t naive_hash(const uint8_t *line) {
    uint64_t word = 0;
    for (int i = 7; i >= 0; i--) word = word << 8 | line[4 + i];
    return bytescan_head_hash(word);
}

static bool naive_may_matter(const uint8_t *line, uint64_t hashes) {
    if (hashes == UINT64_MAX) return true;
    return line[0] == '#' && line[1] == 'E' && line[2] == 'X' && line[3] == 'T' && hashes >> naive_hash(line) & 1;
}

/// What a walk comes to: how many lines, where to go on, and the lines folded into one number.
static answer walked(ptrdiff_t count, const bytescan_line_finder *finder) {
    uint64_t lines = 0;
    for (ptrdiff_t i = 0; i < count; i++) lines = (lines * 331 + (uint64_t)finder->lines[i].start) * 331 + (uint64_t)finder->lines[i].end;
    return (answer){3, {(uint64_t)count, (uint64_t)finder->next, lines}};
}

static answer naive_find_lines(const uint8_t *bytes, ptrdiff_t offset, ptrdiff_t last, bytescan_line_finder *finder) {
    ptrdiff_t limit = naive_limit(offset, last), count = 0;
    bytescan_line_filter filter = finder->filter;
    for (ptrdiff_t feed = offset; feed < limit; feed++) {
        if (!has_pair(bytes, feed, filter.anchor)) continue;
        ptrdiff_t start = feed + 1;
        bool may_be_plain = naive_has_prefix(bytes + start, &finder->simple);
        bool is_passed = false;
        if (!may_be_plain && filter.tells_skipped) {
            is_passed = naive_has_prefix(bytes + start, &finder->skipped[0]) || naive_has_prefix(bytes + start, &finder->skipped[1]);
        }
        if (is_passed && filter.skips) continue;
        if (is_passed) filter = finder->successor;
        if (!may_be_plain && !is_passed && !naive_may_matter(bytes + start, filter.hashes)) continue;
        if (count >= filter.capacity) {
            finder->next = feed;
            return walked(count, finder);
        }
        bytescan_found_line *line = &finder->lines[count++];
        *line = (bytescan_found_line){start, is_passed ? bytescan_end_switching : 0};
        if (!may_be_plain) continue;

        ptrdiff_t end = naive_line_end(bytes, start, limit);
        if (end == limit) {
            line->end = bytescan_end_beyond;
            break;
        }
        ptrdiff_t first_block = feed - (feed - offset) % 64, last_block = end - (end - offset) % 64;
        bool is_odd = naive_occurrences(bytes, start, end, '"') % 2 != 0;
        bool fits = end - start >= finder->shortest && (size_t)(end - start - finder->shortest) <= finder->span;
        ptrdiff_t content_end = bytes[end - 1] == '\r' ? end - 1 : end;
        bool ends_item = bytes[content_end - 1] > ' ' && bytes[content_end - 1] != ',';
        if (!is_odd && fits && !naive_has_pair(bytes, first_block, last_block + 64, finder->pair) && ends_item) {
            line->end = content_end;
        }
        feed = end - 1;
    }
    finder->next = limit;
    return walked(count, finder);
}

// MARK: URIs

static bool is_delimiter(uint8_t byte) { return byte == '/' || byte == '?'; }

static bool begins_with(const uint8_t *bytes, const char *text) {
    for (; *text != 0; bytes++, text++) {
        if (*bytes != (uint8_t)*text) return false;
    }
    return true;
}

static bool naive_is_odd(const uint8_t *bytes, ptrdiff_t start, ptrdiff_t i, bytescan_uri_oddities oddities) {
    if (oddities.at && bytes[i] == '@') return true;
    if (oddities.dots && bytes[i] == '.' && (i == start || bytes[i - 1] == '/')) return true;
    return bytes[i] == '{' || bytes[i] == '#' || bytes[i] == '\r' || bytes[i] == '\n';
}

/// A URI, by one byte after the other.
static bytescan_uri naive_judge(const uint8_t *bytes, ptrdiff_t start, ptrdiff_t last, uint8_t stop, bytescan_uri_oddities oddities) {
    const bytescan_uri odd = {start, start, start, bytescan_uri_odd, false};
    ptrdiff_t limit = naive_limit(start, last), place = start;
    while (place < limit && bytes[place] != stop) place++;
    if (place == limit) return odd;
    bool is_long = place - start >= 64;
    ptrdiff_t end = place;
    // Of a long one a CR that ends the block before is not seen to belong to the line's end.
    if (stop == '\n' && end > start && bytes[end - 1] == '\r' && (!is_long || (place - start) % 64 != 0)) end--;
    for (ptrdiff_t i = start; i < end; i++) {
        if (naive_is_odd(bytes, start, i, oddities)) return odd;
    }
    if (end == start || bytes[start] <= ' ' || bytes[end - 1] <= ' ') return odd;

    ptrdiff_t seen = is_long ? start + 64 : end, colon = start, delimiter = start;
    while (colon < seen && bytes[colon] != ':') colon++;
    while (delimiter < seen && !is_delimiter(bytes[delimiter])) delimiter++;
    if (is_long && delimiter == seen) return odd;
    bytescan_uri uri = {start, end, start, bytescan_uri_relative, false};
    for (ptrdiff_t i = start; i < end; i++) uri.has_query |= bytes[i] == '?';
    if (bytes[start] == '/') {
        uri.form = bytes[start + 1] == '/' ? bytescan_uri_odd : bytescan_uri_rooted;
    } else if (bytes[start] == '?') {
        return odd;
    } else if (colon < seen && colon < delimiter) {
        if (!begins_with(bytes + start, "http://") && !begins_with(bytes + start, "https://")) return odd;
        uri.form = bytes[start + 4] == ':' ? bytescan_uri_http : bytescan_uri_https;
        uri.path = start + (bytes[start + 4] == ':' ? 7 : 8);
        while (uri.path < seen && !is_delimiter(bytes[uri.path])) uri.path++;
        if (is_long && uri.path == seen) return odd;
    }
    return uri.form == bytescan_uri_odd ? odd : uri;
}

static void put_uri(answer *answer, bytescan_uri uri) {
    put(answer, (uint64_t)uri.start), put(answer, (uint64_t)uri.end), put(answer, (uint64_t)uri.path), put(answer, (uint64_t)uri.form);
    // Of an odd one nothing is said.
    put(answer, uri.form != bytescan_uri_odd && uri.has_query);
}

static void put_value(answer *answer, bytescan_value value) {
    put(answer, (uint64_t)value.line_end), put(answer, (uint64_t)value.uri.form);
    if (value.uri.form != bytescan_uri_odd) put_uri(answer, value.uri);
}

/// All that was found, folded into one number.
static answer found_uris(ptrdiff_t count, const bytescan_uri_finder *finder) {
    uint64_t folded = 0;
    for (ptrdiff_t i = 0; i < count; i++) {
        answer one = {0, {0}};
        put_uri(&one, finder->found[i]);
        for (int word = 0; word < one.count; word++) folded = folded * 331 + one.words[word];
    }
    return (answer){3, {(uint64_t)count, (uint64_t)finder->next, folded}};
}

static answer naive_find_uris(const uint8_t *bytes, ptrdiff_t offset, ptrdiff_t last, bytescan_uri_finder *finder) {
    ptrdiff_t count = 0;
    finder->next = naive_limit(offset, last);
    for (ptrdiff_t feed = offset; feed < finder->next; feed++) {
        const uint8_t *line = bytes + feed + 1;
        if (bytes[feed] != '\n' || *line == '\n' || (*line == '#' && !naive_may_matter(line, finder->hashes))) continue;
        if (count == finder->capacity) {
            finder->next = feed;
            break;
        }
        bytescan_uri tag = {feed + 1, feed + 1, feed + 1, bytescan_uri_odd, false};
        finder->found[count++] = *line == '#' ? tag : naive_judge(bytes, feed + 1, last, '\n', finder->oddities);
    }
    return found_uris(count, finder);
}

static bytescan_value naive_find_value(const uint8_t *bytes, ptrdiff_t start, ptrdiff_t last, bytescan_uri_oddities oddities) {
    bytescan_value odd = {{start, start, start, bytescan_uri_odd, false}, start};
    ptrdiff_t limit = naive_limit(start, last), end = naive_line_end(bytes, start, limit);
    if (end == limit) return odd;
    odd.line_end = end;
    if (naive_occurrences(bytes, start, end, '"') % 2 != 0) return odd;
    bool is_inside = false;
    for (ptrdiff_t i = start; i < end; i++) {
        bool begins_item = !is_inside && (bytes[i] == ',' || (bytes[i] == ':' && i == start));
        if (begins_item && begins_with(bytes + i + 1, "URI") && (bytes[i + 4] == ',' || bytes[i + 4] <= ' ')) return odd;
        if (begins_item && begins_with(bytes + i + 1, "URI=")) {
            if (bytes[i + 5] != '"') return odd;
            bytescan_uri uri = naive_judge(bytes, i + 6, last, '"', oddities);
            if (uri.form == bytescan_uri_odd) return odd;
            const uint8_t *after = bytes + uri.end + 1;
            bool ends_list = *after == ',' || *after == '\n' || (*after == '\r' && after[1] == '\n');
            return ends_list ? (bytescan_value){uri, end} : odd;
        }
        if (bytes[i] <= ' ') return odd;
        is_inside ^= bytes[i] == '"';
    }
    return odd;
}

static void check_uris(const bytescan_form *form, const uint8_t *bytes, int length, ptrdiff_t offset) {
    bytescan_uri_finder finder = {.hashes = random_below(2) ? UINT64_MAX : random_word(), .capacity = 1 + random_below(bytescan_uris_capacity)};
    finder.oddities.dots = random_below(2);
    finder.oddities.at = random_below(2);
    bytescan_uri_finder naive = finder;
    question.kernel = FIND_URIS;
    question.last = length - 64 - 32;
    set_arguments((unsigned)finder.capacity, finder.oddities.dots, finder.oddities.at, 0, 0, 0);
    answer found = found_uris(form->find_uris(bytes, offset, question.last, &finder), &finder);
    answer expected = naive_find_uris(bytes, offset, question.last, &naive);
    check(&found, &expected);

    question.kernel = FIND_VALUE;
    ptrdiff_t start = offset;
    while (random_below(2) && start + 1 < length && bytes[start] != ':') start++;
    set_arguments((unsigned)start, finder.oddities.dots, finder.oddities.at, 0, 0, 0);
    found = (answer){0, {0}}, expected = (answer){0, {0}};
    put_value(&found, form->find_value(bytes, start, question.last, finder.oddities));
    put_value(&expected, naive_find_value(bytes, start, question.last, finder.oddities));
    check(&found, &expected);
}

// MARK: Attributes

static void put_attribute(answer *answer, bytescan_found_attribute found) {
    put(answer, (uint64_t)found.line_end), put(answer, (uint64_t)found.state);
    if (found.state != bytescan_attribute_odd) put(answer, (uint64_t)found.list_end);
    if (found.state == bytescan_attribute_there) put(answer, (uint64_t)found.value), put(answer, (uint64_t)found.stop);
}

/// The attribute as a walk over the list finds it. Where the line of an odd list ends is not told.
static bytescan_found_attribute naive_find_attribute(const uint8_t *bytes, ptrdiff_t start, ptrdiff_t last, const char *name) {
    const bytescan_found_attribute odd = {.state = bytescan_attribute_odd};
    bytescan_found_attribute found = {.state = bytescan_attribute_absent};
    ptrdiff_t limit = naive_limit(start, last), count = (ptrdiff_t)strlen(name);
    found.line_end = naive_line_end(bytes, start, limit);
    if (found.line_end == limit) return odd;
    found.list_end = found.line_end;
    if (found.line_end > start && bytes[found.line_end - 1] == '\r') {
        // In the block before that of the LF it is white space.
        if ((found.line_end - start) % 64 == 0) return odd;
        found.list_end--;
    }
    bool is_inside = false, is_open = false;
    for (ptrdiff_t i = start; i < found.list_end; i++) {
        is_inside ^= bytes[i] == '"';
        if (is_inside) continue;
        if (bytes[i] <= ' ') return odd;
        if (bytes[i] != ',' && i != start) continue;
        if (is_open && bytes[i] == ',') found.stop = i, is_open = false;
        if (!begins_with(bytes + i + 1, name)) continue;
        uint8_t after = bytes[i + 1 + count];
        if (after == ',' || after <= ' ') return odd;
        if (after != '=') continue;
        if (found.state == bytescan_attribute_there) return odd;
        found.state = bytescan_attribute_there;
        found.value = i + count + 2;
        is_open = true;
    }
    if (is_inside) return odd;
    if (is_open) found.stop = found.list_end;
    return found;
}

/// Puts into a buffer what makes a list of most of it: a colon, the name here and there, a line end. Returns where the colon is.
static ptrdiff_t plant_attributes(uint8_t *bytes, int length, ptrdiff_t offset, const char *name) {
    if (offset >= length) return offset;
    ptrdiff_t start = offset + random_below((unsigned)(length - offset));
    if (random_below(2)) start = offset;
    if (random_below(8)) bytes[start] = ':';
    unsigned left = (unsigned)(length - start);
    for (unsigned times = random_below(3); times > 0; times--) {
        uint8_t *place = bytes + start + (random_below(3) ? random_below(left) : 0);
        if (place > bytes + start && random_below(8)) *place = ',';
        for (const char *byte = name; *byte != 0 && place + 1 < bytes + length; byte++) *++place = (uint8_t)*byte;
        if (random_below(8) && place + 1 < bytes + length) *++place = '=';
    }
    uint8_t *end = bytes + start + random_below(left);
    *end = '\n';
    if (random_below(2) && end > bytes + start) end[-1] = '\r';
    return start;
}

static void check_attributes(const bytescan_form *form, uint8_t *bytes, int length, ptrdiff_t offset) {
    static const char *const names[] = {"URI", "A", "BANDWIDTH", "AA", "AB", "AVERAGE-BANDWIDTH-OF-31-BYTES-A"};
    const char *name = names[random_below((unsigned)(sizeof names / sizeof *names))];
    bytescan_attribute_name sought = {.count = (ptrdiff_t)strlen(name), .first = (uint8_t)name[0]};
    sought.last = (uint8_t)name[sought.count - 1];
    memcpy(sought.prefix.words, name, (size_t)sought.count);
    memset(sought.prefix.mask, 0xFF, (size_t)sought.count);
    question.kernel = FIND_ATTRIBUTE;
    question.last = length - 64 - 32;
    ptrdiff_t start = plant_attributes(bytes, length, offset, name);
    set_arguments((unsigned)start, (unsigned)name[0], 0, 0, 0, 0);
    answer found = {0, {0}}, expected = {0, {0}};
    bytescan_found_attribute one = form->find_attribute(bytes, start, question.last, &sought);
    if (one.state == bytescan_attribute_odd) one.line_end = 0;
    put_attribute(&found, one);
    put_attribute(&expected, naive_find_attribute(bytes, start, question.last, name));
    check(&found, &expected);
}

// MARK: Cues

static bool is_end(uint8_t byte) { return byte == '\n' || byte == '\r'; }

static bool is_digit(uint8_t byte) { return byte >= '0' && byte <= '9'; }

/// Whether a line is text, and no number and no times, as far as its beginning tells.
static bool naive_begins_text(const uint8_t *line) {
    if (line[0] == 0xEF && line[1] == 0xBB && line[2] == 0xBF) return false;
    if (*line == '-') line++;
    if (*line == ' ' && line[-1] == '-') line++;
    return *line > ' ' && !is_digit(*line);
}

/// How many bytes the tag at `text` has, of which there are `count` bytes; 0 if it is none of those that are kept.
static ptrdiff_t naive_kept_tag(const uint8_t *text, ptrdiff_t count) {
    static const char *const tags[] = {"<b>", "<i>", "<u>", "</b>", "</i>", "</u>"};
    for (size_t i = 0; i < sizeof tags / sizeof *tags; i++) {
        ptrdiff_t size = (ptrdiff_t)strlen(tags[i]);
        if (size <= count && memcmp(text, tags[i], (size_t)size) == 0) return size;
    }
    return 0;
}

/// The cue at `start`, by one byte after the other; its blank line is at 0 if it is not plain in form.
static bytescan_cue naive_cue(const uint8_t *bytes, ptrdiff_t start, ptrdiff_t last) {
    static const char form[] = "99:59:59,999 --> 99:59:59,999";
    const bytescan_cue none = {0};
    bytescan_cue cue = {.start = start, .times = start};
    while (cue.times - start < 8 && is_digit(bytes[cue.times])) cue.times++;
    if (cue.times == start) return none;
    cue.has_returns = bytes[cue.times] == '\r';
    if (cue.has_returns) cue.times++;
    if (bytes[cue.times++] != '\n') return none;
    for (int i = 0; i < 29; i++) {
        uint8_t byte = bytes[cue.times + i], most = (uint8_t)form[i];
        if (is_digit(most) ? byte < '0' || byte > most : byte != most) return none;
    }
    cue.text = cue.times + 29;
    if (cue.has_returns && bytes[cue.text++] != '\r') return none;
    if (bytes[cue.text++] != '\n') return none;
    ptrdiff_t limit = naive_limit(cue.text, last);
    for (ptrdiff_t line = cue.text;;) {
        ptrdiff_t end = line;
        while (end < limit && !is_end(bytes[end])) end++;
        if (end >= limit || bytes[end] != (cue.has_returns ? '\r' : '\n')) return none;
        if (cue.has_returns && bytes[end + 1] != '\n') return none;
        if (end == line) {
            cue.blank = line;
            return line == cue.text ? none : cue;
        }
        if (!naive_begins_text(bytes + line)) return none;
        for (ptrdiff_t i = line; i < end; i++) {
            ptrdiff_t size = naive_kept_tag(bytes + i, end - i);
            // A tag that two blocks share is not seen as one.
            if (size > 0 && (i - cue.text) / 64 == (i + size - 1 - cue.text) / 64) {
                i += size - 1;
            } else {
                cue.is_special |= bytes[i] == 0 || strchr("<>&{\\", bytes[i]) != NULL;
            }
        }
        cue.is_special |= bytes[end - 1] <= ' ';
        line = end + 1 + cue.has_returns;
    }
}

/// All that was found, folded into one number.
static answer found_cues(ptrdiff_t count, const bytescan_cue_finder *finder) {
    uint64_t folded = 0;
    for (ptrdiff_t i = 0; i < count; i++) {
        bytescan_cue cue = finder->found[i];
        ptrdiff_t parts[] = {cue.start, cue.times, cue.text, cue.blank, cue.has_returns, cue.is_special};
        for (int part = 0; part < 6; part++) folded = folded * 331 + (uint64_t)parts[part];
    }
    return (answer){3, {(uint64_t)count, (uint64_t)finder->next, folded}};
}

static void check_cues(const bytescan_form *form, const uint8_t *bytes, int length, ptrdiff_t offset) {
    question.kernel = FIND_CUES;
    question.last = length - 64 - 32;
    // From a place where a counter may begin, more often than chance would have it.
    while (random_below(4) && offset < length && !is_digit(bytes[offset])) offset++;
    set_arguments((unsigned)offset, 0, 0, 0, 0, 0);
    bytescan_cue_finder finder, naive = {.next = offset};
    answer found = found_cues(form->find_cues(bytes, offset, question.last, &finder), &finder);
    ptrdiff_t count = 0;
    while (count < bytescan_cues_capacity && naive.next <= question.last) {
        bytescan_cue cue = naive_cue(bytes, naive.next, question.last);
        if (cue.blank == 0) break;
        naive.found[count++] = cue;
        naive.next = cue.blank + 1 + cue.has_returns;
    }
    answer expected = found_cues(count, &naive);
    check(&found, &expected);
}

/// How many bytes the character at `place` has, if they end before `end` and are three at most; 0 otherwise.
static int naive_character(const uint8_t *bytes, ptrdiff_t place, ptrdiff_t end) {
    int count = bytes[place] < 0x80 ? 1 : bytes[place] < 0xC0 ? 0 : bytes[place] < 0xE0 ? 2 : bytes[place] < 0xF0 ? 3 : 0;
    if (count < 2) return count;
    if (count > end - place) return 0;
    unsigned code = bytes[place] & (count == 2 ? 0x1F : 0x0F);
    for (int i = 1; i < count; i++) {
        if ((bytes[place + i] & 0xC0) != 0x80) return 0;
        code = code << 6 | (bytes[place + i] & 0x3F);
    }
    return code < (count == 2 ? 0x80 : 0x800) || (code >= 0xD800 && code < 0xE000) ? 0 : count;
}

static answer naive_pass_utf8(const uint8_t *bytes, ptrdiff_t offset, ptrdiff_t end) {
    while (offset < end) {
        int count = naive_character(bytes, offset, end);
        if (count == 0) break;
        offset += count;
    }
    return (answer){1, {(uint64_t)offset}};
}

static void check_text(const bytescan_form *form, const uint8_t *bytes, int length, ptrdiff_t offset) {
    question.kernel = PASS_UTF8;
    question.last = length - 64;
    answer found = {1, {(uint64_t)form->pass_utf8(bytes, offset, question.last)}};
    answer expected = naive_pass_utf8(bytes, offset, naive_limit(offset, question.last));
    check(&found, &expected);
    // Up to any byte, as Swift asks.
    question.last = offset + random_below((unsigned)(length - offset) + 1);
    found = (answer){1, {(uint64_t)bytescan_pass_utf8(bytes, offset, question.last)}};
    expected = naive_pass_utf8(bytes, offset, question.last);
    check(&found, &expected);
}

static void check_searches(const bytescan_form *form, const uint8_t *bytes, int length, ptrdiff_t offset) {
    answer found, expected;
    uint8_t byte = random_target(bytes, length);
    bytescan_pair pair = random_pair(bytes, length);
    set_arguments(bytescan_pair_first(pair), bytescan_pair_second(pair), bytescan_pair_distance(pair), 0, 0, byte);

    question.kernel = FIND_BYTE;
    question.last = length - 64;
    bytescan_match match = form->find_byte(bytes, offset, question.last, byte);
    found = (answer){2, {(uint64_t)match.start, match.bits}};
    expected = naive_find(bytes, offset, question.last, byte);
    check(&found, &expected);

    question.kernel = MEASURE_LINE;
    question.last = length - 64 - 12;
    bytescan_measured_line line = form->measure_line(bytes, offset, question.last, pair);
    found = (answer){4, {(uint64_t)line.offset, line.ends, line.has_odd_quotes, line.may_contain}};
    expected = naive_measure_line(bytes, offset, question.last, pair);
    check(&found, &expected);

    question.kernel = FIND_LINES;
    question.last = length - 64 - 32;
    bytescan_line_finder finder = random_finder(bytes, length), naive = finder;
    set_arguments(bytescan_pair_second(finder.filter.anchor), bytescan_pair_distance(finder.filter.anchor), finder.filter.skips,
                  (int)finder.shortest, (int)finder.span, (int)finder.filter.capacity);
    ptrdiff_t count = form->find_lines(bytes, offset, question.last, &finder);
    found = walked(count, &finder);
    expected = naive_find_lines(bytes, offset, question.last, &naive);
    check(&found, &expected);

    question.kernel = SPLIT_ATTRIBUTES;
    ptrdiff_t end = offset + random_below((unsigned)(length - offset) + 1);
    set_arguments((unsigned)end, 0, 0, 0, 0, 0);
    bytescan_list_items items = {.count = -1};
    form->split_attributes(bytes, offset, end, length, &items);
    found = parted(&items);
    expected = naive_split(bytes, offset, end, length < 64 ? 64 : length);
    check(&found, &expected);
}

// MARK: Lines

/// Checks the masks of as many whole blocks as there are, behind the bytes `before` the first one.
static void check_lines(const bytescan_form *form, const uint8_t *bytes, int length, const uint8_t before[2]) {
    uint8_t text[2 + longest];
    text[0] = before[0], text[1] = before[1];
    if (length > 0) memcpy(text + 2, bytes, (size_t)length);

    // Of the carry the highest bits count, so the others are anything.
    uint64_t noise = random_word() >> 2, top = UINT64_C(1) << 63;
    bytescan_block_carry carry = {
        noise | (is_end(before[1]) ? top : 0), noise | (before[1] == '\r' ? top : 0),
        noise | (before[1] == '-' ? top : 0) | (before[0] == '-' ? top >> 1 : 0)};
    bytescan_block_carry expected_carry = carry;

    ptrdiff_t count = length / 64, lines = 0, marks = 0;
    if (count > bytescan_batch_capacity) count = bytescan_batch_capacity;
    bytescan_line_batch batch;
    memset(&batch, 0xA5, sizeof batch);
    bytescan_clear_batch(&batch);
    uint64_t returns = 0, oddities = 0, found_marks = 0, expected_marks = 0;
    question.kernel = MASK_LINES;
    set_arguments(before[0], before[1], 0, 0, 0, 0);
    answer found = {0, {0}}, expected = {0, {0}};
    // In two parts, the first of which may be empty: blocks are added to those that are there.
    ptrdiff_t half = count / 2;
    form->mask_lines(bytes, half, &carry, &batch);
    form->mask_lines(bytes + 64 * half, count - half, &carry, &batch);
    put(&found, (uint64_t)batch.line_count);
    put(&expected, 0);
    for (ptrdiff_t block = 0; block < count; block++) {
        uint64_t ends = 0, terminators = 0, blanks = 0, arrows = 0;
        for (int i = 0; i < 64; i++) {
            const uint8_t *byte = text + 2 + 64 * block + i;
            uint64_t bit = UINT64_C(1) << i;
            if (is_end(*byte)) ends |= bit;
            if (*byte == '\r' || (*byte == '\n' && byte[-1] != '\r')) {
                terminators |= bit, lines++;
                if (is_end(byte[-1])) blanks |= bit;
            }
            if (*byte == '>' && byte[-1] == '-' && byte[-2] == '-') arrows |= bit;
            if (*byte == '\r') returns |= 1;
            if ((*byte == '\n') != (byte[-1] == '\r')) oddities |= 1;
            if (((blanks | arrows) & bit) != 0) {
                found_marks = 331 * found_marks + (uint64_t)bytescan_mark(&batch, marks++);
                expected_marks = 331 * expected_marks + (uint64_t)(64 * block + i);
            }
        }
        const uint8_t *start = text + 2 + 64 * block;
        expected_carry = (bytescan_block_carry){ends, naive_equal(start, '\r'), naive_equal(start, '-')};
        bytescan_line_masks masks = bytescan_masks(&batch, block);
        put(&found, masks.ends), put(&expected, ends);
        put(&found, masks.terminators), put(&expected, terminators);
        put(&found, masks.blanks), put(&expected, blanks);
        put(&found, masks.arrows), put(&expected, arrows);
        // From a place inside this block on, with the next one's first.
        int skipped = (int)(block * 29 % 64);
        uint64_t later = 0;
        for (int i = 0; i < 64; i++) {
            ptrdiff_t place = 64 * block + skipped + i;
            const uint8_t *byte = text + 2 + place;
            if (place < 64 * count && (*byte == '\r' || (*byte == '\n' && byte[-1] != '\r'))) later |= UINT64_C(1) << i;
        }
        put(&found, bytescan_terminators(&batch, 64 * block + skipped)), put(&expected, later);
    }
    expected.words[0] = (uint64_t)lines;
    put(&found, found_marks), put(&expected, expected_marks);
    put(&found, (uint64_t)batch.mark_count), put(&expected, (uint64_t)marks);
    put(&found, (uint64_t)batch.block_count), put(&expected, (uint64_t)count);
    put(&found, batch.returns != 0), put(&expected, returns);
    put(&found, batch.oddities != 0), put(&expected, oddities);
    put(&found, carry.ends), put(&expected, expected_carry.ends);
    put(&found, carry.returns), put(&expected, expected_carry.returns);
    put(&found, carry.hyphens), put(&expected, expected_carry.hyphens);
    check(&found, &expected);
}

// MARK: All of it

static void check_buffer(const bytescan_form *form, uint8_t *bytes, int length) {
    question.bytes = bytes;
    question.length = length;
    question.alignment = (int)((uintptr_t)bytes % 64);
    switch (random_below(10)) {
    case 0: case 1: fill_list(bytes, length); break;
    case 2: case 3: case 4: fill_uris(bytes, length); break;
    case 5: case 6: fill_cues(bytes, length); break;
    case 7: fill_text(bytes, length); break;
    default: fill(bytes, length);
    }
    plant_heads(bytes, length);
    ptrdiff_t offset = random_below(64);
    if (offset > length) offset = length;
    question.offset = offset;
    question.last = 0;
    check_searches(form, bytes, length, offset);
    check_uris(form, bytes, length, offset);
    check_cues(form, bytes, length, offset);
    check_text(form, bytes, length, offset);

    uint8_t one = random_target(bytes, length);
    uint8_t other = random_byte();
    int left = length - (int)offset;
    if (left >= 64) check_block(bytes + offset, one, other);
    check_partial(bytes + offset, left < 64 ? left : 64, one);

    uint8_t before[2] = {random_interesting()};
    before[1] = random_interesting();
    check_lines(form, bytes + offset, left, before);
    check_attributes(form, bytes, length, offset);
}

/// One page to read, `size` bytes long, between two that cannot be. WebAssembly cannot protect pages, so reads outside are not seen.
#if defined(__wasm__)
static uint8_t *guarded_page(size_t *size) {
    *size = 4096;
    return malloc(*size);
}
#else
static void complain_of_fault(int signal_number) {
    (void)signal_number;
    fprintf(stderr, "a read outside of the bytes: ");
    print_question(stderr);
    fprintf(stderr, "\n");
    _exit(1);
}

static uint8_t *guarded_page(size_t *size) {
    *size = (size_t)sysconf(_SC_PAGESIZE);
    uint8_t *pages = mmap(NULL, 3 * *size, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    if (pages == MAP_FAILED || mprotect(pages, *size, PROT_NONE) != 0 || mprotect(pages + 2 * *size, *size, PROT_NONE) != 0) {
        perror("kernels: guard pages");
        exit(1);
    }
    struct sigaction action = {.sa_handler = complain_of_fault};
    sigaction(SIGSEGV, &action, NULL);
    sigaction(SIGBUS, &action, NULL);
    return pages + *size;
}
#endif

static void check_all(const bytescan_form *form) {
    size_t size;
    uint8_t *start = guarded_page(&size), *end = start + size;
    check_every_byte(start);
    for (int length = 0; length <= longest; length++) {
        // What lies around a buffer that touches no guard page must not matter either.
        fill(start, (int)size);
        for (int alignment = 0; alignment < 64; alignment++) check_buffer(form, start + alignment, length);
        for (int round = 0; round < 32; round++) check_buffer(form, end - length, length);
    }
}

int main(int count, char **arguments) {
    const char *name = "base";
    for (int i = 1; i < count; i++) {
        if (strcmp(arguments[i], "-v") == 0) {
            is_verbose = true;
        } else {
            name = arguments[i];
        }
    }
    const bytescan_form *form = form_named(name);
    if (form == NULL) {
        fprintf(stderr, "kernels: this processor has no %s\n", name);
        return 77;
    }
    check_all(form);
    for (int kernel = 0; kernel < kernel_count; kernel++) {
        printf("%-16s %7" PRIu64 " answers  %016" PRIx64 "\n", kernel_names[kernel], totals[kernel].answers, totals[kernel].digest);
    }
    return 0;
}
