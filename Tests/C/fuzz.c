// The C interface under libFuzzer, in random order of calls: fuzz [CORPUS…]
//
//     clang -g -O1 -fsanitize=fuzzer,address fuzz.c libsurtitle.a -I PREFIX/include -o fuzz
//
// 1. Every status is one of the enum's, and a call that is out of order is told so.
// 2. Whatever the chunks and the form, in pieces, into memory of any size, or whole, a playlist becomes the same.
// 3. What is abandoned comes out as it went in, as far as it was held.
// 4. What is handed out lies in the chunk where it says so, and can be read until the next call.
// 5. What a request gets lies in its resource, and no field of a request or an answer breaks out of its line.
// 6. A file that is cut while it passes by has the segments of the whole, unless a cue is out of order.
// 7. A fetch ends in as many requests as its limit, and is then what it was the first time.
// 8. A version that is refused has changed nothing. A channel that is saved and restored is what it was, and of a state that somebody has
//    altered comes a channel like others, or an error.
// 9. Where chunks of cues end never shows in whether they are taken.
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
    static const surtitle_track_key english[] = {
        {{"uri", 3}, {"en.m3u8", 7}}, {{"name", 4}, {"English", 7}}, {{"language", 8}, {"en", 2}}, {{"default", 7}, {NULL, 0}}};
    static const surtitle_track_key swedish[] = {
        {{"uri", 3}, {"sv.m3u8", 7}}, {{"name", 4}, {"Svenska", 7}}, {{"language", 8}, {"sv", 2}}, {{"sdh", 3}, {"yes", 3}}};
    static const surtitle_track tracks[] = {{sizeof(surtitle_track), english, 4}, {sizeof(surtitle_track), swedish, 4}};
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

// A segment that was handed out; its bytes end at `end` of `joined`. Of the whole, and of the last stream.
typedef struct segment_shape {
    size_t end;
    uint64_t start, duration, cues;
} segment_shape;

static segment_shape shapes[2][4096];
static size_t shape_count[2];

static void take_events(const surtitle_segment_event *events, size_t n, int *is_open, const uint8_t *chunk, size_t chunk_count) {
    for (size_t i = 0; i < n; i++) {
        LAW(events[i].index == shape_count[1] && *is_open == (events[i].kind != SURTITLE_SEGMENT_BEGAN));
        *is_open = events[i].kind != SURTITLE_SEGMENT_ENDED;
        if (events[i].kind == SURTITLE_SEGMENT_BYTES) {
            surtitle_piece piece = {events[i].bytes, events[i].count, events[i].chunk_offset};
            join_pieces(&piece, 1, chunk, chunk_count);
        } else {
            LAW(events[i].bytes == NULL && events[i].count == 0);
        }
        if (events[i].kind != SURTITLE_SEGMENT_ENDED) continue;
        segment_shape shape = {joined_count, events[i].start_nanoseconds, events[i].duration_nanoseconds, events[i].cue_count};
        if (shape_count[1] < 4096) shapes[1][shape_count[1]] = shape;
        shape_count[1]++;
    }
}

// Cuts the text, or half of it, in chunks of any size, and returns how that ends.
static int stream(surtitle_segmenter *segmenter, choices *choices, const uint8_t *text, size_t count, int is_torn) {
    const surtitle_segment_event *events;
    surtitle_error error = {.size = sizeof error};
    size_t n, offset = 0, end = is_torn ? count / 2 : count;
    int status = SURTITLE_OK, is_open = 0;
    uint64_t held;
    joined_count = shape_count[1] = 0;
    while (offset < end) {
        size_t size = 1 + choose(choices, 200);
        if (size > end - offset || choices->next == choices->end) size = end - offset;
        uint8_t *chunk = malloc(size);
        LAW(chunk != NULL);
        memcpy(chunk, text + offset, size);
        int again = known(surtitle_segmenter_write(segmenter, chunk, size, &events, &n, &error));
        LAW(status == SURTITLE_OK || (again == status && n == 0));
        take_events(events, n, &is_open, chunk, size);
        free(chunk);
        status = again;
        offset += size;
        LAW(status == SURTITLE_OK || (error.status == status && error.position <= (int64_t)count && error.message[0] != 0));
        LAW(surtitle_segmenter_held_bytes(segmenter, &held) == SURTITLE_OK && held <= 2 * offset && (status == SURTITLE_OK || held == 0));
    }
    if (is_torn) {
        LAW(surtitle_segmenter_abandon(segmenter) == SURTITLE_OK);
    } else {
        int again = known(surtitle_segmenter_finish(segmenter, &events, &n, NULL));
        LAW(status == SURTITLE_OK || (again == status && n == 0));
        take_events(events, n, &is_open, NULL, 0);
        status = again;
        LAW(status != SURTITLE_OK || !is_open);
    }
    LAW(surtitle_segmenter_write(segmenter, text, count, &events, &n, &error) == SURTITLE_ENDED && n == 0);
    LAW(surtitle_segmenter_held_bytes(segmenter, &held) == SURTITLE_OK && held == 0);
    return status;
}

