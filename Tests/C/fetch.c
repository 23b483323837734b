// fetch: jobs against an origin that is scripted here: tails, whole files, SubRip, a video's first segment, and what goes wrong.
// fetch FILE: writes the ends of the final and of the latest cue of a WebVTT file in milliseconds, as `surtitle duration` has them.
#include "check.h"

static const char srt[] = "1\r\n00:00:01,000 --> 00:00:02,500\r\nHello\r\n";
static const char master[] = "#EXTM3U\n#EXT-X-STREAM-INF:BANDWIDTH=1\nv/a.m3u8?x=1\n";
static const char media[] = "#EXTM3U\n#EXT-X-TARGETDURATION:4\n#EXTINF:4,\na.aac\n#EXT-X-ENDLIST\n";

// Packed audio whose ID3 tag has a time stamp.
static uint8_t segment[80];
static size_t segment_count;

static void make_segment(void) {
    static const char owner[] = "com.apple.streaming.transportStreamTimestamp";
    segment_count = 10 + 10 + sizeof owner + 8 + 7;
    CHECK(segment_count <= sizeof segment);
    size_t frame = sizeof owner + 8;
    memcpy(segment, "ID3\x04", 4);
    segment[9] = (uint8_t)(10 + frame);
    memcpy(segment + 10, "PRIV", 4);
    segment[17] = (uint8_t)frame;
    memcpy(segment + 20, owner, sizeof owner);
    segment[20 + sizeof owner + 5] = 0x0D;
    segment[20 + sizeof owner + 6] = 0xBB;
    segment[20 + sizeof owner + 7] = 0xA0; // 900000
    segment[segment_count - 7] = 0xFF;
    segment[segment_count - 6] = 0xF1;
}

typedef struct origin {
    const char *url; // what is there; nothing else is
    const uint8_t *bytes;
    size_t count;
} origin;

static int is(surtitle_text text, const char *string) {
    return text.bytes != NULL && text.count == strlen(string) && memcmp(text.bytes, string, text.count) == 0;
}

// Answers the requests of a job until it is done, in chunks of so many bytes; with whole the ranges are ignored.
static int drive(surtitle_fetch *fetch, const origin *origins, size_t origin_count, size_t chunk, int whole, int *requests) {
    surtitle_fetch_request request = {.size = sizeof request};
    int status;
    *requests = 0;
    while ((status = surtitle_fetch_next(fetch, &request)) == SURTITLE_NEEDS_MORE) {
        ++*requests;
        CHECK(is(request.method, "GET") && request.byte_limit > 0);
        int ranges = 0;
        for (size_t i = 0; i < request.field_count; i++) {
            if (request.fields[i].name_count == 5 && memcmp(request.fields[i].name, "Range", 5) == 0) ranges++;
        }
        CHECK(ranges == (request.range != SURTITLE_RANGE_NONE));
        const origin *found = NULL;
        for (size_t i = 0; i < origin_count; i++) {
            if (is(request.url, origins[i].url)) found = &origins[i];
        }
        surtitle_text same = {NULL, 0};
        if (found == NULL) {
            EXPECT(SURTITLE_OK, surtitle_fetch_begin(fetch, 404, same, 0, NULL, 0));
            continue;
        }
        size_t first = 0, end = found->count;
        if (request.range == SURTITLE_RANGE_BYTES) {
            CHECK(request.range_offset < found->count);
            first = (size_t)request.range_offset;
            if (request.range_count < end - first) end = first + (size_t)request.range_count;
        } else if (request.range == SURTITLE_RANGE_SUFFIX && request.range_count < end) {
            first = end - (size_t)request.range_count;
        }
        int is_part = request.range != SURTITLE_RANGE_NONE && !whole;
        if (!is_part) {
            first = 0;
            end = found->count;
        }
        char place[80];
        int length = snprintf(place, sizeof place, "bytes %zu-%zu/%zu", first, end - 1, found->count);
        surtitle_field fields[] = {{"content-range", 13, place, (size_t)length}, {"ETag", 4, "\"a\"", 3}};
        int need = surtitle_fetch_begin(fetch, is_part ? 206 : 200, same, 0, fields + !is_part, 1 + (size_t)is_part);
        while (need == SURTITLE_NEEDS_MORE && first < end) {
            size_t count = end - first < chunk ? end - first : chunk;
            // The chunk stands alone, so that reading past it is noticed.
            uint8_t *alone = malloc(count);
            CHECK(alone != NULL);
            memcpy(alone, found->bytes + first, count);
            need = surtitle_fetch_write(fetch, alone, count);
            free(alone);
            first += count;
        }
        if (need == SURTITLE_NEEDS_MORE) EXPECT(SURTITLE_OK, surtitle_fetch_finish(fetch));
    }
    return status;
}

