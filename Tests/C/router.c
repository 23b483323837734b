// router: what requests get, what becomes of the bytes that were fetched, and what a player and a client of a proxy get of that.
// router plans CONFIGURATION URL…: writes the description, the URL and the track of each plan, as run.sh has them from `surtitle route`.
// router master CONFIGURATION PLAYLIST: writes what the player gets of that multivariant playlist.
#define _POSIX_C_SOURCE 200809L
#include "check.h"
#include <pthread.h>
#include <sys/wait.h>
#include <unistd.h>

static const char json[] =
    "{\"master\": \"https://example.com/film/master.m3u8\", \"webvtt\": \"bytes\", \"keys\": \"fetch\", \"headers\": {\"X-App\": \"1\"},\n"
    " \"tracks\": [{\"uri\": \"en.vtt\", \"language\": \"en\", \"name\": \"English\", \"default\": true},\n"
    "  {\"uri\": \"https://cdn.example.com/sv.srt\", \"language\": \"sv\", \"name\": \"Svenska\", \"duration\": 20},\n"
    "  {\"uri\": \"de.m3u8\", \"language\": \"de\", \"name\": \"Deutsch\"}]}";
static const char master[] = "#EXTM3U\n#EXT-X-STREAM-INF:BANDWIDTH=1000000\nhd/video.m3u8\n";
static const char media[] =
    "#EXTM3U\n#EXT-X-TARGETDURATION:4\n#EXT-X-KEY:METHOD=AES-128,URI=\"k\"\n#EXTINF:4,\na.ts\n#EXT-X-ENDLIST\n";
static const char given[] = "#EXTM3U\n#EXT-X-TARGETDURATION:4\n#EXTINF:4,\na.vtt\n#EXT-X-ENDLIST\n";
static const char vtt[] = "WEBVTT\n\n00:01.000 --> 00:02.000\nHello\n";

static surtitle_router *router;

static surtitle_text text(const char *string) { return (surtitle_text){string, strlen(string)}; }

static int is(surtitle_text text, const char *string) {
    return text.bytes != NULL && text.count == strlen(string) && memcmp(text.bytes, string, text.count) == 0;
}

static int has(surtitle_resource resource, const char *string) {
    size_t count = strlen(string);
    for (size_t i = 0; i + count <= resource.count; i++) {
        if (memcmp(resource.bytes + i, string, count) == 0) return 1;
    }
    return 0;
}

static int has_field(const surtitle_field *fields, size_t count, const char *name, const char *value) {
    for (size_t i = 0; i < count; i++) {
        surtitle_text has = {fields[i].name, fields[i].name_count}, its = {fields[i].value, fields[i].value_count};
        if (is(has, name)) return value != NULL && is(its, value);
    }
    return value == NULL;
}

static surtitle_plan plan(surtitle_route *route, const char *url) {
    surtitle_route_request request = {.size = sizeof request, .url = text(url), .to_end = 1};
    surtitle_plan made = {.size = sizeof made};
    EXPECT(SURTITLE_OK, surtitle_route_plan(route, &request, &made));
    return made;
}

static surtitle_material material(const char *bytes) {
    return (surtitle_material){.size = sizeof(surtitle_material), .bytes = (const uint8_t *)bytes, .count = strlen(bytes)};
}

static surtitle_resource fill(surtitle_route *route, surtitle_material material) {
    surtitle_resource resource = {.size = sizeof resource};
    surtitle_error error = {.size = sizeof error};
    EXPECT(SURTITLE_OK, surtitle_route_fill(route, &material, &resource, &error));
    return resource;
}

static void refused(void) {
    static const struct {
        const char *json;
        int status, index;
    } cases[] = {
        {"{", SURTITLE_JSON_REFUSED, -1},
        {"{}", SURTITLE_CONFIGURATION_REFUSED, -1},
        {"{\"master\": \"film.m3u8\"}", SURTITLE_CONFIGURATION_REFUSED, -1},
        {"{\"master\": \"https://a.example/track/a.m3u8\", \"base\": \"https://a.example/\"}", SURTITLE_CONFIGURATION_REFUSED, -1},
        {"{\"master\": \"https://a.example/\", \"webvtt\": \"redirect\", \"tracks\": [{\"uri\": \"a.vtt\", \"language\": \"en\", \"name\": \"A\"}, "
         "{\"uri\": \"b.srt\", \"language\": \"en\", \"name\": \"B\"}]}", SURTITLE_TRACK_REFUSED, 1},
    };
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        surtitle_router *none;
        surtitle_error error = {.size = sizeof error};
        EXPECT(cases[i].status, surtitle_router_create((const uint8_t *)cases[i].json, strlen(cases[i].json), &none, &error));
        CHECK(none == NULL && error.status == cases[i].status && error.index == cases[i].index && error.message[0] != 0);
    }
}

