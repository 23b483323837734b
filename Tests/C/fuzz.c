// The C interface under libFuzzer, in random order of calls: fuzz [CORPUS…]
//
//     clang -g -O1 -fsanitize=fuzzer,address fuzz.c libsurtitle.a -I PREFIX/include -o fuzz
//
// 1. Every status is one of the enum's, and a call that is out of order is told so.
// 2. Whatever the chunks and the form, in pieces, into memory of any size, or whole, a playlist becomes the same.
// 3. What is abandoned comes out as it went in, as far as it was held.
// 4. What is handed out lies in the chunk where it says so, and can be read until the next call.
//
// The first bytes are choices, the rest is the text. Each takes its own, so that they keep their meaning.
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <surtitle.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t count);

#define LAW(condition)                                                    \
    do {                                                                  \
        if (!(condition)) {                                               \
            fprintf(stderr, "line %d: %s\n", __LINE__, #condition);        \
            abort();                                                      \
        }                                                                 \
    } while (0)

static int known(int status) {
    LAW(strcmp(surtitle_status_text(status), "unknown status") != 0);
    return status;
}

typedef struct choices {
    const uint8_t *next, *end;
} choices;

static unsigned choose(choices *choices, unsigned many) { return choices->next < choices->end ? *choices->next++ % many : 0; }

static uint8_t *joined;
static size_t joined_count, joined_capacity;

static void join(const uint8_t *bytes, size_t count) {
    if (joined_count + count > joined_capacity) {
        joined_capacity = 2 * (joined_count + count);
        joined = realloc(joined, joined_capacity);
        LAW(joined != NULL);
    }
    if (count > 0) memcpy(joined + joined_count, bytes, count);
    joined_count += count;
}

static void join_pieces(const surtitle_piece *pieces, size_t count, const uint8_t *chunk, size_t chunk_count) {
    for (size_t i = 0; i < count; i++) {
        LAW(pieces[i].count > 0);
        if (pieces[i].chunk_offset >= 0) {
            LAW(pieces[i].bytes == chunk + pieces[i].chunk_offset && (size_t)pieces[i].chunk_offset + pieces[i].count <= chunk_count);
        }
        join(pieces[i].bytes, pieces[i].count);
    }
}

static surtitle_configuration *configuration(choices *choices) {
    static const surtitle_edit pool[] = {
        {sizeof(surtitle_edit), SURTITLE_SET, 0, {"EXT-X-STREAM-INF:NAME=\"hd\"", 26}},
        {sizeof(surtitle_edit), SURTITLE_REMOVE, 0, {"EXT-X-STREAM-INF:AUDIO", 22}},
        {sizeof(surtitle_edit), SURTITLE_DROP, 0, {"EXT-X-STREAM-INF", 16}},
        {sizeof(surtitle_edit), SURTITLE_APPEND_LINE, 0, {"#END", 4}},
        {sizeof(surtitle_edit), SURTITLE_MAP_URI, 0, {"https://a.example/b/", 20}},
        {sizeof(surtitle_edit), SURTITLE_APPEND_QUERY, 0, {"k=v", 3}},
        {sizeof(surtitle_edit), SURTITLE_HOST, SURTITLE_ROLE_VARIANT, {"h.example:80", 12}},
        {sizeof(surtitle_edit), SURTITLE_KEEP_VARIANTS, 0, {"BANDWIDTH>=1000", 15}},
    };
    static const surtitle_track tracks[] = {
        {sizeof(surtitle_track), SURTITLE_TRACK_DEFAULT, 0, {"en.m3u8", 7}, {"English", 7}, {"en", 2}, {0}, {0}, {0}},
        {sizeof(surtitle_track), SURTITLE_TRACK_SDH, 0, {"sv.m3u8", 7}, {"Svenska", 7}, {"sv", 2}, {0}, {0}, {0}},
    };
    surtitle_edit edits[8];
    size_t count = 0;
    unsigned mask = choose(choices, 256);
    for (unsigned i = 0; i < 8; i++) {
        if (mask >> i & 1) edits[count++] = pool[i];
    }
    unsigned more = choose(choices, 64);
    surtitle_settings settings = {.size = sizeof settings, .tracks = tracks, .track_count = more % 3, .edits = edits, .edit_count = count};
    if (more & 4) settings.flags |= SURTITLE_REPLACES_DEFAULT;
    if (more & 8) settings.flags |= SURTITLE_FAILS_PAST_LIMIT;
    if (more & 16) settings.longest_line = 40;
    if (more & 32) settings.held_renditions = 300;
    surtitle_configuration *made;
    surtitle_error error = {.size = sizeof error};
    int status = known(surtitle_configuration_create(&settings, &made, &error));
    LAW((status == SURTITLE_OK) == (made != NULL) && (status == SURTITLE_OK || error.status == status));
    return made;
}

static uint8_t memory[1 << 16];

// Writes into memory of any size, and takes what is left.
static int into_memory(surtitle_rewriter *rewriter, int status, size_t written, size_t capacity) {
    int first = status;
    join(memory, written);
    for (;;) {
        surtitle_report report = {.size = sizeof report};
        LAW(surtitle_rewriter_report(rewriter, &report) == SURTITLE_OK);
        if (report.output_left == 0) return first == SURTITLE_MORE_OUTPUT ? SURTITLE_OK : first;
        size_t none;
        LAW(surtitle_rewriter_finish_to(rewriter, memory, capacity, &none) == SURTITLE_OUTPUT_LEFT && none == 0);
        status = known(surtitle_rewriter_take(rewriter, memory, capacity, &written));
        LAW(status == SURTITLE_OK || (status == SURTITLE_MORE_OUTPUT && written == capacity));
        join(memory, written);
    }
}

static void playlists(choices *choices, const uint8_t *text, size_t count) {
    surtitle_configuration *made = configuration(choices);
    if (made == NULL) return;
    surtitle_rewriter *rewriter;
    surtitle_rewriter_options options = {sizeof options, choose(choices, 3) == 0 ? 1 : SIZE_MAX >> choose(choices, 64), 64};
    LAW(surtitle_rewriter_create(made, &options, &rewriter) == SURTITLE_OK);
    surtitle_configuration_destroy(made);
    size_t needed;
    int status = known(surtitle_rewriter_whole(rewriter, text, count, NULL, 0, &needed));
    LAW(status == SURTITLE_TOO_SMALL || needed == 0);
    uint8_t *whole = malloc(needed + 1);
    size_t again;
    int failure = known(surtitle_rewriter_whole(rewriter, text, count, whole, needed, &again));
    LAW(again == needed && (failure == SURTITLE_OK || failure == SURTITLE_LIMIT_EXCEEDED));
    for (int round = 0; round < 3; round++) {
        LAW(surtitle_rewriter_reset(rewriter) == SURTITLE_OK);
        joined_count = 0;
        int failures = 0;
        size_t offset = 0;
        const surtitle_piece *pieces;
        size_t n, capacity = choose(choices, 2) ? sizeof memory : 1 + choose(choices, 100);
        int is_torn = choose(choices, 8) == 7;
        size_t end = is_torn ? count / 2 : count;
        while (offset < end) {
            size_t size = 1 + choose(choices, 200);
            if (size > end - offset || choices->next == choices->end) size = end - offset;
            // The chunk stands alone, so that reading past it is noticed.
            uint8_t *chunk = malloc(size);
            memcpy(chunk, text + offset, size);
            offset += size;
            if (choose(choices, 2)) {
                status = known(surtitle_rewriter_write(rewriter, chunk, size, &pieces, &n));
                join_pieces(pieces, n, chunk, size);
            } else {
                status = known(surtitle_rewriter_write_to(rewriter, chunk, size, memory, capacity, &n));
                status = into_memory(rewriter, status, n, capacity);
            }
            failures += status == SURTITLE_LIMIT_EXCEEDED;
            LAW(status == SURTITLE_OK || status == SURTITLE_LIMIT_EXCEEDED);
            free(chunk);
        }
        surtitle_report report = {.size = sizeof report};
        LAW(surtitle_rewriter_report(rewriter, &report) == SURTITLE_OK && failures <= 2);
        if (is_torn) {
            size_t before = joined_count;
            LAW(surtitle_rewriter_abandon(rewriter, &pieces, &n) == SURTITLE_OK);
            join_pieces(pieces, n, NULL, 0);
            LAW(joined_count - before == report.held_bytes);
        } else if (choose(choices, 2)) {
            LAW(surtitle_rewriter_finish(rewriter, &pieces, &n) == SURTITLE_OK);
            join_pieces(pieces, n, NULL, 0);
        } else {
            status = known(surtitle_rewriter_finish_to(rewriter, memory, capacity, &n));
            LAW(into_memory(rewriter, status, n, capacity) == SURTITLE_OK);
        }
        if (!is_torn) LAW(joined_count == needed && (needed == 0 || memcmp(joined, whole, needed) == 0));
        LAW(surtitle_rewriter_write(rewriter, text, count, &pieces, &n) == SURTITLE_ENDED && n == 0);
    }
    free(whole);
    surtitle_rewriter_destroy(rewriter);
}

static void subtitles(choices *choices, const uint8_t *text, size_t count) {
    int64_t final = -1, latest = -1;
    int status = known(surtitle_final_cue_end(text, count, &final));
    LAW(status == known(surtitle_latest_cue_end(text, count, &latest)) || final <= latest);
    size_t needed = 0, written = 0;
    int converted = known(surtitle_subrip_to_webvtt(text, count, NULL, 0, &needed, NULL));
    uint8_t *webvtt = malloc(needed + 1);
    LAW(webvtt != NULL && converted != SURTITLE_OK && (converted == SURTITLE_TOO_SMALL || needed == 0));
    LAW(surtitle_subrip_to_webvtt(text, count, webvtt, needed, &written, NULL) == (needed > 0 ? SURTITLE_OK : converted));
    LAW(written == needed && (needed == 0 || memcmp(webvtt, "WEBVTT\n", 7) == 0));
    free(webvtt);
    surtitle_cue_scanner *scanner;
    LAW(surtitle_cue_scanner_create(0, &scanner) == SURTITLE_OK);
    const surtitle_cue *cues;
    size_t n, total = 0, offset = 0;
    int64_t last = -1;
    while (offset <= count) {
        size_t size = 1 + choose(choices, 200);
        if (size > count - offset || choices->next == choices->end) size = count - offset;
        int is_end = offset == count;
        known(is_end ? surtitle_cue_scanner_finish(scanner, &cues, &n) : surtitle_cue_scanner_write(scanner, text + offset, size, &cues, &n));
        for (size_t i = 0; i < n; i++) {
            last = cues[i].end_milliseconds;
            joined_count = 0;
            join(cues[i].identifier, cues[i].identifier_count);
            join(cues[i].settings, cues[i].settings_count);
            join(cues[i].text, cues[i].text_count);
        }
        total += n;
        if (is_end) break;
        offset += size;
    }
    LAW((status == SURTITLE_OK) == (total > 0) && (total == 0 || last == final));
    surtitle_cue_scanner_destroy(scanner);

    surtitle_segment_settings settings = {.size = sizeof settings, .step = 1000000000u * (1 + choose(choices, 20))};
    surtitle_segmenter *segmenter;
    LAW(surtitle_segmenter_create(&settings, &segmenter) == SURTITLE_OK);
    const surtitle_segment *segments;
    surtitle_error error = {.size = sizeof error};
    known(surtitle_segmenter_cut(segmenter, text, count, &segments, &n, &error));
    for (size_t i = 0; i < n; i++) {
        LAW(segments[i].count >= 6 && memcmp(segments[i].bytes, "WEBVTT", 6) == 0 && segments[i].duration_nanoseconds > 0);
    }
    surtitle_segmenter_destroy(segmenter);
    surtitle_timestamp_mapper *mapper;
    LAW(surtitle_timestamp_mapper_create(900000, 0, &mapper) == SURTITLE_OK);
    const surtitle_piece *pieces;
    LAW(surtitle_timestamp_mapper_write(mapper, text, count, &pieces, &n) == SURTITLE_OK);
    LAW(surtitle_timestamp_mapper_finish(mapper, &pieces, &n) == SURTITLE_OK);
    surtitle_timestamp_mapper_destroy(mapper);
    surtitle_media_scanner *media;
    uint64_t ticks;
    LAW(surtitle_media_scanner_create(&media) == SURTITLE_OK);
    known(surtitle_media_scanner_write(media, text, count, &ticks));
    LAW(known(surtitle_media_scanner_finish(media, &ticks)) != SURTITLE_NEEDS_MORE);
    surtitle_media_scanner_destroy(media);
}

static void http(choices *choices, const uint8_t *text, size_t count) {
    surtitle_http_rules *rules;
    surtitle_exchange *exchange;
    LAW(surtitle_http_rules_create(NULL, &rules, NULL) == SURTITLE_OK && surtitle_exchange_create(rules, &exchange) == SURTITLE_OK);
    surtitle_http_rules_destroy(rules);
    static const char *names[] = {"Range", "ETag", "If-None-Match", "Content-Type", "Content-Length", "Cache-Control", "Accept-Encoding"};
    surtitle_field fields[8];
    size_t field_count = 0, offset = 0;
    while (field_count < 8 && offset < count) {
        size_t size = choose(choices, 60);
        if (size > count - offset) size = count - offset;
        const char *name = names[choose(choices, 7)];
        fields[field_count++] = (surtitle_field){name, strlen(name), (const char *)text + offset, size};
        offset += size + 1;
    }
    surtitle_decision decision = {.size = sizeof decision};
    for (int call = 0; call < 4; call++) {
        int status;
        if (choose(choices, 2)) {
            surtitle_text method = {"GET", 3}, target = {"/a.m3u8", choose(choices, 8)};
            status = surtitle_exchange_request(exchange, 1, -1, method, target, fields, field_count, &decision);
        } else {
            status = surtitle_exchange_response(exchange, 200 + (int)choose(choices, 200), (int)choose(choices, 4), fields, field_count, &decision);
        }
        if (known(status) != SURTITLE_OK) continue;
        for (size_t i = 0; i < decision.edit_count; i++) {
            for (size_t b = 0; b < decision.edits[i].value_count; b++) LAW(strchr("\r\n", decision.edits[i].value[b]) == NULL || decision.edits[i].value[b] == 0);
        }
    }
    surtitle_exchange_destroy(exchange);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t count) {
    if (count < 65) return 0;
    choices choices = {data + 1, data + 64};
    const uint8_t *text = data + 64;
    count -= 64;
    switch (data[0] % 8) {
    case 0: subtitles(&choices, text, count); break;
    case 1: http(&choices, text, count); break;
    case 2: {
        surtitle_configuration *made;
        surtitle_error error = {.size = sizeof error};
        if (known(surtitle_configuration_create_json(text, count, &made, &error)) != SURTITLE_OK) {
            LAW(made == NULL && error.message[0] != 0 && error.position <= (int64_t)count);
        }
        surtitle_configuration_destroy(made);
        break;
    }
    default: playlists(&choices, text, count);
    }
    return 0;
}