// Stands in for AES: what comes of a byte depends on the key and the vector, and is no other's.
static int turn(void *context, const uint8_t *key, const uint8_t *vector, uint8_t *bytes, size_t count) {
    CHECK(count > 0 && count % 16 == 0);
    for (size_t i = 0; i < count; i++) bytes[i] ^= (uint8_t)(key[i % 16] ^ vector[i % 16]);
    ++*(int *)context;
    return *(int *)context > 2;
}

static surtitle_fetch *create(surtitle_fetch_settings settings) {
    surtitle_fetch *fetch;
    settings.size = sizeof settings;
    EXPECT(SURTITLE_OK, surtitle_fetch_create(&settings, &fetch));
    return fetch;
}

#define ORIGIN(url, literal) {url, (const uint8_t *)literal, sizeof literal - 1}

static void durations(void) {
    // A file longer than its tail: one request, and the length in the answer does not come from a whole file.
    static uint8_t file[100000];
    size_t count = (size_t)sprintf((char *)file, "WEBVTT\n\n");
    for (int i = 0; count < sizeof file - 60; i++) {
        count += (size_t)sprintf((char *)file + count, "%02d:%02d.000 --> %02d:%02d.500\nCue\n\n", i / 60, i % 60, i / 60, i % 60);
    }
    const origin origins[] = {{"https://example.com/en.vtt", file, count}};
    int64_t final;
    EXPECT(SURTITLE_OK, surtitle_final_cue_end(file, count, &final));
    surtitle_fetch *fetch = create((surtitle_fetch_settings){.job = SURTITLE_FETCH_DURATION, .url = TEXT("https://example.com/en.vtt#x")});
    surtitle_fetched result = {.size = sizeof result};
    EXPECT(SURTITLE_NEEDS_MORE, surtitle_fetch_result(fetch, &result));
    for (int whole = 0; whole < 2; whole++) {
        for (size_t chunk = 1; chunk < 100000; chunk = 7 * chunk + 3) {
            int requests;
            EXPECT(SURTITLE_OK, drive(fetch, origins, 1, chunk, whole, &requests));
            EXPECT(SURTITLE_OK, surtitle_fetch_result(fetch, &result));
            CHECK(requests == 1 && result.source == (whole ? SURTITLE_SOURCE_FILE : SURTITLE_SOURCE_TAIL));
            CHECK(result.duration_nanoseconds == (uint64_t)final * 1000000 && result.final_cue_milliseconds == final);
            CHECK(result.failure == SURTITLE_FAILURE_NONE && result.message.count == 0 && result.count == 0);
            EXPECT(SURTITLE_OK, surtitle_fetch_reset(fetch));
        }
    }
    // What is held while it comes, and a request that is given again until it is answered.
    surtitle_fetch_request request = {.size = sizeof request};
    EXPECT(SURTITLE_NEEDS_MORE, surtitle_fetch_next(fetch, &request));
    EXPECT(SURTITLE_NEEDS_MORE, surtitle_fetch_next(fetch, &request));
    CHECK(is(request.url, "https://example.com/en.vtt") && request.range == SURTITLE_RANGE_SUFFIX && request.range_count == 16384);
    CHECK(request.purpose == SURTITLE_PURPOSE_SUBTITLES);
    char place[80];
    int length = snprintf(place, sizeof place, "bytes %zu-%zu/%zu", count - 16384, count - 1, count);
    surtitle_field field = {"Content-Range", 13, place, (size_t)length};
    EXPECT(SURTITLE_NEEDS_MORE, surtitle_fetch_begin(fetch, 206, (surtitle_text){NULL, 0}, 0, &field, 1));
    EXPECT(SURTITLE_NEEDS_MORE, surtitle_fetch_write(fetch, file + count - 16384, 1000));
    uint64_t held;
    EXPECT(SURTITLE_OK, surtitle_fetch_held_bytes(fetch, &held));
    CHECK(held == 1000);
    // It breaks off.
    EXPECT(SURTITLE_OK, surtitle_fetch_fail(fetch));
    EXPECT(SURTITLE_FETCH_FAILED, surtitle_fetch_next(fetch, &request));
    EXPECT(SURTITLE_FETCH_FAILED, surtitle_fetch_result(fetch, &result));
    CHECK(result.failure == SURTITLE_FAILURE_NETWORK && result.http_status == 0 && is(result.url, "https://example.com/en.vtt"));
    CHECK(result.message.count > 0);
    // It is over: what still comes is ignored.
    EXPECT(SURTITLE_OK, surtitle_fetch_begin(fetch, 200, (surtitle_text){NULL, 0}, 0, NULL, 0));
    EXPECT(SURTITLE_OK, surtitle_fetch_write(fetch, file, count));
    EXPECT(SURTITLE_OK, surtitle_fetch_finish(fetch));
    EXPECT(SURTITLE_FETCH_FAILED, surtitle_fetch_next(fetch, &request));
    surtitle_fetch_destroy(fetch);

    // A duration that is known needs no request, and every field is filled.
    memset(&result, 0x55, sizeof result);
    result.size = sizeof result;
    fetch = create((surtitle_fetch_settings){.job = SURTITLE_FETCH_DURATION, .url = TEXT("https://a/"), .duration_nanoseconds = 1500000000});
    EXPECT(SURTITLE_OK, surtitle_fetch_next(fetch, &request));
    EXPECT(SURTITLE_OK, surtitle_fetch_result(fetch, &result));
    CHECK(result.duration_nanoseconds == 1500000000 && result.source == SURTITLE_SOURCE_TRACK && result.final_cue_milliseconds == -1);
    CHECK(result.size == sizeof result && result.is_playlist == 0 && result.is_converted == 0 && result.count == 0 && result.url.bytes == NULL);
    CHECK(result.has_map == 0 && result.mpegts == 0 && result.local_milliseconds == 0 && result.start_nanoseconds == 0 && result.failure == 0);
    CHECK(result.purpose == 0 && result.http_status == 0 && result.reserved == 0 && result.message.count == 0);
    surtitle_fetch_destroy(fetch);
}