static void segments(choices *choices, const uint8_t *text, size_t count) {
    surtitle_segment_settings settings = {.size = sizeof settings, .step = 1000000000u * (1 + choose(choices, 20))};
    settings.cues_once = (int)choose(choices, 2);
    surtitle_segmenter *segmenter;
    LAW(surtitle_segmenter_create(&settings, &segmenter) == SURTITLE_OK);
    const surtitle_segment *segments;
    surtitle_error error = {.size = sizeof error};
    size_t n;
    int whole = known(surtitle_segmenter_cut(segmenter, text, count, &segments, &n, &error));
    joined_count = 0;
    shape_count[0] = n;
    for (size_t i = 0; i < n; i++) {
        LAW(segments[i].count >= 6 && memcmp(segments[i].bytes, "WEBVTT", 6) == 0 && segments[i].duration_nanoseconds > 0);
        join(segments[i].bytes, segments[i].count);
        segment_shape shape = {joined_count, segments[i].start_nanoseconds, segments[i].duration_nanoseconds, segments[i].cue_count};
        if (i < 4096) shapes[0][i] = shape;
    }
    size_t whole_count = joined_count;
    uint8_t *bytes = malloc(whole_count + 1);
    LAW(bytes != NULL);
    if (whole_count > 0) memcpy(bytes, joined, whole_count);
    for (int round = 0; round < 3; round++) {
        int is_torn = choose(choices, 8) == 7;
        int status = stream(segmenter, choices, text, count, is_torn);
        if (!is_torn) LAW(status == whole || status == SURTITLE_OUT_OF_ORDER);
        if (!is_torn && status == SURTITLE_OK) {
            LAW(joined_count == whole_count && (whole_count == 0 || memcmp(joined, bytes, whole_count) == 0));
            LAW(shape_count[0] == shape_count[1]);
            LAW(memcmp(shapes[0], shapes[1], (shape_count[0] < 4096 ? shape_count[0] : 4096) * sizeof shapes[0][0]) == 0);
        }
        // A file that is cut as a whole takes the place of the one before, as a reset does.
        if (choose(choices, 2)) LAW(surtitle_segmenter_reset(segmenter) == SURTITLE_OK);
        else LAW(known(surtitle_segmenter_cut(segmenter, text, count, &segments, &n, &error)) == whole && n == shape_count[0]);
    }
    free(bytes);
    surtitle_segmenter_destroy(segmenter);
}

