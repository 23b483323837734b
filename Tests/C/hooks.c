// Memory by hooks: all of it comes from them and goes back, none is asked for by a rewriter or a segmenter that is used again, and a hook that comes back to
// the library in the middle of a call is refused. Without any left the process is ended, in good order.
#define _POSIX_C_SOURCE 200809L
#include "check.h"

#include <signal.h>
#include <sys/wait.h>
#include <unistd.h>

static size_t allocated, released, live, largest;
static int is_context;
static surtitle_rewriter *rewriter, *destroyed;
static int status_inside = -1;

static void *allocate(size_t alignment, size_t size, void *context) {
    CHECK(context == &is_context && alignment > 0 && (alignment & (alignment - 1)) == 0);
    allocated++;
    live++;
    if (size > largest) largest = size;
    if (rewriter != NULL) {
        const surtitle_piece *pieces;
        size_t count;
        status_inside = surtitle_rewriter_write(rewriter, NULL, 0, &pieces, &count);
        surtitle_rewriter_destroy(rewriter);
    }
    if (alignment < sizeof(void *)) alignment = sizeof(void *);
    return aligned_alloc(alignment, (size + alignment - 1) / alignment * alignment);
}

static void release(void *memory, void *context) {
    CHECK(context == &is_context && memory != NULL);
    released++;
    live--;
    if (destroyed != NULL) {
        status_inside = surtitle_rewriter_reset(destroyed);
        surtitle_rewriter_destroy(destroyed);
    }
    free(memory);
}

// Files that are cut while they pass by take no memory but for the first.
static void check_segmenter(void) {
    static const uint8_t file[] =
        "WEBVTT\n\nSTYLE\n::cue { color: red }\n\n00:01.000 --> 00:14.000\ngoes on\n\n00:07.000 --> 00:08.000\na\n\n"
        "00:30.000 --> 00:29.000\nwaits\n\n00:31.000 --> 00:32.000\nb\n";
    surtitle_segment_settings settings = {.size = sizeof settings, .step = 6000000000};
    surtitle_segmenter *segmenter;
    EXPECT(SURTITLE_OK, surtitle_segmenter_create(&settings, &segmenter));
    const surtitle_segment_event *events;
    size_t event_count, before = 0;
    for (size_t round = 0; round < 3 * sizeof file; round++) {
        // The first rounds are at every split, since each has something else to hold.
        if (round == sizeof file) before = allocated;
        size_t split = round % sizeof file;
        EXPECT(SURTITLE_OK, surtitle_segmenter_write(segmenter, file, split, &events, &event_count, NULL));
        EXPECT(SURTITLE_OK, surtitle_segmenter_write(segmenter, file + split, sizeof file - 1 - split, &events, &event_count, NULL));
        if (round % 2 == 0) EXPECT(SURTITLE_OK, surtitle_segmenter_finish(segmenter, &events, &event_count, NULL));
        else EXPECT(SURTITLE_OK, surtitle_segmenter_abandon(segmenter));
        EXPECT(SURTITLE_OK, surtitle_segmenter_reset(segmenter));
    }
    CHECK(allocated == before);
    surtitle_segmenter_destroy(segmenter);
}