static void missing(void) {
    int requests;
    surtitle_fetched result = {.size = sizeof result};
    surtitle_fetch *fetch = create((surtitle_fetch_settings){.job = SURTITLE_FETCH_PRESENCE, .url = TEXT("https://example.com/en.vtt")});
    EXPECT(SURTITLE_FETCH_FAILED, drive(fetch, NULL, 0, 1, 0, &requests));
    EXPECT(SURTITLE_FETCH_FAILED, surtitle_fetch_result(fetch, &result));
    CHECK(result.failure == SURTITLE_FAILURE_MISSING && result.http_status == 404 && requests == 1);
    const origin there[] = {ORIGIN("https://example.com/en.vtt", "WEBVTT\n\n00:01.000 --> 00:02.000\nHello\n")};
    EXPECT(SURTITLE_OK, surtitle_fetch_reset(fetch));
    EXPECT(SURTITLE_OK, drive(fetch, there, 1, 1, 0, &requests));
    EXPECT(SURTITLE_OK, surtitle_fetch_result(fetch, &result));
    CHECK(result.failure == SURTITLE_FAILURE_NONE && result.count == 0);
    const origin page[] = {ORIGIN("https://example.com/en.vtt", "<!doctype html><html>Not found</html>")};
    EXPECT(SURTITLE_OK, surtitle_fetch_reset(fetch));
    EXPECT(SURTITLE_FETCH_FAILED, drive(fetch, page, 1, 1, 0, &requests));
    EXPECT(SURTITLE_FETCH_FAILED, surtitle_fetch_result(fetch, &result));
    CHECK(result.failure == SURTITLE_FAILURE_UNUSABLE);
    surtitle_fetch_destroy(fetch);
    fetch = create((surtitle_fetch_settings){.job = SURTITLE_FETCH_CONTENT, .url = TEXT("https://example.com/en.vtt"), .file = 10});
    EXPECT(SURTITLE_FETCH_FAILED, drive(fetch, there, 1, 1, 0, &requests));
    EXPECT(SURTITLE_FETCH_FAILED, surtitle_fetch_result(fetch, &result));
    CHECK(result.failure == SURTITLE_FAILURE_LIMIT);
    surtitle_fetch_destroy(fetch);
}