static void tracks(void) {
    surtitle_text entry;
    EXPECT(SURTITLE_OK, surtitle_router_entry(router, &entry));
    CHECK(is(entry, "surtitle-master-https://example.com/film/master.m3u8"));
    surtitle_routed_track track = {.size = sizeof track};
    EXPECT(SURTITLE_OK, surtitle_router_track(router, 0, &track));
    CHECK(track.format == SURTITLE_FORMAT_WEBVTT && !track.is_redirected && is(track.name, "en") && track.path.bytes == NULL);
    CHECK(is(track.url, "https://example.com/film/en.vtt") && is(track.rendition, "surtitle-track://subtitles/en.m3u8"));
    CHECK(is(track.file, "surtitle-track://subtitles/en.vtt") && track.duration_nanoseconds == 0);
    EXPECT(SURTITLE_OK, surtitle_router_track(router, 1, &track));
    CHECK(track.format == SURTITLE_FORMAT_SUBRIP && track.duration_nanoseconds == 20000000000u);
    EXPECT(SURTITLE_OK, surtitle_router_track(router, 2, &track));
    CHECK(track.format == SURTITLE_FORMAT_PLAYLIST && track.file.bytes == NULL);
    EXPECT(SURTITLE_NOT_FOUND, surtitle_router_track(router, 3, &track));
    EXPECT(SURTITLE_NOT_FOUND, surtitle_router_track(router, SIZE_MAX, &track));
}

