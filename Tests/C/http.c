// A request and its response as a proxy decides about them, for the usual playlist, for one that has to be looked at, and for media.
#include "check.h"

static const surtitle_field *find(const surtitle_field *edits, size_t count, const char *name) {
    for (size_t i = 0; i < count; i++) {
        if (edits[i].name_count == strlen(name) && memcmp(edits[i].name, name, edits[i].name_count) == 0) return &edits[i];
    }
    return NULL;
}

static int has_value(const surtitle_field *edit, const char *value) {
    return edit != NULL && edit->value_count == strlen(value) && memcmp(edit->value, value, edit->value_count) == 0;
}

#define FIELD(name, value) {name, sizeof(name) - 1, value, sizeof(value) - 1}

// Which paths are likely, how much is held, and what no-transform says: each setting at its bounds.
static void check_settings(void) {
    static surtitle_text many[1001];
    for (size_t i = 0; i < 1001; i++) many[i] = (surtitle_text)TEXT("/play*");
    static const surtitle_field fields[] = {
        FIELD("Content-Type", "application/vnd.apple.mpegurl"), FIELD("Content-Length", "1000"), FIELD("Cache-Control", "no-transform")};
    static const struct {
        const surtitle_text *patterns;
        size_t pattern_count, longest_held, field_count;
        int ignores;
        const char *path;
        int request, response;
        uint64_t hold_bytes;
    } rows[] = {
        {NULL, 0, SIZE_MAX, 2, 0, "/a.m3u8", SURTITLE_REQUEST_LIKELY, SURTITLE_RESPONSE_HOLD, 65536},
        {NULL, 0, SIZE_MAX, 2, 0, "/play", SURTITLE_REQUEST_UNLIKELY, SURTITLE_RESPONSE_HOLD, 65536},
        {many, 0, SIZE_MAX, 2, 0, "/a.m3u8", SURTITLE_REQUEST_UNLIKELY, SURTITLE_RESPONSE_HOLD, 65536},
        {many, 1000, SIZE_MAX, 2, 0, "/a.m3u8", SURTITLE_REQUEST_UNLIKELY, SURTITLE_RESPONSE_HOLD, 65536},
        {many, 1000, SIZE_MAX, 2, 0, "/play", SURTITLE_REQUEST_LIKELY, SURTITLE_RESPONSE_HOLD, 65536},
        {NULL, 0, 0, 2, 0, "/a.m3u8", SURTITLE_REQUEST_LIKELY, SURTITLE_RESPONSE_STREAM, 0},
        {NULL, 0, 1000, 2, 0, "/a.m3u8", SURTITLE_REQUEST_LIKELY, SURTITLE_RESPONSE_HOLD, 1000},
        {NULL, 0, 999, 2, 0, "/a.m3u8", SURTITLE_REQUEST_LIKELY, SURTITLE_RESPONSE_STREAM, 0},
        {NULL, 0, SIZE_MAX, 3, 0, "/a.m3u8", SURTITLE_REQUEST_LIKELY, SURTITLE_RESPONSE_PASS, 0},
        {NULL, 0, SIZE_MAX, 3, 1, "/a.m3u8", SURTITLE_REQUEST_LIKELY, SURTITLE_RESPONSE_HOLD, 65536},
    };
    surtitle_http_rules *rules;
    surtitle_exchange *exchange;
    surtitle_text get = TEXT("GET");
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        surtitle_http_settings settings = {sizeof settings, rows[i].patterns, rows[i].pattern_count, rows[i].longest_held, rows[i].ignores, 0};
        EXPECT(SURTITLE_OK, surtitle_http_rules_create(&settings, &rules, NULL));
        EXPECT(SURTITLE_OK, surtitle_exchange_create(rules, &exchange));
        surtitle_http_rules_destroy(rules);
        surtitle_decision decision;
        memset(&decision, 0x55, sizeof decision);
        decision.size = sizeof decision;
        surtitle_text path = {rows[i].path, strlen(rows[i].path)};
        EXPECT(SURTITLE_OK, surtitle_exchange_request(exchange, 15, -1, get, path, NULL, 0, &decision));
        CHECK(decision.action == rows[i].request && decision.hold_bytes == 0 && decision.size == sizeof decision);
        EXPECT(SURTITLE_OK, surtitle_exchange_response(exchange, 200, 0, fields, rows[i].field_count, &decision));
        CHECK(decision.action == rows[i].response && decision.hold_bytes == rows[i].hold_bytes);
        surtitle_exchange_destroy(exchange);
    }
    surtitle_http_settings settings = {sizeof settings, many, 1001, SIZE_MAX, 0, 0};
    surtitle_error error = {.size = sizeof error};
    EXPECT(SURTITLE_PATTERN_REFUSED, surtitle_http_rules_create(&settings, &rules, &error));
    CHECK(strcmp(error.message, "there are too many patterns") == 0 && error.index == -1);
    // A pattern that is not given, or no text.
    surtitle_text bad[] = {TEXT("/a"), {NULL, 0}};
    settings.patterns = bad;
    settings.pattern_count = 2;
    EXPECT(SURTITLE_NULL_ARGUMENT, surtitle_http_rules_create(&settings, &rules, &error));
    CHECK(error.index == 1 && strcmp(error.field, "patterns[1]") == 0);
    bad[1] = (surtitle_text)TEXT("/\xFF");
    EXPECT(SURTITLE_INVALID_UTF8, surtitle_http_rules_create(&settings, &rules, &error));
    CHECK(error.index == 1 && error.position == 1 && rules == NULL);
}