// Files whose cues are shifted, and one in UTF-16.
static void changed(void) {
    static const char vtt[] = "WEBVTT\n\n00:01.000 --> 00:02.000\na\n";
    uint8_t wide[2 * sizeof vtt] = {0xFF, 0xFE};
    for (size_t i = 0; i < sizeof vtt - 1; i++) wide[2 + 2 * i] = (uint8_t)vtt[i];
    const origin origins[] = {ORIGIN("https://example.com/a.vtt", vtt), {"https://example.com/b.vtt", wide, sizeof wide}};
    static const struct {
        const char *url, *expected;
        int64_t shift;
    } rows[] = {
        {"https://example.com/a.vtt", "WEBVTT\n\n00:02.500 --> 00:03.500\na\n", 1500},
        {"https://example.com/a.vtt", "WEBVTT\n\n", -2000},
        {"https://example.com/b.vtt", vtt, 0},
        {"https://example.com/b.vtt", "WEBVTT\n\n00:00.500 --> 00:01.500\na\n", -500},
    };
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        surtitle_fetch *fetch = create((surtitle_fetch_settings){
            .job = SURTITLE_FETCH_CONTENT, .url = {rows[i].url, strlen(rows[i].url)}, .shift_milliseconds = rows[i].shift});
        surtitle_fetched result = {.size = sizeof result};
        int requests;
        EXPECT(SURTITLE_OK, drive(fetch, origins, 2, i + 1, 0, &requests));
        EXPECT(SURTITLE_OK, surtitle_fetch_result(fetch, &result));
        CHECK(result.count == strlen(rows[i].expected) && memcmp(result.bytes, rows[i].expected, result.count) == 0);
        surtitle_fetch_destroy(fetch);
    }
    surtitle_fetch *fetch;
    surtitle_fetch_settings settings = {
        .size = sizeof settings, .job = SURTITLE_FETCH_CONTENT, .url = TEXT("https://example.com/a.vtt"), .shift_milliseconds = INT64_MIN};
    EXPECT(SURTITLE_INVALID_VALUE, surtitle_fetch_create(&settings, &fetch));
    static const struct { int64_t shift; int status; } shifts[] = {
        {9999999999999999, SURTITLE_OK}, {10000000000000000, SURTITLE_INVALID_VALUE}, {-9999999999999999, SURTITLE_OK},
        {-10000000000000000, SURTITLE_INVALID_VALUE},
    };
    for (size_t i = 0; i < sizeof shifts / sizeof *shifts; i++) {
        settings.shift_milliseconds = shifts[i].shift;
        EXPECT(shifts[i].status, surtitle_fetch_create(&settings, &fetch));
        CHECK((fetch == NULL) == (shifts[i].status != SURTITLE_OK));
        surtitle_fetch_destroy(fetch);
    }
    // What a router's track says; and an encoding, which nobody here decodes.
    static const char json[] =
        "{\"master\": \"https://example.com/master.m3u8\", \"tracks\": [{\"uri\": \"a.vtt\", \"name\": \"A\", \"shift\": -1.25}]}";
    static const char other[] =
        "{\"master\": \"https://example.com/master.m3u8\", \"tracks\": [{\"uri\": \"a.vtt\", \"name\": \"A\", \"encoding\": \"latin1\"}]}";
    surtitle_router *router;
    EXPECT(SURTITLE_OK, surtitle_router_create(json, sizeof json - 1, &router, NULL));
    EXPECT(SURTITLE_OK, surtitle_fetch_create_for(router, 0, SURTITLE_FETCH_DURATION, &fetch));
    surtitle_router_destroy(router);
    surtitle_fetched result = {.size = sizeof result};
    int requests;
    EXPECT(SURTITLE_OK, drive(fetch, origins, 2, 5, 0, &requests));
    EXPECT(SURTITLE_OK, surtitle_fetch_result(fetch, &result));
    CHECK(result.duration_nanoseconds == 750000000);
    surtitle_fetch_destroy(fetch);
    surtitle_error error = {.size = sizeof error};
    CHECK(surtitle_router_create(other, sizeof other - 1, &router, &error) != SURTITLE_OK);
    CHECK(strstr(error.message, "leave encoding out") != NULL && strcmp(error.field, "tracks[0]") == 0);
}