// Where a request may go that is made for an address which anybody can ask for, at each hop, and with which fields.
static void hops(void) {
    static const char text_of[] =
        "{\"master\": \"https://example.com/m\", \"keys\": \"fetch\", \"webvtt\": \"bytes\", \"headers\": {\"X-App\": \"1\"}, \"origins\": [\"https://keys.example\"],"
        " \"base\": \"http://localhost/\", \"tracks\": [{\"uri\": \"en.vtt\", \"language\": \"en\", \"name\": \"A\"}]}";
    static const char key[] = "http://localhost/key/https/example.com/k", variant[] = "http://localhost/variant/https/example.com/v";
    static const char file[] = "http://localhost/track/en.vtt", list[] = "http://localhost/track/en.m3u8";
    static const struct {
        const char *asked;
        int purpose;
        const char *url, *previous;
        int permission, has_credentials;
    } cases[] = {
        {key, SURTITLE_PURPOSE_KEY, "https://example.com/k", NULL, SURTITLE_HOP_GRANTED, 1},
        {key, SURTITLE_PURPOSE_KEY, "https://keys.example/k", "https://example.com/k", SURTITLE_HOP_GRANTED, 0},
        {key, SURTITLE_PURPOSE_KEY, "https://cdn.example/k", "https://example.com/k", SURTITLE_HOP_LEFT_TO_CLIENT, 0},
        {key, SURTITLE_PURPOSE_KEY, "https://10.0.0.1/k", "https://example.com/k", SURTITLE_HOP_LEFT_TO_CLIENT, 0},
        {key, SURTITLE_PURPOSE_KEY, "http://cdn.example/k", "https://example.com/k", SURTITLE_HOP_DENIED, 0},
        {variant, SURTITLE_PURPOSE_VIDEO_PLAYLIST, "https://cdn.example/v", "https://example.com/v", SURTITLE_HOP_IF_PUBLIC, 0},
        {variant, SURTITLE_PURPOSE_VIDEO_PLAYLIST, "https://10.0.0.1/v", "https://example.com/v", SURTITLE_HOP_DENIED, 0},
        {file, SURTITLE_PURPOSE_SUBTITLES, "https://cdn.example/a", "https://example.com/en.vtt", SURTITLE_HOP_LEFT_TO_CLIENT, 0},
        {file, SURTITLE_PURPOSE_SEGMENT, "https://cdn.example/1.ts", NULL, SURTITLE_HOP_IF_PUBLIC, 0},
        {list, SURTITLE_PURPOSE_SUBTITLES, "https://cdn.example/a", "https://example.com/en.vtt", SURTITLE_HOP_IF_PUBLIC, 0},
        {list, SURTITLE_PURPOSE_SUBTITLES, "gopher://a", NULL, SURTITLE_HOP_DENIED, 0},
    };
    surtitle_router *own;
    surtitle_route *route;
    EXPECT(SURTITLE_OK, surtitle_router_create((const uint8_t *)text_of, strlen(text_of), &own, NULL));
    EXPECT(SURTITLE_OK, surtitle_route_create(own, &route));
    surtitle_hop hop = {.size = sizeof hop};
    EXPECT(SURTITLE_INVALID_VALUE, surtitle_route_hop(route, SURTITLE_PURPOSE_KEY, text(key), (surtitle_text){NULL, 0}, &hop));
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        surtitle_field cookie = {"Cookie", 6, "a=b", 3};
        surtitle_route_request request = {
            .size = sizeof request, .url = text(cases[i].asked), .to_end = 1, .fields = &cookie, .field_count = 1};
        surtitle_plan made = {.size = sizeof made};
        EXPECT(SURTITLE_OK, surtitle_route_plan(route, &request, &made));
        surtitle_text previous = cases[i].previous == NULL ? (surtitle_text){NULL, 0} : text(cases[i].previous);
        EXPECT(SURTITLE_OK, surtitle_route_hop(route, cases[i].purpose, text(cases[i].url), previous, &hop));
        CHECK(hop.permission == cases[i].permission);
        CHECK(has_field(hop.fields, hop.field_count, "Cookie", cases[i].has_credentials ? "a=b" : NULL));
        CHECK(has_field(hop.fields, hop.field_count, "X-App", cases[i].has_credentials ? "1" : NULL));
        if (cases[i].permission != SURTITLE_HOP_LEFT_TO_CLIENT) continue;
        surtitle_http_answer http = {.size = sizeof http};
        EXPECT(SURTITLE_OK, surtitle_route_http_answer(route, text("GET"), NULL, 0, &http));
        CHECK(http.http_status == 302 && has_field(http.fields, http.field_count, "Location", cases[i].url));
    }
    surtitle_route_destroy(route);
    surtitle_router_destroy(own);

    static const struct {
        uint8_t bytes[16];
        size_t count;
        int is_public;
    } addresses[] = {
        {{9, 9, 9, 9}, 4, 1}, {{127, 0, 0, 1}, 4, 0}, {{10, 1, 2, 3}, 4, 0}, {{0x26, 0x20, 0, 0xFE}, 16, 1},
        {{[15] = 1}, 16, 0}, {{[10] = 0xFF, [11] = 0xFF, [12] = 127, [15] = 1}, 16, 0}, {{9, 9, 9}, 3, 0}, {{0}, 0, 0},
    };
    for (size_t i = 0; i < sizeof addresses / sizeof addresses[0]; i++) {
        int is_public = -1;
        EXPECT(SURTITLE_OK, surtitle_route_is_public(addresses[i].bytes, addresses[i].count, &is_public));
        CHECK(is_public == addresses[i].is_public);
    }
}

