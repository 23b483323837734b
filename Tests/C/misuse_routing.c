// The functions of routes and fetches, misused: each answers with a status, and none ends the process.
#include "check.h"

#define TOO_LONG ((size_t)PTRDIFF_MAX + 1)

static const uint8_t some[] = "#EXTM3U\n#EXT-X-STREAM-INF:BANDWIDTH=1\na\n";
#define COUNT (sizeof some - 1)

static surtitle_error small_error(void) {
    surtitle_error error = {.size = sizeof error - 1};
    return error;
}

static void routes(void) {
    static const uint8_t json[] =
        "{\"master\": \"https://a.example/m.m3u8\", \"tracks\": [{\"uri\": \"a.vtt\", \"name\": \"A\", \"language\": \"en\"}]}";
    surtitle_router *router;
    surtitle_route *route;
    surtitle_error error = small_error();
    surtitle_text entry, broken = {NULL, 1};
    surtitle_routed_track track = {.size = sizeof track - 1};
    EXPECT(SURTITLE_NULL_ARGUMENT, surtitle_router_create(NULL, 1, &router, NULL));
    EXPECT(SURTITLE_NULL_ARGUMENT, surtitle_router_create(json, sizeof json - 1, NULL, NULL));
    EXPECT(SURTITLE_TOO_LONG, surtitle_router_create(json, TOO_LONG, &router, NULL));
    EXPECT(SURTITLE_STRUCT_SIZE, surtitle_router_create(json, sizeof json - 1, &router, &error));
    EXPECT(SURTITLE_JSON_REFUSED, surtitle_router_create(NULL, 0, &router, NULL));
    EXPECT(SURTITLE_OK, surtitle_router_create(json, sizeof json - 1, &router, NULL));
    EXPECT(SURTITLE_NULL_ARGUMENT, surtitle_router_entry(NULL, &entry));
    EXPECT(SURTITLE_NULL_ARGUMENT, surtitle_router_entry(router, NULL));
    EXPECT(SURTITLE_NULL_ARGUMENT, surtitle_router_track(NULL, 0, &track));
    EXPECT(SURTITLE_NULL_ARGUMENT, surtitle_router_track(router, 0, NULL));
    EXPECT(SURTITLE_STRUCT_SIZE, surtitle_router_track(router, 0, &track));
    EXPECT(SURTITLE_NULL_ARGUMENT, surtitle_route_create(NULL, &route));
    EXPECT(SURTITLE_NULL_ARGUMENT, surtitle_route_create(router, NULL));
    EXPECT(SURTITLE_OK, surtitle_route_create(router, &route));

    surtitle_route_request request = {.size = sizeof request - 1, .url = TEXT("surtitle-track://subtitles/en.m3u8")};
    surtitle_plan plan = {.size = sizeof plan};
    surtitle_material material = {.size = sizeof material};
    surtitle_resource resource = {.size = sizeof resource};
    surtitle_answer answer = {.size = sizeof answer};
    surtitle_http_answer http = {.size = sizeof http};
    surtitle_text get = TEXT("GET");
    surtitle_field field = {NULL, 1, "a", 1};
    EXPECT(SURTITLE_INVALID_VALUE, surtitle_route_fill(route, &material, &resource, NULL));
    EXPECT(SURTITLE_INVALID_VALUE, surtitle_route_answer(route, &answer));
    EXPECT(SURTITLE_INVALID_VALUE, surtitle_route_http_answer(route, get, NULL, 0, &http));
    EXPECT(SURTITLE_STRUCT_SIZE, surtitle_route_plan(route, &request, &plan));
    request.size = sizeof request;
    EXPECT(SURTITLE_NULL_ARGUMENT, surtitle_route_plan(NULL, &request, &plan));
    EXPECT(SURTITLE_NULL_ARGUMENT, surtitle_route_plan(route, NULL, &plan));
    EXPECT(SURTITLE_NULL_ARGUMENT, surtitle_route_plan(route, &request, NULL));
    plan.size--;
    EXPECT(SURTITLE_STRUCT_SIZE, surtitle_route_plan(route, &request, &plan));
    plan.size++;
    request.to_end = 2;
    EXPECT(SURTITLE_INVALID_VALUE, surtitle_route_plan(route, &request, &plan));
    request.to_end = 1;
    request.wants_information = -1;
    EXPECT(SURTITLE_INVALID_VALUE, surtitle_route_plan(route, &request, &plan));
    request.wants_information = 0;
    request.field_count = 1;
    EXPECT(SURTITLE_NULL_ARGUMENT, surtitle_route_plan(route, &request, &plan));
    request.fields = &field;
    EXPECT(SURTITLE_NULL_ARGUMENT, surtitle_route_plan(route, &request, &plan));
    request.field_count = TOO_LONG;
    EXPECT(SURTITLE_TOO_LONG, surtitle_route_plan(route, &request, &plan));
    request.field_count = 0;
    request.content_type_count = 1;
    EXPECT(SURTITLE_NULL_ARGUMENT, surtitle_route_plan(route, &request, &plan));
    request.content_types = &broken;
    EXPECT(SURTITLE_NULL_ARGUMENT, surtitle_route_plan(route, &request, &plan));
    request.content_type_count = TOO_LONG;
    EXPECT(SURTITLE_TOO_LONG, surtitle_route_plan(route, &request, &plan));
    request.content_type_count = 0;
    EXPECT(SURTITLE_OK, surtitle_route_plan(route, &request, &plan));
    request.url = (surtitle_text){NULL, 0};
    EXPECT(SURTITLE_NULL_ARGUMENT, surtitle_route_plan(route, &request, &plan));

    surtitle_hop hop = {.size = sizeof hop};
    surtitle_text none = {NULL, 0}, some_url = TEXT("https://b.example/");
    EXPECT(SURTITLE_NULL_ARGUMENT, surtitle_route_hop(NULL, 0, some_url, none, &hop));
    EXPECT(SURTITLE_NULL_ARGUMENT, surtitle_route_hop(route, 0, none, none, &hop));
    EXPECT(SURTITLE_NULL_ARGUMENT, surtitle_route_hop(route, 0, broken, none, &hop));
    EXPECT(SURTITLE_NULL_ARGUMENT, surtitle_route_hop(route, 0, some_url, broken, &hop));
    EXPECT(SURTITLE_NULL_ARGUMENT, surtitle_route_hop(route, 0, some_url, none, NULL));
    EXPECT(SURTITLE_INVALID_VALUE, surtitle_route_hop(route, 7, some_url, none, &hop));
    EXPECT(SURTITLE_INVALID_VALUE, surtitle_route_hop(route, -1, some_url, none, &hop));
    hop.size--;
    EXPECT(SURTITLE_STRUCT_SIZE, surtitle_route_hop(route, 0, some_url, none, &hop));
    int is_public;
    EXPECT(SURTITLE_NULL_ARGUMENT, surtitle_route_is_public(NULL, 4, &is_public));
    EXPECT(SURTITLE_NULL_ARGUMENT, surtitle_route_is_public(some, 4, NULL));
    EXPECT(SURTITLE_TOO_LONG, surtitle_route_is_public(some, TOO_LONG, &is_public));

    // The plan of the last request that was understood stands.
    material.duration_nanoseconds = 1000000000;
    EXPECT(SURTITLE_NULL_ARGUMENT, surtitle_route_fill(NULL, &material, &resource, NULL));
    EXPECT(SURTITLE_NULL_ARGUMENT, surtitle_route_fill(route, NULL, &resource, NULL));
    EXPECT(SURTITLE_STRUCT_SIZE, surtitle_route_fill(route, &material, &resource, &error));
    resource.size--;
    EXPECT(SURTITLE_STRUCT_SIZE, surtitle_route_fill(route, &material, &resource, NULL));
    resource.size++;
    material.size--;
    EXPECT(SURTITLE_STRUCT_SIZE, surtitle_route_fill(route, &material, &resource, NULL));
    material.size++;
    material.flags = 3;
    EXPECT(SURTITLE_INVALID_VALUE, surtitle_route_fill(route, &material, &resource, NULL));
    material.flags = UINT32_MAX;
    EXPECT(SURTITLE_INVALID_VALUE, surtitle_route_fill(route, &material, &resource, NULL));
    material.flags = 0;
    material.reserved = 1;
    EXPECT(SURTITLE_INVALID_VALUE, surtitle_route_fill(route, &material, &resource, NULL));
    material.reserved = 0;
    material.count = 1;
    EXPECT(SURTITLE_NULL_ARGUMENT, surtitle_route_fill(route, &material, &resource, NULL));
    material.count = TOO_LONG;
    EXPECT(SURTITLE_TOO_LONG, surtitle_route_fill(route, &material, &resource, NULL));
    material.count = 0;
    material.left_out_count = 1;
    EXPECT(SURTITLE_NULL_ARGUMENT, surtitle_route_fill(route, &material, &resource, NULL));
    size_t left_out[] = {0, SIZE_MAX};
    material.left_out = left_out;
    material.left_out_count = 2;
    EXPECT(SURTITLE_INVALID_VALUE, surtitle_route_fill(route, &material, &resource, NULL));
    material.left_out_count = TOO_LONG;
    EXPECT(SURTITLE_TOO_LONG, surtitle_route_fill(route, &material, &resource, NULL));
    material.left_out_count = 1;
    EXPECT(SURTITLE_OK, surtitle_route_fill(route, &material, &resource, NULL));
    EXPECT(SURTITLE_NULL_ARGUMENT, surtitle_route_answer(NULL, &answer));
    EXPECT(SURTITLE_NULL_ARGUMENT, surtitle_route_answer(route, NULL));
    answer.size = 8;
    EXPECT(SURTITLE_STRUCT_SIZE, surtitle_route_answer(route, &answer));
    EXPECT(SURTITLE_NULL_ARGUMENT, surtitle_route_http_answer(NULL, get, NULL, 0, &http));
    EXPECT(SURTITLE_NULL_ARGUMENT, surtitle_route_http_answer(route, broken, NULL, 0, &http));
    EXPECT(SURTITLE_NULL_ARGUMENT, surtitle_route_http_answer(route, get, NULL, 1, &http));
    EXPECT(SURTITLE_NULL_ARGUMENT, surtitle_route_http_answer(route, get, &field, 1, &http));
    EXPECT(SURTITLE_TOO_LONG, surtitle_route_http_answer(route, get, &field, TOO_LONG, &http));
    EXPECT(SURTITLE_NULL_ARGUMENT, surtitle_route_http_answer(route, get, NULL, 0, NULL));
    http.size = 8;
    EXPECT(SURTITLE_STRUCT_SIZE, surtitle_route_http_answer(route, get, NULL, 0, &http));
    // A track may last for ever.
    material.duration_nanoseconds = UINT64_MAX;
    EXPECT(SURTITLE_OK, surtitle_route_fill(route, &material, &resource, NULL));
    surtitle_route_destroy(route);
    surtitle_route_destroy(NULL);

    surtitle_fetch *fetch;
    EXPECT(SURTITLE_NULL_ARGUMENT, surtitle_fetch_create_for(NULL, 0, 0, &fetch));
    EXPECT(SURTITLE_NULL_ARGUMENT, surtitle_fetch_create_for(router, 0, 0, NULL));
    EXPECT(SURTITLE_NOT_FOUND, surtitle_fetch_create_for(router, SIZE_MAX, 0, &fetch));
    EXPECT(SURTITLE_INVALID_VALUE, surtitle_fetch_create_for(router, 0, 4, &fetch));
    EXPECT(SURTITLE_INVALID_VALUE, surtitle_fetch_create_for(router, 0, -1, &fetch));
    CHECK(fetch == NULL);
    surtitle_router_destroy(router);
    surtitle_router_destroy(NULL);
}

