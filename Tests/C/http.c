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

int main(void) {
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