// What is redirected to can stand in Location as it is.
static void redirects(void) {
    static const char text_of[] = "{\"master\": \"https://example.com/m\", \"segments\": \"redirect\", \"base\": \"http://localhost/\"}";
    static const struct {
        const char *url, *target;
    } cases[] = {
        {"http://localhost/segment/https/example.com/a?b=c%20d#e", "https://example.com/a?b=c%20d#e"},
        {"http://localhost/segment/https/example.com/a b\r\nX: \"<\xC3\xA9>\\|{}^`", "https://example.com/a%20b%0D%0AX:%20%22%3C\xC3\xA9%3E%5C%7C%7B%7D%5E%60"},
    };
    surtitle_router *own;
    surtitle_route *route;
    surtitle_error error = {.size = sizeof error};
    EXPECT(SURTITLE_OK, surtitle_router_create((const uint8_t *)text_of, strlen(text_of), &own, &error));
    EXPECT(SURTITLE_OK, surtitle_route_create(own, &route));
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        surtitle_plan made = plan(route, cases[i].url);
        CHECK(made.kind == SURTITLE_PLAN_REDIRECT && is(made.url, cases[i].target));
        surtitle_http_answer http = {.size = sizeof http};
        EXPECT(SURTITLE_OK, surtitle_route_http_answer(route, text("GET"), NULL, 0, &http));
        CHECK(http.http_status == 302 && has_field(http.fields, http.field_count, "Location", cases[i].target));
    }
    // What came by an address like the entry's is what its content says.
    surtitle_http_answer http = {.size = sizeof http};
    surtitle_material page = material("a key or a segment");
    for (int i = 0; i < 2; i++) {
        surtitle_plan made = plan(route, i == 0 ? "http://localhost/master/https/example.com/a b" : "http://localhost/variant/https/example.com/a b");
        CHECK(made.kind == (i == 0 ? SURTITLE_PLAN_FETCH_PLAYLIST : SURTITLE_PLAN_FETCH_MEDIA_PLAYLIST) && is(made.url, "https://example.com/a b"));
        EXPECT(SURTITLE_INVALID_VALUE, surtitle_route_http_answer(route, text("GET"), NULL, 0, &http));
        EXPECT(SURTITLE_NOT_PLAYLIST, surtitle_route_fill(route, &page, NULL, NULL));
        EXPECT(SURTITLE_OK, surtitle_route_http_answer(route, text("GET"), NULL, 0, &http));
        CHECK(http.http_status == 302 && has_field(http.fields, http.field_count, "Location", "https://example.com/a%20b"));
        EXPECT(SURTITLE_INVALID_VALUE, surtitle_route_fill(route, &page, NULL, NULL));
    }
    plan(route, "http://localhost/master/https/example.com/video");
    CHECK(fill(route, material(media)).verdict == SURTITLE_VERDICT_MEDIA);
    EXPECT(SURTITLE_OK, surtitle_route_http_answer(route, text("GET"), NULL, 0, &http));
    CHECK(http.http_status == 200);
    // What was made before is no answer once the plan is a redirect.
    EXPECT(SURTITLE_NOT_PLAYLIST, surtitle_route_fill(route, &page, NULL, NULL));
    EXPECT(SURTITLE_OK, surtitle_route_http_answer(route, text("GET"), NULL, 0, &http));
    CHECK(http.http_status == 302 && http.count == 0);
    CHECK(plan(route, "http://localhost/master/https/example.com/m").kind == SURTITLE_PLAN_FETCH_MASTER);
    surtitle_route_destroy(route);
    surtitle_router_destroy(own);
}