// When tracks changed, from the first to the last second that a date may have; and the later of two dates goes out.
static void check_dates(void) {
    static const struct { int64_t modified; int status; const char *date; } rows[] = {
        {-2, SURTITLE_INVALID_VALUE, NULL},
        {-1, SURTITLE_OK, NULL},
        {0, SURTITLE_OK, NULL},
        {784111777, SURTITLE_OK, "Sun, 06 Nov 1994 08:49:37 GMT"},
        {253402300799, SURTITLE_OK, "Fri, 31 Dec 9999 23:59:59 GMT"},
        {253402300800, SURTITLE_INVALID_VALUE, NULL},
    };
    static const surtitle_field fields[] = {
        FIELD("Content-Type", "application/vnd.apple.mpegurl"), FIELD("Last-Modified", "Thu, 01 Jan 1970 00:00:00 GMT")};
    surtitle_http_rules *rules;
    surtitle_exchange *exchange;
    surtitle_text get = TEXT("GET"), path = TEXT("/a.m3u8");
    EXPECT(SURTITLE_OK, surtitle_http_rules_create(NULL, &rules, NULL));
    EXPECT(SURTITLE_OK, surtitle_exchange_create(rules, &exchange));
    surtitle_http_rules_destroy(rules);
    surtitle_decision decision = {.size = sizeof decision};
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        EXPECT(rows[i].status, surtitle_exchange_request(exchange, 15, rows[i].modified, get, path, NULL, 0, &decision));
        if (rows[i].status != SURTITLE_OK) continue;
        EXPECT(SURTITLE_OK, surtitle_exchange_response(exchange, 200, 0, fields, 2, &decision));
        const surtitle_field *edit = find(decision.edits, decision.edit_count, "Last-Modified");
        if (rows[i].date != NULL) CHECK(has_value(edit, rows[i].date));
        if (rows[i].modified == 0) CHECK(edit == NULL);
        const surtitle_field *edits;
        size_t count;
        EXPECT(SURTITLE_OK, surtitle_exchange_set_length(exchange, INT64_MAX, &edits, &count));
        CHECK(has_value(find(edits, count, "Content-Length"), "9223372036854775807"));
        EXPECT(SURTITLE_TOO_LONG, surtitle_exchange_set_length(exchange, (uint64_t)INT64_MAX + 1, &edits, &count));
        CHECK(edits == NULL && count == 0);
    }
    EXPECT(SURTITLE_INVALID_VALUE, surtitle_exchange_response(exchange, 200, 256, fields, 2, &decision));
    EXPECT(SURTITLE_OK, surtitle_exchange_response(exchange, 200, SURTITLE_CONTENT_OTHER, fields, 0, &decision));
    CHECK(decision.action == SURTITLE_RESPONSE_PASS && decision.reason == SURTITLE_REASON_OTHER_CONTENT);
    // No method and no target are texts like others.
    surtitle_text none = {NULL, 0};
    EXPECT(SURTITLE_OK, surtitle_exchange_request(exchange, 15, -1, none, none, NULL, 0, &decision));
    CHECK(decision.action == SURTITLE_REQUEST_EXCLUDED && decision.reason == SURTITLE_REASON_METHOD && decision.edit_count == 0);
    surtitle_exchange_destroy(exchange);
}