static void fetches(void) {
    surtitle_fetch *fetch;
    surtitle_fetch_settings settings = {.size = sizeof settings - 1, .job = SURTITLE_FETCH_CONTENT, .url = TEXT("https://a.example/a.vtt")};
    EXPECT(SURTITLE_NULL_ARGUMENT, surtitle_fetch_create(NULL, &fetch));
    EXPECT(SURTITLE_STRUCT_SIZE, surtitle_fetch_create(&settings, &fetch));
    settings.size = sizeof settings;
    EXPECT(SURTITLE_NULL_ARGUMENT, surtitle_fetch_create(&settings, NULL));
    settings.job = 4;
    EXPECT(SURTITLE_INVALID_VALUE, surtitle_fetch_create(&settings, &fetch));
    settings.job = -1;
    EXPECT(SURTITLE_INVALID_VALUE, surtitle_fetch_create(&settings, &fetch));
    settings.job = SURTITLE_FETCH_MEDIA_START;
    EXPECT(SURTITLE_NULL_ARGUMENT, surtitle_fetch_create(&settings, &fetch));
    settings.job = SURTITLE_FETCH_CONTENT;
    settings.format = 3;
    EXPECT(SURTITLE_INVALID_VALUE, surtitle_fetch_create(&settings, &fetch));
    settings.format = -1;
    EXPECT(SURTITLE_INVALID_VALUE, surtitle_fetch_create(&settings, &fetch));
    settings.format = 256;
    EXPECT(SURTITLE_INVALID_VALUE, surtitle_fetch_create(&settings, &fetch));
    settings.format = 0;
    settings.map = 4;
    EXPECT(SURTITLE_INVALID_VALUE, surtitle_fetch_create(&settings, &fetch));
    settings.map = SURTITLE_MAP_FROM_VIDEO;
    EXPECT(SURTITLE_NULL_ARGUMENT, surtitle_fetch_create(&settings, &fetch));
    settings.map = SURTITLE_MAP_ALWAYS;
    settings.mpegts = UINT64_MAX;
    EXPECT(SURTITLE_INVALID_VALUE, surtitle_fetch_create(&settings, &fetch));
    settings.mpegts = 0;
    settings.job = SURTITLE_FETCH_DURATION;
    EXPECT(SURTITLE_INVALID_VALUE, surtitle_fetch_create(&settings, &fetch));
    settings.map = 0;
    settings.reserved = 1;
    EXPECT(SURTITLE_INVALID_VALUE, surtitle_fetch_create(&settings, &fetch));
    settings.reserved = 0;
    settings.tail = TOO_LONG;
    EXPECT(SURTITLE_TOO_LONG, surtitle_fetch_create(&settings, &fetch));
    settings.tail = ((size_t)1 << 30) + 1;
    EXPECT(SURTITLE_INVALID_VALUE, surtitle_fetch_create(&settings, &fetch));
    settings.tail = 0;
    settings.url = (surtitle_text){"a", TOO_LONG};
    EXPECT(SURTITLE_TOO_LONG, surtitle_fetch_create(&settings, &fetch));
    settings.url = (surtitle_text){NULL, 0};
    EXPECT(SURTITLE_NULL_ARGUMENT, surtitle_fetch_create(&settings, &fetch));
    CHECK(fetch == NULL);
    // What is no URL is told by the job itself.
    settings.url = (surtitle_text)TEXT("a b");
    surtitle_fetch_request request = {.size = sizeof request};
    surtitle_fetched result = {.size = sizeof result};
    EXPECT(SURTITLE_OK, surtitle_fetch_create(&settings, &fetch));
    EXPECT(SURTITLE_FETCH_FAILED, surtitle_fetch_next(fetch, &request));
    EXPECT(SURTITLE_FETCH_FAILED, surtitle_fetch_result(fetch, &result));
    CHECK(result.failure == SURTITLE_FAILURE_UNUSABLE);
    surtitle_fetch_destroy(fetch);

    settings.url = (surtitle_text)TEXT("https://a.example/a.vtt");
    surtitle_text none = {NULL, 0}, broken = {NULL, 1};
    surtitle_field field = {NULL, 1, "a", 1};
    uint64_t held;
    EXPECT(SURTITLE_OK, surtitle_fetch_create(&settings, &fetch));
    // Out of order: nothing is under way.
    EXPECT(SURTITLE_OK, surtitle_fetch_begin(fetch, 200, none, 0, NULL, 0));
    EXPECT(SURTITLE_OK, surtitle_fetch_write(fetch, some, COUNT));
    EXPECT(SURTITLE_OK, surtitle_fetch_finish(fetch));
    EXPECT(SURTITLE_OK, surtitle_fetch_fail(fetch));
    EXPECT(SURTITLE_NEEDS_MORE, surtitle_fetch_result(fetch, &result));
    EXPECT(SURTITLE_NULL_ARGUMENT, surtitle_fetch_next(NULL, &request));
    EXPECT(SURTITLE_NULL_ARGUMENT, surtitle_fetch_next(fetch, NULL));
    request.size--;
    EXPECT(SURTITLE_STRUCT_SIZE, surtitle_fetch_next(fetch, &request));
    request.size++;
    EXPECT(SURTITLE_NEEDS_MORE, surtitle_fetch_next(fetch, &request));
    EXPECT(SURTITLE_NULL_ARGUMENT, surtitle_fetch_begin(NULL, 200, none, 0, NULL, 0));
    EXPECT(SURTITLE_NULL_ARGUMENT, surtitle_fetch_begin(fetch, 200, broken, 0, NULL, 0));
    EXPECT(SURTITLE_NULL_ARGUMENT, surtitle_fetch_begin(fetch, 200, none, 0, NULL, 1));
    EXPECT(SURTITLE_NULL_ARGUMENT, surtitle_fetch_begin(fetch, 200, none, 0, &field, 1));
    EXPECT(SURTITLE_TOO_LONG, surtitle_fetch_begin(fetch, 200, none, 0, &field, TOO_LONG));
    EXPECT(SURTITLE_INVALID_VALUE, surtitle_fetch_begin(fetch, 200, none, 2, NULL, 0));
    EXPECT(SURTITLE_NEEDS_MORE, surtitle_fetch_begin(fetch, 200, none, 0, NULL, 0));
    EXPECT(SURTITLE_NULL_ARGUMENT, surtitle_fetch_write(NULL, some, COUNT));
    EXPECT(SURTITLE_NULL_ARGUMENT, surtitle_fetch_write(fetch, NULL, COUNT));
    EXPECT(SURTITLE_TOO_LONG, surtitle_fetch_write(fetch, some, TOO_LONG));
    EXPECT(SURTITLE_NULL_ARGUMENT, surtitle_fetch_finish(NULL));
    EXPECT(SURTITLE_NULL_ARGUMENT, surtitle_fetch_fail(NULL));
    EXPECT(SURTITLE_NULL_ARGUMENT, surtitle_fetch_result(NULL, &result));
    EXPECT(SURTITLE_NULL_ARGUMENT, surtitle_fetch_result(fetch, NULL));
    result.size = 8;
    EXPECT(SURTITLE_STRUCT_SIZE, surtitle_fetch_result(fetch, &result));
    EXPECT(SURTITLE_NULL_ARGUMENT, surtitle_fetch_held_bytes(NULL, &held));
    EXPECT(SURTITLE_NULL_ARGUMENT, surtitle_fetch_held_bytes(fetch, NULL));
    EXPECT(SURTITLE_NULL_ARGUMENT, surtitle_fetch_set_decrypt(NULL, NULL, NULL));
    EXPECT(SURTITLE_NULL_ARGUMENT, surtitle_fetch_set_decrypts(NULL, 1));
    EXPECT(SURTITLE_INVALID_VALUE, surtitle_fetch_set_decrypts(fetch, 2));
    surtitle_decryption decryption = {.size = sizeof decryption - 1};
    EXPECT(SURTITLE_NULL_ARGUMENT, surtitle_fetch_decryption(NULL, &decryption));
    EXPECT(SURTITLE_NULL_ARGUMENT, surtitle_fetch_decryption(fetch, NULL));
    EXPECT(SURTITLE_STRUCT_SIZE, surtitle_fetch_decryption(fetch, &decryption));
    EXPECT(SURTITLE_NULL_ARGUMENT, surtitle_fetch_decrypted(NULL, some, COUNT));
    EXPECT(SURTITLE_NULL_ARGUMENT, surtitle_fetch_decrypted(fetch, NULL, COUNT));
    EXPECT(SURTITLE_TOO_LONG, surtitle_fetch_decrypted(fetch, some, TOO_LONG));
    EXPECT(SURTITLE_NULL_ARGUMENT, surtitle_fetch_reset(NULL));
    // A status that none is.
    EXPECT(SURTITLE_OK, surtitle_fetch_reset(fetch));
    EXPECT(SURTITLE_NEEDS_MORE, surtitle_fetch_next(fetch, &request));
    EXPECT(SURTITLE_OK, surtitle_fetch_begin(fetch, INT32_MIN, none, 0, NULL, 0));
    EXPECT(SURTITLE_FETCH_FAILED, surtitle_fetch_next(fetch, &request));
    surtitle_fetch_destroy(fetch);
    surtitle_fetch_destroy(NULL);
}

int main(void) {
    routes();
    fetches();
    return 0;
}