// The three requests that AVPlayer makes for the master, and what a proxy's clients ask.
static void entry(surtitle_route *route) {
    surtitle_text url;
    EXPECT(SURTITLE_OK, surtitle_router_entry(router, &url));
    const surtitle_field fields[] = {{"User-Agent", 10, " x ", 3}, {"Range", 5, "bytes=0-1", 9}};
    surtitle_route_request request = {.size = sizeof request, .url = url, .length = 2, .wants_information = 1, .fields = fields, .field_count = 2};
    surtitle_plan made = {.size = sizeof made};
    EXPECT(SURTITLE_OK, surtitle_route_plan(route, &request, &made));
    CHECK(made.kind == SURTITLE_PLAN_FETCH_MASTER && made.reason == SURTITLE_PLAN_NO_REASON && made.track == -1);
    CHECK(is(made.url, "https://example.com/film/master.m3u8") && made.field_count == 2);
    CHECK(has_field(made.fields, 2, "User-Agent", "x") && has_field(made.fields, 2, "X-App", "1"));
    CHECK(is(made.description, "fetch https://example.com/film/master.m3u8 and add the tracks"));
    surtitle_answer answer = {.size = sizeof answer};
    surtitle_http_answer http = {.size = sizeof http};
    EXPECT(SURTITLE_INVALID_VALUE, surtitle_route_answer(route, &answer));
    EXPECT(SURTITLE_INVALID_VALUE, surtitle_route_http_answer(route, text("GET"), NULL, 0, &http));
    surtitle_resource resource = {.size = sizeof resource};
    surtitle_error error = {.size = sizeof error};
    surtitle_material wrong = material("<html>");
    EXPECT(SURTITLE_NOT_PLAYLIST, surtitle_route_fill(route, &wrong, &resource, &error));
    wrong = material(master);
    wrong.url = text("master.m3u8");
    EXPECT(SURTITLE_URI_REFUSED, surtitle_route_fill(route, &wrong, &resource, &error));
    wrong = material(master);
    wrong.flags = SURTITLE_MATERIAL_MISSING;
    EXPECT(SURTITLE_NOT_FOUND, surtitle_route_fill(route, &wrong, NULL, NULL));
    resource = fill(route, material(master));
    CHECK(resource.verdict == SURTITLE_VERDICT_MULTIVARIANT && resource.added_bytes > 0 && resource.exceeded_limit == SURTITLE_LIMIT_NONE);
    CHECK(is(resource.uniform_type, "public.m3u-playlist") && is(resource.media_type, "application/vnd.apple.mpegurl"));
    CHECK(has(resource, "\nsurtitle-variant-https://example.com/film/hd/video.m3u8\n"));
    CHECK(has(resource, "URI=\"surtitle-track://subtitles/en.m3u8\"") && has(resource, "URI=\"surtitle-track://subtitles/de.m3u8\""));
    EXPECT(SURTITLE_OK, surtitle_route_answer(route, &answer));
    CHECK(answer.kind == SURTITLE_ANSWER_NO_BYTES && answer.has_information && answer.length == resource.count && answer.count == 0);
    CHECK(is(answer.uniform_type, "public.m3u-playlist"));

    // What was made is kept by the caller, and answers the next request.
    size_t count = resource.count;
    uint8_t *kept = malloc(count);
    CHECK(kept != NULL);
    memcpy(kept, resource.bytes, count);
    static const struct {
        int64_t offset, length;
        int to_end, kind;
        size_t first, end; // SIZE_MAX for the end of the resource
    } requests[] = {
        {0, 0, 1, SURTITLE_ANSWER_BYTES, 0, SIZE_MAX},
        {0, INT64_MAX, 0, SURTITLE_ANSWER_BYTES, 0, SIZE_MAX},
        {3, 4, 0, SURTITLE_ANSWER_BYTES, 3, 7},
        {7, INT64_MAX, 0, SURTITLE_ANSWER_BYTES, 7, SIZE_MAX},
        {7, INT64_MIN, 1, SURTITLE_ANSWER_BYTES, 7, SIZE_MAX},
        {7, 0, 0, SURTITLE_ANSWER_BYTES, 7, 7},
        {7, -1, 0, SURTITLE_ANSWER_UNSATISFIABLE, 0, 0},
        {-1, 4, 0, SURTITLE_ANSWER_UNSATISFIABLE, 0, 0},
        {INT64_MIN, INT64_MIN, 0, SURTITLE_ANSWER_UNSATISFIABLE, 0, 0},
        {INT64_MAX, INT64_MAX, 0, SURTITLE_ANSWER_UNSATISFIABLE, 0, 0},
    };
    for (size_t i = 0; i < sizeof requests / sizeof requests[0]; i++) {
        request = (surtitle_route_request){
            .size = sizeof request, .url = url, .offset = requests[i].offset, .length = requests[i].length, .to_end = requests[i].to_end};
        EXPECT(SURTITLE_OK, surtitle_route_plan(route, &request, &made));
        surtitle_material ready = {.size = sizeof ready, .flags = SURTITLE_MATERIAL_READY, .bytes = kept, .count = count};
        EXPECT(SURTITLE_OK, surtitle_route_fill(route, &ready, NULL, NULL));
        EXPECT(SURTITLE_OK, surtitle_route_answer(route, &answer));
        size_t end = requests[i].end == SIZE_MAX ? count : requests[i].end;
        CHECK(answer.kind == requests[i].kind && answer.offset == requests[i].first && answer.count == end - requests[i].first);
        CHECK(memcmp(answer.bytes, kept + requests[i].first, answer.count) == 0 && !answer.has_information);
    }

    static const struct {
        const char *method, *range;
        int status;
        size_t first, end;
    } clients[] = {
        {"GET", NULL, 200, 0, SIZE_MAX},     {"HEAD", NULL, 200, 0, 0},
        {"GET", "bytes=1-3", 206, 1, 4},     {"GET", "bytes=5-", 206, 5, SIZE_MAX},
        {"GET", "bytes=99999-", 416, 0, 0},  {"GET", "bytes=0-1,4-5", 200, 0, SIZE_MAX},
        {"POST", NULL, 405, 0, 0},
    };
    for (size_t i = 0; i < sizeof clients / sizeof clients[0]; i++) {
        const char *range = clients[i].range;
        surtitle_field field = {"range", 5, range, range == NULL ? 0 : strlen(range)};
        EXPECT(SURTITLE_OK, surtitle_route_http_answer(route, text(clients[i].method), &field, range != NULL, &http));
        size_t end = clients[i].end == SIZE_MAX ? count : clients[i].end;
        CHECK(http.http_status == clients[i].status && http.offset == clients[i].first && http.count == end - clients[i].first);
        CHECK(memcmp(http.bytes, kept + clients[i].first, http.count) == 0);
    }
    EXPECT(SURTITLE_OK, surtitle_route_http_answer(route, text("GET"), &(surtitle_field){"Range", 5, "bytes=1-3", 9}, 1, &http));
    char place[64];
    snprintf(place, sizeof place, "bytes 1-3/%zu", count);
    CHECK(has_field(http.fields, http.field_count, "Content-Range", place) && has_field(http.fields, http.field_count, "Content-Length", "3"));
    free(kept);

    // A track whose file is known to be missing is left out.
    size_t missing[] = {0, 0};
    (void)plan(route, "SURTITLE-MASTER-HTTPS://example.com/film/master.m3u8");
    surtitle_material left = material(master);
    left.left_out = missing;
    left.left_out_count = 2;
    resource = fill(route, left);
    CHECK(!has(resource, "subtitles/en.m3u8") && has(resource, "subtitles/sv.m3u8"));
    // A media playlist comes back without tracks, and says so.
    resource = fill(route, material(media));
    CHECK(resource.verdict == SURTITLE_VERDICT_MEDIA && resource.added_bytes == 0);
}