static void contents(void) {
    make_segment();
    const origin origins[] = {
        ORIGIN("https://example.com/sv.srt", srt), ORIGIN("https://example.com/master.m3u8", master),
        ORIGIN("https://example.com/v/a.m3u8?x=1", media), {"https://example.com/v/a.aac", segment, segment_count},
    };
    int requests;
    surtitle_fetched result = {.size = sizeof result};
    // SubRip becomes WebVTT, with the map of the video's first segment.
    surtitle_fetch *fetch = create((surtitle_fetch_settings){
        .job = SURTITLE_FETCH_CONTENT, .format = SURTITLE_FORMAT_SUBRIP, .url = TEXT("https://example.com/sv.srt"),
        .map = SURTITLE_MAP_FROM_VIDEO, .video = TEXT("https://example.com/master.m3u8")});
    static const char expected[] = "WEBVTT\nX-TIMESTAMP-MAP=LOCAL:00:00:00.000,MPEGTS:900000\n";
    for (size_t chunk = 1; chunk < 100; chunk += 9) {
        EXPECT(SURTITLE_OK, drive(fetch, origins, 4, chunk, chunk % 2, &requests));
        EXPECT(SURTITLE_OK, surtitle_fetch_result(fetch, &result));
        CHECK(requests == 4 && result.is_converted == 1 && result.is_playlist == 0 && result.has_map && result.mpegts == 900000);
        CHECK(result.local_milliseconds == 0 && result.failure == SURTITLE_FAILURE_NONE);
        CHECK(result.count > sizeof expected && memcmp(result.bytes, "WEBVTT\n", 7) == 0);
        int64_t end;
        EXPECT(SURTITLE_OK, surtitle_final_cue_end(result.bytes, result.count, &end));
        CHECK(end == 2500);
        EXPECT(SURTITLE_OK, surtitle_fetch_reset(fetch));
    }
    // Without the video the file comes all the same, and says why it has no map.
    EXPECT(SURTITLE_OK, drive(fetch, origins, 1, 100, 0, &requests));
    EXPECT(SURTITLE_OK, surtitle_fetch_result(fetch, &result));
    CHECK(result.count > 0 && !result.has_map && result.failure == SURTITLE_FAILURE_MISSING && result.purpose == SURTITLE_PURPOSE_VIDEO_PLAYLIST);
    CHECK(is(result.url, "https://example.com/master.m3u8") && result.http_status == 404);
    surtitle_fetch_destroy(fetch);

    // A map that is given, and a playlist, which is not changed.
    fetch = create((surtitle_fetch_settings){
        .job = SURTITLE_FETCH_CONTENT, .format = SURTITLE_FORMAT_SUBRIP, .url = TEXT("https://example.com/sv.srt"),
        .map = SURTITLE_MAP_ALWAYS, .mpegts = 900000, .local_milliseconds = 1000});
    EXPECT(SURTITLE_OK, drive(fetch, origins, 4, 100, 0, &requests));
    EXPECT(SURTITLE_OK, surtitle_fetch_result(fetch, &result));
    CHECK(requests == 1 && result.has_map && result.local_milliseconds == 1000);
    surtitle_fetch_destroy(fetch);
    fetch = create((surtitle_fetch_settings){
        .job = SURTITLE_FETCH_CONTENT, .format = SURTITLE_FORMAT_PLAYLIST, .url = TEXT("https://example.com/v/a.m3u8?x=1")});
    EXPECT(SURTITLE_OK, drive(fetch, origins, 4, 5, 0, &requests));
    EXPECT(SURTITLE_OK, surtitle_fetch_result(fetch, &result));
    CHECK(result.is_playlist == 1 && result.count == sizeof media - 1 && memcmp(result.bytes, media, result.count) == 0);
    CHECK(is(result.url, "https://example.com/v/a.m3u8?x=1"));
    surtitle_fetch_destroy(fetch);

    // The first time stamp by itself, and by a router.
    fetch = create((surtitle_fetch_settings){.job = SURTITLE_FETCH_MEDIA_START, .video = TEXT("https://example.com/v/a.m3u8?x=1")});
    EXPECT(SURTITLE_OK, drive(fetch, origins, 4, 5, 0, &requests));
    EXPECT(SURTITLE_OK, surtitle_fetch_result(fetch, &result));
    CHECK(requests == 2 && result.has_map && result.mpegts == 900000 && result.start_nanoseconds == 0);
    surtitle_fetch_destroy(fetch);
    static const char json[] =
        "{\"master\": \"https://example.com/master.m3u8\", \"map\": \"auto\", \"tracks\": "
        "[{\"uri\": \"sv.srt\", \"language\": \"sv\", \"name\": \"Svenska\"}, {\"uri\": \"a.vtt\", \"file\": \"a.vtt\", \"name\": \"A\", \"duration\": 1}]}";
    surtitle_router *router;
    EXPECT(SURTITLE_OK, surtitle_router_create((const uint8_t *)json, sizeof json - 1, &router, NULL));
    EXPECT(SURTITLE_NOT_FOUND, surtitle_fetch_create_for(router, 1, SURTITLE_FETCH_CONTENT, &fetch));
    EXPECT(SURTITLE_NOT_FOUND, surtitle_fetch_create_for(router, 2, SURTITLE_FETCH_CONTENT, &fetch));
    CHECK(fetch == NULL);
    EXPECT(SURTITLE_OK, surtitle_fetch_create_for(router, 99, SURTITLE_FETCH_MEDIA_START, &fetch));
    EXPECT(SURTITLE_OK, drive(fetch, origins, 4, 5, 0, &requests));
    surtitle_fetch_destroy(fetch);
    EXPECT(SURTITLE_OK, surtitle_fetch_create_for(router, 0, SURTITLE_FETCH_CONTENT, &fetch));
    surtitle_router_destroy(router);
    EXPECT(SURTITLE_OK, drive(fetch, origins, 4, 5, 0, &requests));
    EXPECT(SURTITLE_OK, surtitle_fetch_result(fetch, &result));
    CHECK(requests == 4 && result.is_converted == 1 && result.mpegts == 900000);
    surtitle_fetch_destroy(fetch);
}