int main(void) {
    check_settings();
    check_dates();
    surtitle_http_rules *rules;
    EXPECT(SURTITLE_OK, surtitle_http_rules_create(NULL, &rules, NULL));
    surtitle_exchange *exchange;
    EXPECT(SURTITLE_OK, surtitle_exchange_create(rules, &exchange));
    surtitle_http_rules_destroy(rules);
    surtitle_decision decision = {.size = sizeof decision};
    surtitle_text get = TEXT("GET"), path = TEXT("/video/master.m3u8?a=1"), other = TEXT("/video/1.ts"), odd = TEXT("/play");

    EXPECT(SURTITLE_INVALID_VALUE, surtitle_exchange_response(exchange, 200, 0, NULL, 0, &decision));
    EXPECT(SURTITLE_INVALID_VALUE, surtitle_exchange_request_again(exchange, NULL, 0, &decision));

    // A range of a playlist is asked for whole, and only what was derived here comes back to the origin.
    const surtitle_field request[] = {
        FIELD("range", "bytes=0-1"),
        FIELD("Accept-Encoding", "gzip"),
        FIELD("If-None-Match", "\"x\", \"a-surtitle-000000000000000f\""),
        FIELD("X-Other", "1"),
    };
    EXPECT(SURTITLE_OK, surtitle_exchange_request(exchange, 15, -1, get, path, request, 4, &decision));
    CHECK(decision.action == SURTITLE_REQUEST_LIKELY && decision.reason == SURTITLE_REASON_LIKELY_PATH);
    CHECK(decision.edit_count == 3 && find(decision.edits, 3, "Range")->value == NULL);
    CHECK(has_value(find(decision.edits, 3, "Accept-Encoding"), "identity"));
    CHECK(has_value(find(decision.edits, 3, "If-None-Match"), "\"a\""));

    const surtitle_field response[] = {
        FIELD("Content-Type", "application/vnd.apple.mpegurl"),
        FIELD("Content-Length", "1000"),
        FIELD("ETag", "\"a\""),
    };
    EXPECT(SURTITLE_OK, surtitle_exchange_response(exchange, 200, SURTITLE_CONTENT_UNSEEN, response, 3, &decision));
    CHECK(decision.action == SURTITLE_RESPONSE_HOLD && decision.hold_bytes == 65536);
    CHECK(find(decision.edits, decision.edit_count, "Content-Length")->value == NULL);
    CHECK(has_value(find(decision.edits, decision.edit_count, "ETag"), "\"a-surtitle-000000000000000f\""));
    const surtitle_field *edits;
    size_t edit_count;
    EXPECT(SURTITLE_OK, surtitle_exchange_set_length(exchange, 1234, &edits, &edit_count));
    CHECK(has_value(find(edits, edit_count, "Content-Length"), "1234"));
    EXPECT(SURTITLE_OK, surtitle_exchange_response(exchange, 304, SURTITLE_CONTENT_UNSEEN, response, 3, &decision));
    CHECK(decision.action == SURTITLE_RESPONSE_PASS && decision.reason == SURTITLE_REASON_NOT_MODIFIED);

    // A likely path and an unlikely type: the first bytes tell.
    EXPECT(SURTITLE_OK, surtitle_exchange_response(exchange, 200, SURTITLE_CONTENT_UNSEEN, NULL, 0, &decision));
    CHECK(decision.action == SURTITLE_RESPONSE_LOOK);
    int content = -1;
    EXPECT(SURTITLE_NEEDS_MORE, surtitle_http_content((const uint8_t *)"#EXTM", 5, 0, &content));
    EXPECT(SURTITLE_OK, surtitle_http_content((const uint8_t *)"#EXTM", 5, 1, &content));
    CHECK(content == SURTITLE_CONTENT_OTHER);
    EXPECT(SURTITLE_OK, surtitle_http_content((const uint8_t *)"#EXTM3U\n#EXT", 12, 0, &content));
    CHECK(content == SURTITLE_CONTENT_PLAYLIST);
    EXPECT(SURTITLE_OK, surtitle_exchange_response(exchange, 200, content, NULL, 0, &decision));
    CHECK(decision.action == SURTITLE_RESPONSE_HOLD && decision.reason == SURTITLE_REASON_PLAYLIST_CONTENT);

    // Media is left alone; a playlist at an unlikely path is asked for again if it comes in part.
    EXPECT(SURTITLE_OK, surtitle_exchange_request(exchange, 15, 784111777, get, other, request, 2, &decision));
    CHECK(decision.action == SURTITLE_REQUEST_UNLIKELY && decision.edit_count == 0);
    EXPECT(SURTITLE_OK, surtitle_exchange_request(exchange, 15, 784111777, get, odd, request, 2, &decision));
    EXPECT(SURTITLE_OK, surtitle_exchange_response(exchange, 206, 0, response, 1, &decision));
    CHECK(decision.action == SURTITLE_RESPONSE_ASK_AGAIN && decision.reason == SURTITLE_REASON_PARTIAL_CONTENT);
    EXPECT(SURTITLE_OK, surtitle_exchange_request_again(exchange, request, 2, &decision));
    CHECK(decision.action == SURTITLE_REQUEST_AGAIN && decision.edit_count == 2);
    surtitle_exchange_destroy(exchange);

    // Patterns of one's own.
    const surtitle_text patterns[] = {TEXT("/play*")};
    surtitle_http_settings settings = {sizeof settings, patterns, 1, 0, 0, 0};
    surtitle_error error = {.size = sizeof error};
    EXPECT(SURTITLE_OK, surtitle_http_rules_create(&settings, &rules, &error));
    EXPECT(SURTITLE_OK, surtitle_exchange_create(rules, &exchange));
    EXPECT(SURTITLE_OK, surtitle_exchange_request(exchange, 15, -1, get, odd, NULL, 0, &decision));
    CHECK(decision.action == SURTITLE_REQUEST_LIKELY);
    EXPECT(SURTITLE_OK, surtitle_exchange_response(exchange, 200, 0, response, 3, &decision));
    CHECK(decision.action == SURTITLE_RESPONSE_STREAM);
    surtitle_exchange_destroy(exchange);
    surtitle_http_rules_destroy(rules);
    const surtitle_text wrong[] = {TEXT("*.m3u8"), TEXT("/a?b")};
    settings.patterns = wrong;
    settings.pattern_count = 2;
    EXPECT(SURTITLE_PATTERN_REFUSED, surtitle_http_rules_create(&settings, &rules, &error));
    CHECK(rules == NULL && error.index == 1 && error.position == 2 && strcmp(error.field, "patterns[1]") == 0);
    return 0;
}