static void playlists_and_files(surtitle_route *route) {
    surtitle_error error = {.size = sizeof error};
    surtitle_plan made = plan(route, "surtitle-track://subtitles/EN.m3u8");
    CHECK(made.kind == SURTITLE_PLAN_SUBTITLE_PLAYLIST && made.track == 0 && is(made.url, "https://example.com/film/en.vtt"));
    CHECK(has_field(made.fields, made.field_count, "X-App", "1"));
    surtitle_material of = {.size = sizeof of};
    EXPECT(SURTITLE_SEGMENT_REFUSED, surtitle_route_fill(route, &of, NULL, &error));
    of.duration_nanoseconds = 12500000000u;
    surtitle_resource resource = fill(route, of);
    CHECK(has(resource, "#EXTINF:12.500,\nsurtitle-track://subtitles/en.vtt\n#EXT-X-ENDLIST"));
    (void)plan(route, "surtitle-track://subtitles/sv.m3u8");
    CHECK(has(fill(route, (surtitle_material){.size = sizeof of}), "#EXTINF:20.000,"));

    made = plan(route, "surtitle-track://subtitles/sv.vtt?a#b");
    CHECK(made.kind == SURTITLE_PLAN_SUBTITLE_FILE && made.track == 1 && is(made.url, "https://cdn.example.com/sv.srt"));
    // The app's fields stay with the master's origin.
    CHECK(has_field(made.fields, made.field_count, "X-App", NULL));
    resource = fill(route, material(vtt));
    CHECK(resource.count == sizeof vtt - 1 && has(resource, vtt) && is(resource.media_type, "text/vtt"));
    of = material("");
    of.flags = SURTITLE_MATERIAL_MISSING;
    CHECK(has(fill(route, of), "WEBVTT\n"));

    // The playlist of a track that somebody else made.
    made = plan(route, "surtitle-track://subtitles/de.m3u8");
    CHECK(made.kind == SURTITLE_PLAN_FETCH_SUBTITLE_PLAYLIST && made.track == 2 && is(made.url, "https://example.com/film/de.m3u8"));
    of = material(given);
    of.url = text("http://other.example/x/de.m3u8");
    CHECK(has(fill(route, of), "\nsurtitle-cues-http://other.example/x/a.vtt\n"));
    of.flags = SURTITLE_MATERIAL_MISSING;
    of.duration_nanoseconds = 3000000000u;
    CHECK(has(fill(route, of), "#EXTINF:3.000,\nsurtitle-track://subtitles/de.vtt\n"));
    of.duration_nanoseconds = 0;
    CHECK(has(fill(route, of), "#EXTINF:1.000,\nsurtitle-track://subtitles/de.vtt\n"));
    CHECK(plan(route, "surtitle-track://subtitles/de.vtt").kind == SURTITLE_PLAN_EMPTY_FILE);
    CHECK(has(fill(route, material("")), "WEBVTT\n"));
    CHECK(plan(route, "surtitle-cues-http://other.example/x/a.vtt").kind == SURTITLE_PLAN_FETCH_CUES);
    CHECK(has(fill(route, material(vtt)), vtt));

    // What the video's playlists declare.
    made = plan(route, "surtitle-variant-https://example.com/film/hd/video.m3u8");
    CHECK(made.kind == SURTITLE_PLAN_FETCH_MEDIA_PLAYLIST && is(made.url, "https://example.com/film/hd/video.m3u8"));
    resource = fill(route, material(media));
    CHECK(has(resource, "URI=\"surtitle-key-https://example.com/film/hd/k\"") && has(resource, "\nhttps://example.com/film/hd/a.ts\n"));
    CHECK(plan(route, "surtitle-key-https://example.com/film/hd/k").kind == SURTITLE_PLAN_FETCH_KEY);
    resource = fill(route, material("0123456789abcdef"));
    CHECK(resource.count == 16 && resource.uniform_type.bytes == NULL && resource.verdict == SURTITLE_VERDICT_UNDECIDED);
}