// A video that is encrypted: who decrypts it is said, and may fail.
static void encrypted(void) {
    static const char playlist[] =
        "#EXTM3U\n#EXT-X-KEY:METHOD=AES-128,URI=\"k\",IV=0x0102030405060708090a0b0c0d0e0f10\n#EXTINF:4,\na.aac\n#EXT-X-ENDLIST\n";
    static const char key[] = "0123456789abcdef";
    uint8_t sealed[96];
    CHECK(segment_count + 16 == sizeof sealed);
    memcpy(sealed, segment, segment_count);
    memset(sealed + segment_count, 16, 16);
    for (size_t i = 0; i < sizeof sealed; i++) sealed[i] ^= (uint8_t)((uint8_t)key[i % 16] ^ (i % 16 + 1));
    const origin origins[] = {
        ORIGIN("https://example.com/v.m3u8", playlist), ORIGIN("https://example.com/k", key),
        {"https://example.com/a.aac", sealed, sizeof sealed},
    };
    surtitle_fetch *fetch = create((surtitle_fetch_settings){.job = SURTITLE_FETCH_MEDIA_START, .video = TEXT("https://example.com/v.m3u8")});
    surtitle_fetched result = {.size = sizeof result};
    int requests, calls = 0;
    EXPECT(SURTITLE_FETCH_FAILED, drive(fetch, origins, 3, 7, 0, &requests));
    CHECK(requests == 1 && calls == 0);
    EXPECT(SURTITLE_OK, surtitle_fetch_set_decrypt(fetch, turn, &calls));
    for (int whole = 0; whole < 2; whole++) {
        EXPECT(SURTITLE_OK, surtitle_fetch_reset(fetch));
        EXPECT(SURTITLE_OK, drive(fetch, origins, 3, 7, whole, &requests));
        EXPECT(SURTITLE_OK, surtitle_fetch_result(fetch, &result));
        CHECK(requests == 3 && calls == whole + 1 && result.has_map == 1 && result.mpegts == 900000);
    }
    EXPECT(SURTITLE_OK, surtitle_fetch_reset(fetch));
    EXPECT(SURTITLE_FETCH_FAILED, drive(fetch, origins, 3, 7, 0, &requests));
    EXPECT(SURTITLE_FETCH_FAILED, surtitle_fetch_result(fetch, &result));
    CHECK(requests == 3 && result.purpose == SURTITLE_PURPOSE_SEGMENT && result.failure == SURTITLE_FAILURE_UNUSABLE);
    // Nobody decrypts any more.
    EXPECT(SURTITLE_OK, surtitle_fetch_set_decrypt(fetch, NULL, NULL));
    EXPECT(SURTITLE_OK, surtitle_fetch_reset(fetch));
    EXPECT(SURTITLE_FETCH_FAILED, drive(fetch, origins, 3, 7, 0, &requests));
    CHECK(requests == 1 && calls == 3);

    // Who decrypts later is handed the bytes; what is no decryption of them comes to nothing.
    surtitle_decryption decryption = {.size = sizeof decryption};
    EXPECT(SURTITLE_NOT_FOUND, surtitle_fetch_decryption(fetch, &decryption));
    EXPECT(SURTITLE_OK, surtitle_fetch_decrypted(fetch, NULL, 0));
    EXPECT(SURTITLE_OK, surtitle_fetch_set_decrypts(fetch, 1));
    for (int fails = 0; fails < 2; fails++) {
        EXPECT(SURTITLE_OK, surtitle_fetch_reset(fetch));
        EXPECT(SURTITLE_NEEDS_DECRYPTION, drive(fetch, origins, 3, 7, 1, &requests));
        EXPECT(SURTITLE_NEEDS_DECRYPTION, surtitle_fetch_result(fetch, &result));
        EXPECT(SURTITLE_OK, surtitle_fetch_decryption(fetch, &decryption));
        CHECK(requests == 3 && memcmp(decryption.key, key, 16) == 0 && decryption.vector[15] == 16);
        CHECK(decryption.count > 0 && decryption.count % 16 == 0);
        uint8_t turned[sizeof sealed];
        int count = 0;
        memcpy(turned, decryption.bytes, decryption.count);
        EXPECT(0, turn(&count, decryption.key, decryption.vector, turned, decryption.count));
        EXPECT(SURTITLE_OK, surtitle_fetch_decrypted(fetch, fails ? NULL : turned, fails ? 0 : decryption.count));
        EXPECT(SURTITLE_NOT_FOUND, surtitle_fetch_decryption(fetch, &decryption));
        EXPECT(fails ? SURTITLE_FETCH_FAILED : SURTITLE_OK, drive(fetch, origins, 3, 7, 1, &requests));
        EXPECT(fails ? SURTITLE_FETCH_FAILED : SURTITLE_OK, surtitle_fetch_result(fetch, &result));
        CHECK(fails ? result.failure == SURTITLE_FAILURE_UNUSABLE : result.mpegts == 900000);
    }
    EXPECT(SURTITLE_OK, surtitle_fetch_set_decrypts(fetch, 0));
    EXPECT(SURTITLE_OK, surtitle_fetch_reset(fetch));
    EXPECT(SURTITLE_FETCH_FAILED, drive(fetch, origins, 3, 7, 0, &requests));
    surtitle_fetch_destroy(fetch);
}

int main(int count, char **arguments) {
    if (count == 1) {
        durations();
        missing();
        changed();
        contents();
        encrypted();
        return 0;
    }
    CHECK(count == 2);
    bytes file = read_file(arguments[1]);
    const origin origins[] = {{"https://example.com/a.vtt", file.start, file.count}};
    int requests;
    surtitle_fetched result = {.size = sizeof result};
    surtitle_fetch *fetch = create((surtitle_fetch_settings){.job = SURTITLE_FETCH_DURATION, .url = TEXT("https://example.com/a.vtt")});
    EXPECT(SURTITLE_OK, drive(fetch, origins, 1, 13, 1, &requests));
    EXPECT(SURTITLE_OK, surtitle_fetch_result(fetch, &result));
    printf("%lld %llu\n", (long long)result.final_cue_milliseconds, (unsigned long long)(result.duration_nanoseconds / 1000000));
    surtitle_fetch_destroy(fetch);
    free(file.start);
    return 0;
}