// Every kind of handle, used a little and destroyed.
static void use_all(const bytes file) {
    static const char json[] = "{\"master\": \"https://a.example/m\", \"tracks\": [{\"uri\": \"a.vtt\", \"name\": \"A\"}]}";
    static const char vtt[] = "WEBVTT\n\n00:01.000 --> 00:02.000\na\n\n", live_text[] = "#EXTM3U\n#EXT-X-TARGETDURATION:4\n#EXTINF:4,\ns.ts\n";
    size_t n;
    int change;
    int64_t time;
    uint64_t ticks;
    const surtitle_piece *pieces;
    surtitle_configuration *configuration = two_tracks();
    surtitle_rewriter *one;
    EXPECT(SURTITLE_OK, surtitle_rewriter_create(configuration, NULL, &one));
    surtitle_configuration_destroy(configuration);
    EXPECT(SURTITLE_OK, surtitle_rewriter_write(one, file.start, file.count, &pieces, &n));
    surtitle_rewriter_destroy(one);

    surtitle_cue_scanner *scanner;
    const surtitle_cue *cues;
    EXPECT(SURTITLE_OK, surtitle_cue_scanner_create(0, &scanner));
    EXPECT(SURTITLE_OK, surtitle_cue_scanner_write(scanner, vtt, sizeof vtt - 1, &cues, &n));
    surtitle_cue_scanner_destroy(scanner);
    surtitle_final_cue_search *search;
    EXPECT(SURTITLE_OK, surtitle_final_cue_search_create(SIZE_MAX, &search));
    EXPECT(SURTITLE_OK, surtitle_final_cue_search_prepend(search, vtt, sizeof vtt - 1, 1, &time));
    surtitle_final_cue_search_destroy(search);
    surtitle_media_scanner *media;
    EXPECT(SURTITLE_OK, surtitle_media_scanner_create(&media));
    EXPECT(SURTITLE_NEEDS_MORE, surtitle_media_scanner_write(media, "ID3", 3, &ticks));
    surtitle_media_scanner_destroy(media);
    surtitle_timestamp_mapper *mapper;
    EXPECT(SURTITLE_OK, surtitle_timestamp_mapper_create(1, 1, &mapper));
    EXPECT(SURTITLE_OK, surtitle_timestamp_mapper_write(mapper, vtt, sizeof vtt - 1, &pieces, &n));
    surtitle_timestamp_mapper_destroy(mapper);
    surtitle_segment_settings cut = {.size = sizeof cut, .step = 6000000000};
    surtitle_segmenter *segmenter;
    const surtitle_segment *segments;
    EXPECT(SURTITLE_OK, surtitle_segmenter_create(&cut, &segmenter));
    EXPECT(SURTITLE_OK, surtitle_segmenter_cut(segmenter, vtt, sizeof vtt - 1, &segments, &n, NULL));
    surtitle_segmenter_destroy(segmenter);

    surtitle_http_rules *rules;
    surtitle_exchange *exchange;
    surtitle_decision decision = {.size = sizeof decision};
    EXPECT(SURTITLE_OK, surtitle_http_rules_create(NULL, &rules, NULL));
    EXPECT(SURTITLE_OK, surtitle_exchange_create(rules, &exchange));
    surtitle_http_rules_destroy(rules);
    EXPECT(SURTITLE_OK, surtitle_exchange_request(exchange, 1, -1, (surtitle_text)TEXT("GET"), (surtitle_text)TEXT("/a.m3u8"), NULL, 0, &decision));
    surtitle_exchange_destroy(exchange);

    surtitle_channel_settings settings = {.size = sizeof settings};
    surtitle_channel *channel;
    surtitle_stream *stream;
    surtitle_growing_settings growth = {.size = sizeof growth, .name = TEXT("en")};
    surtitle_growing *growing;
    surtitle_cue_index *index;
    surtitle_fetch *fetch;
    EXPECT(SURTITLE_OK, surtitle_channel_create(&settings, &channel));
    EXPECT(SURTITLE_OK, surtitle_channel_take(channel, live_text, sizeof live_text - 1, &change, NULL));
    EXPECT(SURTITLE_OK, surtitle_growing_create(&growth, &growing));
    EXPECT(SURTITLE_OK, surtitle_growing_append(growing, vtt, sizeof vtt - 1, NULL));
    EXPECT(SURTITLE_OK, surtitle_growing_seal(growing, channel));
    surtitle_growing_destroy(growing);
    surtitle_channel_destroy(channel);
    EXPECT(SURTITLE_OK, surtitle_cue_index_create(vtt, sizeof vtt - 1, growth.name, 0, &index, NULL));
    surtitle_cue_index_destroy(index);
    EXPECT(SURTITLE_OK, surtitle_stream_create(&settings, (surtitle_text)TEXT("https://a.example/v"), &stream));
    surtitle_live_ask ask = {.size = sizeof ask};
    surtitle_live_step step = {.size = sizeof step};
    EXPECT(SURTITLE_OK, surtitle_stream_step(stream, &ask, 0, &step, &fetch));
    surtitle_stream_destroy(stream);
    surtitle_fetch_request request = {.size = sizeof request};
    EXPECT(SURTITLE_NEEDS_MORE, surtitle_fetch_next(fetch, &request));
    surtitle_fetch_destroy(fetch);

    surtitle_router *router;
    surtitle_route *route;
    EXPECT(SURTITLE_OK, surtitle_router_create(json, sizeof json - 1, &router, NULL));
    EXPECT(SURTITLE_OK, surtitle_route_create(router, &route));
    EXPECT(SURTITLE_OK, surtitle_fetch_create_for(router, 0, SURTITLE_FETCH_CONTENT, &fetch));
    surtitle_route_request asked = {.size = sizeof asked};
    EXPECT(SURTITLE_OK, surtitle_router_entry(router, &asked.url));
    surtitle_plan plan = {.size = sizeof plan};
    EXPECT(SURTITLE_OK, surtitle_route_plan(route, &asked, &plan));
    // A plan takes the place of the one before.
    largest = 0;
    for (int round = 0; round < 1000; round++) EXPECT(SURTITLE_OK, surtitle_route_plan(route, &asked, &plan));
    CHECK(largest < 4096);
    surtitle_router_destroy(router);
    surtitle_route_destroy(route);
    surtitle_fetch_destroy(fetch);
}