static void without_resource(surtitle_route *route) {
    static const struct {
        const char *url, *description;
        int kind, reason, status;
    } cases[] = {
        {"https://example.com/film/master.m3u8", "decline: the URL is none of ours", SURTITLE_PLAN_DECLINE, SURTITLE_PLAN_OTHER_URL, 404},
        {"", "decline: the URL is none of ours", SURTITLE_PLAN_DECLINE, SURTITLE_PLAN_OTHER_URL, 404},
        {"skd://key", "decline: skd: belongs to a key system", SURTITLE_PLAN_DECLINE, SURTITLE_PLAN_KEY_SYSTEM, 404},
        {"surtitle-track://subtitles/fr.m3u8", "fail: there is no track \"fr.m3u8\"", SURTITLE_PLAN_FAIL, SURTITLE_PLAN_UNKNOWN_TRACK, 404},
        {"surtitle-key-https:/", "fail: surtitle-key-https:/ is no address that the router has made", SURTITLE_PLAN_FAIL, SURTITLE_PLAN_NO_ADDRESS, 404},
        {"surtitle-segment-https://example.com/1.ts?\"", "redirect to https://example.com/1.ts?\"", SURTITLE_PLAN_REDIRECT, SURTITLE_PLAN_NO_REASON, 302},
    };
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        surtitle_plan made = plan(route, cases[i].url);
        CHECK(made.kind == cases[i].kind && made.reason == cases[i].reason && is(made.description, cases[i].description));
        surtitle_material some = material(master);
        EXPECT(SURTITLE_INVALID_VALUE, surtitle_route_fill(route, &some, NULL, NULL));
        surtitle_http_answer http = {.size = sizeof http};
        EXPECT(SURTITLE_OK, surtitle_route_http_answer(route, text("GET"), NULL, 0, &http));
        CHECK(http.http_status == cases[i].status && http.count == 0);
        CHECK(has_field(http.fields, http.field_count, "Location", cases[i].status == 302 ? "https://example.com/1.ts?%22" : NULL));
    }
    surtitle_text types[] = {TEXT("public.data"), TEXT("com.apple.streamingkeydelivery.contentkey")};
    surtitle_route_request request = {
        .size = sizeof request, .url = text("skd://k"), .content_types = types, .content_type_count = 2};
    surtitle_plan made = {.size = sizeof made};
    EXPECT(SURTITLE_OK, surtitle_route_plan(route, &request, &made));
    CHECK(made.kind == SURTITLE_PLAN_DECLINE && made.reason == SURTITLE_PLAN_CONTENT_KEY);
    // A key of ours is asked for with the same types.
    request.url = text("surtitle-key-https://example.com/k");
    EXPECT(SURTITLE_OK, surtitle_route_plan(route, &request, &made));
    CHECK(made.kind == SURTITLE_PLAN_FETCH_KEY);
}