static void subtitles(choices *choices, const uint8_t *text, size_t count) {
    int64_t final = -1, latest = -1;
    int status = known(surtitle_final_cue_end(text, count, &final));
    LAW(status == known(surtitle_latest_cue_end(text, count, &latest)) || final <= latest);
    size_t needed = 0, written = 0;
    int converted = known(surtitle_to_webvtt(SURTITLE_FORMAT_SUBRIP, text, count, NULL, 0, &needed, NULL));
    uint8_t *webvtt = malloc(needed + 1);
    LAW(webvtt != NULL && converted != SURTITLE_OK && (converted == SURTITLE_TOO_SMALL || needed == 0));
    LAW(surtitle_to_webvtt(SURTITLE_FORMAT_SUBRIP, text, count, webvtt, needed, &written, NULL) == (needed > 0 ? SURTITLE_OK : converted));
    LAW(written == needed && (needed == 0 || memcmp(webvtt + (webvtt[0] == 0xEF ? 3 : 0), "WEBVTT", 6) == 0));
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

    segments(choices, text, count);
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

// Reads all of what is handed out, so that what cannot be read is noticed.
static void read_all(const void *bytes, size_t count) {
    joined_count = 0;
    join(bytes, count);
}

static void read_fields(const surtitle_field *fields, size_t count) {
    for (size_t i = 0; i < count; i++) {
        read_all(fields[i].name, fields[i].name_count);
        for (size_t b = 0; b < fields[i].value_count; b++) LAW(fields[i].value[b] != '\r' && fields[i].value[b] != '\n');
    }
}

static void routes(choices *choices, const uint8_t *text, size_t count) {
    static const char *jsons[] = {
        "{\"master\": \"https://a.example/m.m3u8\"}",
        "{\"master\": \"https://a.example/m.m3u8\", \"webvtt\": \"bytes\", \"keys\": \"fetch\", \"headers\": {\"X-App\": \"1\"}, \"tracks\": ["
        "{\"uri\": \"en.vtt\", \"language\": \"en\", \"name\": \"A\"}, {\"uri\": \"de.m3u8\", \"language\": \"de\", \"name\": \"B\"}]}",
        "{\"master\": \"http://a.example/m.m3u8\", \"base\": \"http://b.example/\", \"segments\": \"redirect\", \"probe\": \"redirect\", "
        "\"missing-track\": \"fail\", \"tracks\": [{\"uri\": \"en.srt\", \"name\": \"A\", \"duration\": 2}], \"limits\": {\"longest-line\": 30, \"past-limit\": \"fail\"}}",
    };
    static const char *urls[] = {
        "surtitle-master-https://a.example/m.m3u8", "http://b.example/master/http/a.example/m.m3u8", "surtitle-track://subtitles/en.m3u8",
        "surtitle-track://subtitles/en.vtt", "surtitle-track://subtitles/de.m3u8", "surtitle-track://subtitles/de.vtt",
        "http://b.example/track/track.m3u8", "http://b.example/track/track.vtt", "surtitle-cues-https://c.example/a.vtt",
        "surtitle-key-https://c.example/k", "surtitle-variant-https://c.example/v.m3u8", "skd://a", "surtitle-track://subtitles/", "surtitle-key-",
    };
    const char *json = jsons[choose(choices, 3)];
    surtitle_router *router;
    surtitle_route *route;
    LAW(surtitle_router_create((const uint8_t *)json, strlen(json), &router, NULL) == SURTITLE_OK);
    LAW(surtitle_route_create(router, &route) == SURTITLE_OK);
    surtitle_router_destroy(router);
    size_t line = 0;
    while (line < count && text[line] != '\n') line++;
    for (int round = 0; round < 3; round++) {
        // A URL of a list, with or without the text behind it, or the text alone.
        const char *start = urls[choose(choices, sizeof urls / sizeof urls[0])];
        char url[512];
        size_t tail = choose(choices, 4) == 0 ? (line < 200 ? line : 200) : 0;
        size_t length = choose(choices, 8) == 0 ? 0 : strlen(start);
        memcpy(url, start, length);
        memcpy(url + length, text, tail);
        int64_t numbers[] = {0, 2, INT64_MAX, INT64_MIN, -1, (int64_t)choose(choices, 200)};
        const surtitle_field fields[] = {
            {"Range", 5, (const char *)text, line}, {"Connection", 10, (const char *)text, line}, {"X", 1, (const char *)text, count}};
        surtitle_text type = {(const char *)text, line};
        surtitle_route_request request = {
            .size = sizeof request, .url = {url, length + tail}, .offset = numbers[choose(choices, 6)], .length = numbers[choose(choices, 6)],
            .to_end = (int)choose(choices, 2), .wants_information = (int)choose(choices, 2), .fields = fields, .field_count = choose(choices, 4),
            .content_types = &type, .content_type_count = choose(choices, 2)};
        surtitle_plan plan = {.size = sizeof plan};
        LAW(surtitle_route_plan(route, &request, &plan) == SURTITLE_OK);
        read_all(plan.url.bytes, plan.url.count);
        read_all(plan.description.bytes, plan.description.count);
        LAW(plan.description.count > 0);
        read_fields(plan.fields, plan.field_count);
        surtitle_hop hop = {.size = sizeof hop};
        surtitle_text there = {(const char *)text, line < 100 ? line : 100}, none = {NULL, 0};
        if (choose(choices, 2)) there = (surtitle_text){"https://d.example/a", 19};
        LAW(surtitle_route_hop(route, (int)choose(choices, 7), there, choose(choices, 2) ? plan.url : none, &hop) == SURTITLE_OK);
        read_fields(hop.fields, hop.field_count);
        // From then on the plan is a redirect.
        LAW(hop.permission != SURTITLE_HOP_LEFT_TO_CLIENT || plan.kind >= SURTITLE_PLAN_FETCH_MASTER);
        int kind = hop.permission == SURTITLE_HOP_LEFT_TO_CLIENT ? SURTITLE_PLAN_REDIRECT : plan.kind;
        size_t left_out = choose(choices, 3);
        surtitle_material material = {
            .size = sizeof material, .flags = choose(choices, 3), .bytes = text, .count = count, .left_out = &left_out, .left_out_count = choose(choices, 2),
            .url = {(const char *)text, choose(choices, 4) == 0 ? line : 0}, .duration_nanoseconds = (uint64_t)choose(choices, 3) << choose(choices, 64)};
        if (material.url.count == 0) material.url.bytes = NULL;
        surtitle_resource resource = {.size = sizeof resource};
        surtitle_error error = {.size = sizeof error};
        int status = known(surtitle_route_fill(route, &material, &resource, &error));
        if (kind < SURTITLE_PLAN_FETCH_MASTER) LAW(status == SURTITLE_INVALID_VALUE);
        surtitle_answer answer = {.size = sizeof answer};
        surtitle_http_answer http = {.size = sizeof http};
        if (status == SURTITLE_OK) {
            if (material.flags == SURTITLE_MATERIAL_READY) LAW(resource.count == count && (count == 0 || memcmp(resource.bytes, text, count) == 0));
            read_all(resource.bytes, resource.count);
            LAW(surtitle_route_answer(route, &answer) == SURTITLE_OK);
            LAW(answer.offset + answer.count <= resource.count);
            LAW(answer.count == 0 || answer.bytes == resource.bytes + answer.offset);
            LAW(!answer.has_information || answer.length == resource.count);
        } else {
            LAW(error.status == status && error.message[0] != 0 && surtitle_route_answer(route, &answer) == SURTITLE_INVALID_VALUE);
        }
        surtitle_text method = {choose(choices, 4) == 0 ? "HEAD" : "GET", 3 + choose(choices, 2)};
        int answered = known(surtitle_route_http_answer(route, method, fields, choose(choices, 2), &http));
        int may_be_anything = kind == SURTITLE_PLAN_FETCH_PLAYLIST || kind == SURTITLE_PLAN_FETCH_MEDIA_PLAYLIST;
        int is_redirected = status == SURTITLE_NOT_PLAYLIST && may_be_anything;
        LAW((answered == SURTITLE_OK) == (status == SURTITLE_OK || kind < SURTITLE_PLAN_FETCH_MASTER || is_redirected));
        LAW(!is_redirected || (http.http_status == 302 && http.count == 0));
        if (answered == SURTITLE_OK) {
            read_fields(http.fields, http.field_count);
            LAW(http.count == 0 || (http.offset + http.count <= resource.count && http.bytes == resource.bytes + http.offset));
        }
    }
    surtitle_route_destroy(route);
}

// "Decrypts" what is handed out: as it is, not at all, or as too few bytes.
static void decrypt(surtitle_fetch *fetch, choices *choices) {
    surtitle_decryption decryption = {.size = sizeof decryption};
    LAW(surtitle_fetch_decryption(fetch, &decryption) == SURTITLE_OK && decryption.count > 0 && decryption.count % 16 == 0);
    size_t count = decryption.count >> choose(choices, 2);
    uint8_t *bytes = malloc(count + 32);
    LAW(bytes != NULL);
    memcpy(bytes, decryption.bytes, count);
    memcpy(bytes + count, decryption.key, 16);
    memcpy(bytes + count + 16, decryption.vector, 16);
    LAW(surtitle_fetch_decrypted(fetch, bytes, choose(choices, 4) == 3 ? 0 : count) == SURTITLE_OK);
    free(bytes);
}

// Runs a job against an origin that serves the text for every URL, as its choices have it, and returns how it ends.
static int run(surtitle_fetch *fetch, choices choices, const uint8_t *text, size_t count, int *requests) {
    surtitle_fetch_request request = {.size = sizeof request};
    int status;
    *requests = 0;
    while ((status = known(surtitle_fetch_next(fetch, &request))) == SURTITLE_NEEDS_MORE || status == SURTITLE_NEEDS_DECRYPTION) {
        if (status == SURTITLE_NEEDS_DECRYPTION) {
            decrypt(fetch, &choices);
            continue;
        }
        LAW(++*requests <= 16 && request.url.count > 0);
        read_fields(request.fields, request.field_count);
        size_t first = 0, end = count;
        if (request.range == SURTITLE_RANGE_SUFFIX && request.range_count < count) first = count - (size_t)request.range_count;
        if (request.range == SURTITLE_RANGE_BYTES) {
            first = request.range_offset < count ? (size_t)request.range_offset : count;
            if (request.range_count < end - first) end = first + (size_t)request.range_count;
        }
        static const int statuses[] = {0, 0, 0, 0, 0, 404, 416, 302};
        int answer = statuses[choose(&choices, 8)];
        int is_part = request.range != SURTITLE_RANGE_NONE && first < end && choose(&choices, 4) != 0;
        if (!is_part) {
            first = 0;
            end = count;
        }
        char place[80];
        int length = snprintf(place, sizeof place, "bytes %zu-%zu/%zu", first, end - (end > first), count + (choose(&choices, 16) == 15));
        surtitle_field field = {is_part ? "Content-Range" : "ETag", is_part ? 13 : 4, place, (size_t)length};
        surtitle_text url = {"https://b.example/x/y", choose(&choices, 8) == 0 ? 21 : 0};
        if (url.count == 0) url.bytes = NULL;
        int need = known(surtitle_fetch_begin(fetch, answer == 0 ? (is_part ? 206 : 200) : answer, url, (int)choose(&choices, 2), &field, 1));
        while (need == SURTITLE_NEEDS_MORE && first < end) {
            size_t size = 1 + choose(&choices, 200);
            if (size > end - first || choices.next == choices.end) size = end - first;
            uint8_t *chunk = malloc(size);
            memcpy(chunk, text + first, size);
            need = known(surtitle_fetch_write(fetch, chunk, size));
            free(chunk);
            first += size;
            uint64_t held;
            LAW(surtitle_fetch_held_bytes(fetch, &held) == SURTITLE_OK && held <= 2 * count + 4096);
        }
        if (need == SURTITLE_NEEDS_MORE) LAW((choose(&choices, 8) == 7 ? surtitle_fetch_fail(fetch) : surtitle_fetch_finish(fetch)) == SURTITLE_OK);
    }
    return status;
}

static void fetches(choices *choices, const uint8_t *text, size_t count) {
    surtitle_fetch_settings settings = {
        .size = sizeof settings, .job = (int)choose(choices, 4), .format = (int)choose(choices, 3), .url = {"https://a.example/a", 19},
        .video = {"https://a.example/v", 19}, .tail = choose(choices, 3) * 50, .block = choose(choices, 3) * 100, .file = choose(choices, 8) * 500};
    if (settings.job == SURTITLE_FETCH_CONTENT) settings.map = (int)choose(choices, 4);
    surtitle_fetch *fetch;
    LAW(surtitle_fetch_create(&settings, &fetch) == SURTITLE_OK);
    LAW(surtitle_fetch_set_decrypts(fetch, (int)choose(choices, 2)) == SURTITLE_OK);
    int requests, again;
    int status = run(fetch, *choices, text, count, &requests);
    surtitle_fetched first = {.size = sizeof first}, second = {.size = sizeof second};
    LAW(surtitle_fetch_result(fetch, &first) == status);
    LAW((status == SURTITLE_FETCH_FAILED) <= (first.failure != SURTITLE_FAILURE_NONE) && (first.message.count > 0) == (first.failure != 0));
    if (status == SURTITLE_OK && settings.job == SURTITLE_FETCH_DURATION) LAW(first.duration_nanoseconds > 0);
    uint8_t *bytes = malloc(first.count + 1);
    LAW(bytes != NULL);
    if (first.count > 0) memcpy(bytes, first.bytes, first.count);
    LAW(surtitle_fetch_reset(fetch) == SURTITLE_OK && run(fetch, *choices, text, count, &again) == status && again == requests);
    LAW(surtitle_fetch_result(fetch, &second) == status && second.count == first.count && second.failure == first.failure);
    LAW(second.count == 0 || memcmp(second.bytes, bytes, second.count) == 0);
    free(bytes);
    LAW(second.mpegts == first.mpegts && second.duration_nanoseconds == first.duration_nanoseconds);
    surtitle_fetch_destroy(fetch);
}

// A version of a live playlist.
static size_t version(choices *choices, char *playlist, size_t capacity) {
    unsigned flags = choose(choices, 256), first = choose(choices, 12), end = first + choose(choices, 8);
    size_t count = (size_t)snprintf(playlist, capacity,
        "#EXTM3U\n#EXT-X-TARGETDURATION:4\n#EXT-X-MEDIA-SEQUENCE:%u\n%s%s", first,
        flags & 1 ? "#EXT-X-PART-INF:PART-TARGET=1\n#EXT-X-SERVER-CONTROL:CAN-BLOCK-RELOAD=YES,PART-HOLD-BACK=3\n" : "",
        flags & 2 ? "#EXT-X-MAP:URI=\"i.mp4\",BYTERANGE=\"9@0\"\n" : "");
    for (unsigned i = first; i < end; i++) {
        if (flags & 4 && i % 5 == 3) count += (size_t)snprintf(playlist + count, capacity - count, "#EXT-X-DISCONTINUITY\n");
        if (flags & 8) {
            count += (size_t)snprintf(playlist + count, capacity - count, "#EXT-X-PROGRAM-DATE-TIME:2026-01-01T00:00:%02u.%u00Z\n", 4 * i % 60, i % 3);
        }
        count += (size_t)snprintf(playlist + count, capacity - count, "#EXTINF:%s,\n%u.ts\n", i % 4 == 1 ? "04.00" : i % 4 == 2 ? "3.5" : "4", i);
    }
    for (unsigned part = 0; flags & 1 && part < flags >> 6; part++) {
        count += (size_t)snprintf(playlist + count, capacity - count, "#EXT-X-PART:DURATION=1,URI=\"%u.%u\"\n", end, part);
    }
    if (flags & 32) count += (size_t)snprintf(playlist + count, capacity - count, "#EXT-X-ENDLIST\n");
    LAW(count < capacity);
    return count;
}

// What a channel says: its facts, its playlist, and the segments of its names.
static void tell(surtitle_channel *channel, surtitle_cue_index *index, surtitle_growing *growing) {
    surtitle_live_facts facts = {.size = sizeof facts};
    const surtitle_piece *pieces;
    size_t n;
    joined_count = 0;
    LAW(surtitle_channel_facts(channel, &facts) == SURTITLE_OK);
    facts.held_bytes = 0; // what is wanted counts, and is not in a state
    join((const uint8_t *)&facts, sizeof facts);
    LAW(surtitle_channel_playlist(channel, (surtitle_text){"en/", 3}, 0, &pieces, &n) == SURTITLE_OK);
    join_pieces(pieces, n, NULL, 0);
    for (uint64_t number = facts.first_segment > 8 ? facts.first_segment - 8 : 0; number <= facts.end_segment + 3 && number < facts.first_segment + 40; number++) {
        for (int part = -1; part < 4; part++) {
            char name[64];
            int length = part < 0 ? snprintf(name, sizeof name, "%llu.vtt", (unsigned long long)number)
                                  : snprintf(name, sizeof name, "%llu.%d.vtt", (unsigned long long)number, part);
            surtitle_live_span span = {.size = sizeof span};
            LAW(surtitle_channel_find(channel, (surtitle_text){name, (size_t)length}, &span) == SURTITLE_OK);
            // Which segment's time stamp is waited for is not in a state.
            if (span.place != SURTITLE_PLACE_MEDIA_START) join((const uint8_t *)&span, sizeof span);
            LAW(surtitle_cue_index_write(index, &span, &pieces, &n) == SURTITLE_OK);
            join_pieces(pieces, n, NULL, 0);
            LAW(surtitle_growing_write(growing, &span, &pieces, &n) == SURTITLE_OK);
            join_pieces(pieces, n, NULL, 0);
        }
    }
}

static uint64_t hash_of_joined(void) {
    uint64_t hash = 14695981039346656037u;
    for (size_t i = 0; i < joined_count; i++) hash = (hash ^ joined[i]) * 1099511628211u;
    return hash;
}

// Saves the channel, and goes on with it as another process would. With `altered` a byte of the state is another first.
static surtitle_channel *hand_on(
    surtitle_channel *channel, const surtitle_channel_settings *settings, surtitle_cue_index *index, surtitle_growing *growing, choices *choices,
    int altered) {
    size_t needed, written;
    LAW(surtitle_channel_save(channel, NULL, 0, &needed) == SURTITLE_TOO_SMALL);
    uint8_t *state = malloc(needed);
    LAW(state != NULL && surtitle_channel_save(channel, state, needed, &written) == SURTITLE_OK && written == needed);
    surtitle_channel *other;
    surtitle_error error = {.size = sizeof error};
    size_t cut = choose(choices, 256) % needed;
    LAW(surtitle_channel_restore(settings, state, cut, &other, &error) == SURTITLE_LIVE_REFUSED && other == NULL && error.position <= (int64_t)cut);
    if (altered) state[(cut + 256 * choose(choices, 2)) % needed] ^= (uint8_t)(1 + choose(choices, 255));
    int status = known(surtitle_channel_restore(settings, state, needed, &other, &error));
    LAW((status == SURTITLE_OK) == (other != NULL) && (altered || status == SURTITLE_OK));
    free(state);
    if (other == NULL) return channel;
    if (!altered) {
        tell(channel, index, growing);
        uint64_t hash = hash_of_joined();
        tell(other, index, growing);
        LAW(hash == hash_of_joined());
    }
    surtitle_channel_destroy(channel);
    return other;
}

static void live(choices *choices, const uint8_t *text, size_t count) {
    unsigned flags = choose(choices, 256);
    surtitle_channel_settings settings = {.size = sizeof settings, .anchor = (int)choose(choices, 5), .map = (int)(flags & 1)};
    settings.anchor_value = settings.anchor == SURTITLE_ANCHOR_DATE ? 1767225600000000000 : 3;
    settings.is_plain = flags >> 1 & 1;
    surtitle_growing_settings growth = {
        .size = sizeof growth, .name = {"en", 2}, .format = (int)choose(choices, 3), .late = (int)choose(choices, 3), .has_latency = flags >> 2 & 1,
        .most_kept = flags & 8 ? 300 : 0};
    static const char cues[] = "WEBVTT\n\n00:01.000 --> 00:09.000\na\n\n00:05.000 --> 00:06.000\nb\n";
    surtitle_channel *channel;
    surtitle_growing *growing, *whole;
    surtitle_cue_index *index;
    LAW(surtitle_channel_create(&settings, &channel) == SURTITLE_OK);
    LAW(surtitle_growing_create(&growth, &growing) == SURTITLE_OK && surtitle_growing_create(&growth, &whole) == SURTITLE_OK);
    LAW(surtitle_cue_index_create(cues, sizeof cues - 1, (surtitle_text){"en", 2}, 0, &index, NULL) == SURTITLE_OK);
    surtitle_error error = {.size = sizeof error};
    size_t offset = 0;
    static char playlist[4096];
    int failure = SURTITLE_OK;
    while (choices->next < choices->end) {
        int change = -1, status;
        unsigned what = choose(choices, 8);
        if (what == 0) {
            tell(channel, index, growing);
            uint64_t hash = hash_of_joined();
            status = known(surtitle_channel_take(channel, text, count, &change, &error));
            if (status != SURTITLE_OK) {
                tell(channel, index, growing);
                LAW(hash == hash_of_joined() && change == -1 && error.status == status && error.position <= (int64_t)count);
            }
        } else if (what < 4) {
            status = known(surtitle_channel_take(channel, playlist, version(choices, playlist, sizeof playlist), &change, &error));
            LAW(status == SURTITLE_OK || status == SURTITLE_LIVE_REFUSED);
        } else if (what == 4) {
            channel = hand_on(channel, &settings, index, growing, choices, (int)choose(choices, 2));
        }
        surtitle_live_want want = {.size = sizeof want};
        for (int wanted = 0; wanted < 4 && surtitle_channel_next(channel, &want) == SURTITLE_OK; wanted++) {
            joined_count = 0;
            join((const uint8_t *)want.uri.bytes, want.uri.count);
            join((const uint8_t *)want.init_uri.bytes, want.init_uri.count);
            if (flags & 16) LAW(surtitle_channel_no_media_start(channel, want.segment) == SURTITLE_OK);
            else LAW(surtitle_channel_media_start(channel, want.segment, 360000 * (want.segment + choose(choices, 2))) == SURTITLE_OK);
        }
        size_t size = choose(choices, 100);
        if (size > count - offset) size = count - offset;
        uint8_t *chunk = malloc(size);
        if (size > 0) memcpy(chunk, text + offset, size);
        status = known(surtitle_growing_append(growing, chunk, size, &error));
        free(chunk);
        offset += size;
        LAW(failure == SURTITLE_OK || status == failure);
        failure = status;
        if (choose(choices, 2)) LAW(surtitle_growing_seal(growing, channel) == SURTITLE_OK);
    }
    // The same cues at once.
    LAW(surtitle_growing_append(whole, text, offset, &error) == failure);
    LAW(known(surtitle_growing_finish(growing, &error)) == known(surtitle_growing_finish(whole, &error)));
    LAW(surtitle_growing_reset(growing) == SURTITLE_OK && surtitle_growing_append(growing, "", 0, NULL) == SURTITLE_OK);
    surtitle_cue_index_destroy(index);
    surtitle_growing_destroy(growing);
    surtitle_growing_destroy(whole);
    surtitle_channel_destroy(channel);
}

// Those who ask a stream, and fetches that end in any way, in any order.
static void serve(choices *choices, const uint8_t *text, size_t count) {
    unsigned flags = choose(choices, 256);
    surtitle_channel_settings settings = {.size = sizeof settings, .anchor = SURTITLE_ANCHOR_FIRST_VERSION, .map = (int)(flags & 1), .is_plain = (int)(flags >> 1 & 1)};
    static const surtitle_text url = {"https://a.example/live/v.m3u8", 29}, none = {NULL, 0};
    static const char *const asked[] = {"8.vtt", "9.1.vtt", "_HLS_msn=9&_HLS_part=1", "_HLS_msn=18446744073709551615&_HLS_skip=YES", "0.vtt", ""};
    surtitle_stream *stream;
    LAW(surtitle_stream_create(&settings, url, &stream) == SURTITLE_OK);
    surtitle_live_ask asks[3];
    memset(asks, 0, sizeof asks);
    surtitle_fetch *fetches[4] = {NULL, NULL, NULL, NULL};
    uint64_t numbers[4] = {0, 0, 0, 0};
    unsigned next = 0;
    int64_t now = 0;
    int is_altered = 0;
    static char playlist[4096];
    while (choices->next < choices->end) {
        unsigned what = choose(choices, 8), which = choose(choices, 4);
        surtitle_error error = {.size = sizeof error};
        now += choose(choices, 256) << choose(choices, 8);
        if (what < 4) {
            surtitle_live_ask *ask = &asks[which % 3];
            if (ask->size == 0 || what == 3) {
                const char *words = asked[choose(choices, 6)];
                *ask = (surtitle_live_ask){.size = sizeof *ask, .kind = (int)choose(choices, 2), .began = now, .text = {words, strlen(words)}};
            }
            surtitle_live_step step = {.size = sizeof step};
            surtitle_fetch *fetch;
            LAW(surtitle_stream_step(stream, ask, now, &step, &fetch) == SURTITLE_OK);
            LAW((fetch != NULL) == (step.kind == SURTITLE_STEP_FETCH) && (step.fetch > 0) == (fetch != NULL));
            LAW(step.kind != SURTITLE_STEP_WAIT || (step.wait > 0 && step.wait <= 60000));
            LAW(step.kind != SURTITLE_STEP_STATUS || is_altered || (step.http_status >= 400 && step.http_status < 600));
            if (step.kind == SURTITLE_STEP_PLAYLIST) {
                const surtitle_piece *pieces;
                size_t n;
                LAW(surtitle_stream_playlist(stream, (surtitle_text){"en/", 3}, 0, &pieces, &n) == SURTITLE_OK && n > 0);
                joined_count = 0;
                join_pieces(pieces, n, NULL, 0);
            }
            if (step.kind == SURTITLE_STEP_WAIT || step.kind == SURTITLE_STEP_FETCH) LAW(ask->waits_for > 0);
            else ask->size = 0;
            uint64_t number = step.fetch;
            if (fetch == NULL && what == 2 && known(surtitle_stream_early(stream, now, &number, &fetch)) != SURTITLE_OK) LAW(fetch == NULL);
            if (fetch == NULL) continue;
            surtitle_fetch_destroy(fetches[next % 4]);
            fetches[next % 4] = fetch;
            numbers[next++ % 4] = number;
        } else if (what < 7 && fetches[which] != NULL) {
            surtitle_fetch_request request = {.size = sizeof request};
            int change, need = SURTITLE_OK;
            if (known(surtitle_fetch_next(fetches[which], &request)) == SURTITLE_NEEDS_MORE) {
                static const int statuses[] = {200, 200, 200, 200, 404, 503, 400};
                need = known(surtitle_fetch_begin(fetches[which], statuses[choose(choices, 7)], none, 0, NULL, 0));
                size_t size = count;
                const void *body = text;
                if (request.purpose == SURTITLE_PURPOSE_VIDEO_PLAYLIST && what < 6) {
                    size = version(choices, playlist, sizeof playlist);
                    body = playlist;
                }
                if (need == SURTITLE_NEEDS_MORE) need = known(surtitle_fetch_write(fetches[which], body, size));
            }
            int status = known(surtitle_stream_take(stream, numbers[which] + (choose(choices, 8) == 7), fetches[which], now, &change, &error));
            LAW(need != SURTITLE_NEEDS_MORE || (status == SURTITLE_NEEDS_MORE && change == -1));
            if (need == SURTITLE_NEEDS_MORE) {
                LAW(surtitle_fetch_finish(fetches[which]) == SURTITLE_OK);
                status = known(surtitle_stream_take(stream, numbers[which], fetches[which], now, &change, &error));
            }
            if (status != SURTITLE_OK && status != SURTITLE_NEEDS_MORE) LAW(error.status == status && error.message[0] != 0 && change == -1);
        } else {
            LAW(surtitle_stream_cancel(stream, numbers[which]) == SURTITLE_OK);
            size_t needed, written;
            LAW(surtitle_stream_save(stream, NULL, 0, &needed) == SURTITLE_TOO_SMALL);
            uint8_t *state = malloc(needed);
            LAW(state != NULL && surtitle_stream_save(stream, state, needed, &written) == SURTITLE_OK && written == needed);
            int altered = choose(choices, 2) == 1;
            is_altered |= altered;
            if (altered) state[(choose(choices, 256) + 256 * choose(choices, 2)) % needed] ^= (uint8_t)(1 + choose(choices, 255));
            surtitle_stream *other;
            int status = known(surtitle_stream_restore(&settings, url, state, needed, &other, &error));
            LAW((status == SURTITLE_OK) == (other != NULL) && (altered || status == SURTITLE_OK));
            free(state);
            if (other == NULL) continue;
            surtitle_stream_destroy(stream);
            stream = other;
        }
    }
    for (int i = 0; i < 4; i++) surtitle_fetch_destroy(fetches[i]);
    surtitle_stream_destroy(stream);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t count) {
    if (count < 65) return 0;
    choices choices = {data + 1, data + 64};
    const uint8_t *text = data + 64;
    count -= 64;
    switch (data[0] % 8) {
    case 0: subtitles(&choices, text, count); break;
    case 1: http(&choices, text, count); break;
    case 3: routes(&choices, text, count); break;
    case 4: fetches(&choices, text, count); break;
    case 5: live(&choices, text, count); break;
    case 6: serve(&choices, text, count); break;
    case 2: {
        surtitle_configuration *made;
        surtitle_error error = {.size = sizeof error};
        if (known(surtitle_configuration_create_json(text, count, &made, &error)) != SURTITLE_OK) {
            LAW(made == NULL && error.message[0] != 0 && error.position <= (int64_t)count);
        }
        surtitle_configuration_destroy(made);
        surtitle_router *router;
        if (known(surtitle_router_create(text, count, &router, &error)) != SURTITLE_OK) LAW(router == NULL && error.message[0] != 0);
        surtitle_router_destroy(router);
        break;
    }
    default: playlists(&choices, text, count);
    }
    return 0;
}