static void *allocate_nothing(size_t alignment, size_t size, void *context) {
    (void)alignment, (void)size, (void)context;
    return NULL;
}

// A process whose hook has no memory left is aborted there, before anything is written to where none is.
static void check_no_memory(void) {
    pid_t child = fork();
    CHECK(child >= 0);
    if (child == 0) {
        EXPECT(SURTITLE_OK, surtitle_set_allocator(allocate_nothing, release, &is_context));
        (void)two_tracks();
        _exit(0);
    }
    int status;
    CHECK(waitpid(child, &status, 0) == child && WIFSIGNALED(status) && WTERMSIG(status) == SIGABRT);
}

int main(int count, char **arguments) {
    CHECK(count == 2);
    check_no_memory();
    bytes file = read_file(arguments[1]);
    // What allocates nothing may come before.
    CHECK(surtitle_version() == SURTITLE_VERSION_NUMBER);
    // What is refused sets nothing.
    EXPECT(SURTITLE_NULL_ARGUMENT, surtitle_set_allocator(NULL, release, &is_context));
    EXPECT(SURTITLE_NULL_ARGUMENT, surtitle_set_allocator(allocate, NULL, &is_context));
    EXPECT(SURTITLE_OK, surtitle_set_allocator(allocate, release, &is_context));
    EXPECT(SURTITLE_TOO_LATE, surtitle_set_allocator(allocate, release, &is_context));
    surtitle_configuration *configuration = two_tracks();
    CHECK(allocated > 0);
    surtitle_rewriter *used;
    EXPECT(SURTITLE_OK, surtitle_rewriter_create(configuration, NULL, &used));

    // The first playlist takes memory, and the hook comes back in the middle of the call.
    const surtitle_piece *pieces;
    size_t piece_count, written;
    rewriter = used;
    EXPECT(SURTITLE_OK, surtitle_rewriter_write(used, file.start, file.count, &pieces, &piece_count));
    rewriter = NULL;
    EXPECT(SURTITLE_BUSY, status_inside);
    EXPECT(SURTITLE_OK, surtitle_rewriter_finish(used, &pieces, &piece_count));
    uint8_t *memory = malloc(1 << 20);
    CHECK(memory != NULL);
    EXPECT(SURTITLE_OK, surtitle_rewriter_whole(used, file.start, file.count, memory, 1 << 20, &written));

    // Later ones take none, in pieces, into memory, and whole. The first round takes what a chunk needs that ends inside a line.
    size_t before = allocated;
    for (int round = 0; round < 1000; round++) {
        if (round == 1) before = allocated;
        EXPECT(SURTITLE_OK, surtitle_rewriter_reset(used));
        EXPECT(SURTITLE_OK, surtitle_rewriter_write(used, file.start, file.count / 2, &pieces, &piece_count));
        EXPECT(SURTITLE_OK, surtitle_rewriter_write(
            used, file.start + file.count / 2, file.count - file.count / 2, &pieces, &piece_count));
        EXPECT(SURTITLE_OK, surtitle_rewriter_finish(used, &pieces, &piece_count));
        EXPECT(SURTITLE_OK, surtitle_rewriter_reset(used));
        EXPECT(SURTITLE_OK, surtitle_rewriter_write_to(used, file.start, file.count, memory, 1 << 20, &written));
        EXPECT(SURTITLE_OK, surtitle_rewriter_finish_to(used, memory, 1 << 20, &written));
        EXPECT(SURTITLE_OK, surtitle_rewriter_whole(used, file.start, file.count, memory, 1 << 20, &written));
    }
    if (allocated != before) fprintf(stderr, "%zu blocks for 2997 playlists\n", allocated - before);
    CHECK(allocated == before && released > 0);
    // So is a hook that comes back while the rewriter is destroyed.
    status_inside = -1;
    destroyed = used;
    surtitle_rewriter_destroy(used);
    destroyed = NULL;
    EXPECT(SURTITLE_BUSY, status_inside);
    surtitle_configuration_destroy(configuration);
    check_segmenter();
    // What is made once for the whole process stays.
    size_t once = live;
    configuration = two_tracks();
    surtitle_configuration_destroy(configuration);
    CHECK(live == once);
    for (int round = 0; round < 3; round++) {
        use_all(file);
        if (round > 0) CHECK(live == once);
        once = live;
    }
    free(memory);
    free(file.start);
    return 0;
}