static void *share(void *unused) {
    (void)unused;
    for (int round = 0; round < 20; round++) {
        surtitle_route *route;
        EXPECT(SURTITLE_OK, surtitle_route_create(router, &route));
        CHECK(plan(route, "surtitle-master-https://example.com/film/master.m3u8").kind == SURTITLE_PLAN_FETCH_MASTER);
        CHECK(has(fill(route, material(master)), "subtitles/de.m3u8"));
        surtitle_fetch *fetch;
        surtitle_fetch_request request = {.size = sizeof request};
        EXPECT(SURTITLE_OK, surtitle_fetch_create_for(router, 0, SURTITLE_FETCH_DURATION, &fetch));
        EXPECT(SURTITLE_NEEDS_MORE, surtitle_fetch_next(fetch, &request));
        CHECK(is(request.url, "https://example.com/film/en.vtt"));
        surtitle_fetch_destroy(fetch);
        surtitle_route_destroy(route);
    }
    return NULL;
}

static void checks(void) {
    hops();
    redirects();
    refused();
    EXPECT(SURTITLE_OK, surtitle_router_create((const uint8_t *)json, sizeof json - 1, &router, NULL));
    tracks();
    surtitle_route *route;
    EXPECT(SURTITLE_OK, surtitle_route_create(router, &route));
    entry(route);
    playlists_and_files(route);
    without_resource(route);

    pthread_t threads[8];
    for (int i = 0; i < 8; i++) CHECK(pthread_create(&threads[i], NULL, share, NULL) == 0);
    for (int i = 0; i < 8; i++) CHECK(pthread_join(threads[i], NULL) == 0);
    pid_t child = fork();
    if (child == 0) {
        share(NULL);
        _exit(0);
    }
    int ending;
    CHECK(waitpid(child, &ending, 0) == child && WIFEXITED(ending) && WEXITSTATUS(ending) == 0);
    // A route lives on without its router.
    surtitle_router_destroy(router);
    CHECK(plan(route, "surtitle-track://subtitles/sv.m3u8").track == 1);
    CHECK(has(fill(route, (surtitle_material){.size = sizeof(surtitle_material)}), "#EXTINF:20.000,"));
    surtitle_route_destroy(route);
}

static void write_text(surtitle_text text) {
    if (text.bytes == NULL) {
        printf(" -");
    } else {
        printf(" %.*s", (int)text.count, text.bytes);
    }
}

int main(int count, char **arguments) {
    if (count == 1) {
        checks();
        return 0;
    }
    CHECK(count >= 4);
    bytes file = read_file(arguments[2]);
    EXPECT(SURTITLE_OK, surtitle_router_create(file.start, file.count, &router, NULL));
    free(file.start);
    surtitle_route *route;
    EXPECT(SURTITLE_OK, surtitle_route_create(router, &route));
    if (strcmp(arguments[1], "plans") == 0) {
        for (int i = 3; i < count; i++) {
            surtitle_plan made = plan(route, arguments[i]);
            printf("%lld", (long long)made.track);
            write_text(made.url);
            write_text(made.description);
            printf("\n");
        }
    } else {
        surtitle_text url;
        EXPECT(SURTITLE_OK, surtitle_router_entry(router, &url));
        surtitle_route_request request = {.size = sizeof request, .url = url, .to_end = 1};
        surtitle_plan made = {.size = sizeof made};
        EXPECT(SURTITLE_OK, surtitle_route_plan(route, &request, &made));
        bytes playlist = read_file(arguments[3]);
        surtitle_material of = {.size = sizeof of, .bytes = playlist.start, .count = playlist.count};
        EXPECT(SURTITLE_OK, surtitle_route_fill(route, &of, NULL, NULL));
        free(playlist.start);
        surtitle_answer answer = {.size = sizeof answer};
        EXPECT(SURTITLE_OK, surtitle_route_answer(route, &answer));
        CHECK(fwrite(answer.bytes, 1, answer.count, stdout) == answer.count);
    }
    surtitle_route_destroy(route);
    surtitle_router_destroy(router);
    return 0;
}
