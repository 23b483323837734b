// segments_stream SECONDS CHUNK FILE: writes the segments of that length to standard output, one after the other, from chunks of that many
// bytes, with the map LOCAL 0, MPEGTS 900000. Before that a file of its own is cut at every split, and others are refused.
#include "check.h"

// Segments, put together from events.
typedef struct collected {
    uint8_t bytes[8192];
    size_t count;
    surtitle_segment segments[16];
    size_t segment_count;
    int is_open, has_ranges;
} collected;

static void collect(collected *all, const surtitle_segment_event *events, size_t count, const uint8_t *chunk, size_t chunk_count) {
    for (size_t i = 0; i < count; i++) {
        const surtitle_segment_event *event = &events[i];
        surtitle_segment *segment = &all->segments[all->segment_count];
        CHECK(all->segment_count < 16 && event->index == all->segment_count && event->reserved == 0);
        CHECK(all->is_open == (event->kind != SURTITLE_SEGMENT_BEGAN));
        CHECK(event->kind == SURTITLE_SEGMENT_BYTES || (event->bytes == NULL && event->count == 0 && event->chunk_offset == -1));
        CHECK(event->kind == SURTITLE_SEGMENT_ENDED ? event->duration_nanoseconds > 0
            : event->start_nanoseconds == 0 && event->duration_nanoseconds == 0 && event->cue_count == 0);
        switch (event->kind) {
        case SURTITLE_SEGMENT_BEGAN:
            all->is_open = 1;
            segment->bytes = all->bytes + all->count;
            break;
        case SURTITLE_SEGMENT_BYTES:
            CHECK(event->count > 0 && all->count + event->count <= sizeof all->bytes);
            if (event->chunk_offset >= 0) {
                CHECK(event->bytes == chunk + event->chunk_offset && (size_t)event->chunk_offset + event->count <= chunk_count);
                all->has_ranges = 1;
            }
            memcpy(all->bytes + all->count, event->bytes, event->count);
            all->count += event->count;
            break;
        case SURTITLE_SEGMENT_ENDED:
            all->is_open = 0;
            segment->count = (size_t)(all->bytes + all->count - segment->bytes);
            segment->start_nanoseconds = event->start_nanoseconds;
            segment->duration_nanoseconds = event->duration_nanoseconds;
            segment->cue_count = event->cue_count;
            all->segment_count++;
            break;
        default: CHECK(0);
        }
    }
}

static const surtitle_segment_event *events;
static size_t event_count;

static int write_text(surtitle_segmenter *segmenter, const char *text, surtitle_error *error) {
    return surtitle_segmenter_write(segmenter, (const uint8_t *)text, strlen(text), &events, &event_count, error);
}

// Cuts the file in chunks of `size` bytes, the first one of `first`, each in memory of its own, so that reading past it is noticed.
static void stream(surtitle_segmenter *segmenter, bytes file, size_t first, size_t size, collected *all) {
    all->count = all->segment_count = 0;
    all->is_open = 0;
    for (size_t offset = 0; offset < file.count;) {
        size_t count = offset == 0 && first > 0 ? first : size;
        if (count > file.count - offset) count = file.count - offset;
        uint8_t *chunk = malloc(count);
        CHECK(chunk != NULL);
        memcpy(chunk, file.start + offset, count);
        EXPECT(SURTITLE_OK, surtitle_segmenter_write(segmenter, chunk, count, &events, &event_count, NULL));
        collect(all, events, event_count, chunk, count);
        free(chunk);
        offset += count;
    }
    uint64_t held;
    EXPECT(SURTITLE_OK, surtitle_segmenter_held_bytes(segmenter, &held));
    CHECK(held > 0);
    EXPECT(SURTITLE_OK, surtitle_segmenter_finish(segmenter, &events, &event_count, NULL));
    collect(all, events, event_count, NULL, 0);
    EXPECT(SURTITLE_OK, surtitle_segmenter_held_bytes(segmenter, &held));
    CHECK(held == 0 && !all->is_open);
}

// Cuts the file as a whole, and then in chunks, which must come to the same.
static void stream_after_cut(surtitle_segmenter *segmenter, bytes file, size_t first, size_t size, collected *all) {
    const surtitle_segment *segments;
    size_t count;
    EXPECT(SURTITLE_OK, surtitle_segmenter_cut(segmenter, file.start, file.count, &segments, &count, NULL));
    static collected whole;
    whole.count = 0;
    whole.segment_count = count;
    CHECK(count == 5 && segments[1].cue_count == 3);
    for (size_t i = 0; i < count; i++) {
        whole.segments[i] = segments[i];
        whole.segments[i].bytes = memcpy(whole.bytes + whole.count, segments[i].bytes, segments[i].count);
        whole.count += segments[i].count;
    }
    stream(segmenter, file, first, size, all);
    CHECK(all->segment_count == count && all->count == whole.count && memcmp(all->bytes, whole.bytes, whole.count) == 0);
    for (size_t i = 0; i < count; i++) {
        const surtitle_segment *one = &all->segments[i], *other = &whole.segments[i];
        CHECK(one->start_nanoseconds == other->start_nanoseconds && one->duration_nanoseconds == other->duration_nanoseconds);
        CHECK(one->cue_count == other->cue_count && one->count == other->count);
    }
}

static const char head[] =
    "WEBVTT\r\nX-TIMESTAMP-MAP=LOCAL:00:00:00.000,MPEGTS:1\r\n\r\nSTYLE\r\n::cue { color: red }\r\n\r\n"
    "1\r\n00:01.000 --> 00:14.000\r\ngoes on\r\n\r\nNOTE n\r\n\r\n00:05.000 --> 00:05.000\r\nnever shows\r\n\r\n00:07.000 --> 00:08.000\r\n";
static const char tail[] = "\r\n\r\n00:06.500 --> 00:09.000\r\nb\r\n\r\n00:20.000 --> 00:19.000\r\nwaits\r\n\r\n00:25.000 --> 00:26.500\r\nlast";

// Every split has the segments of the whole, whatever came before.
static void check_splits(surtitle_segmenter *segmenter) {
    // A cue that is long enough to stay in the chunk.
    bytes file = {malloc(sizeof head + sizeof tail + 1500), sizeof head - 1 + 1500 + sizeof tail - 1};
    CHECK(file.start != NULL);
    memcpy(file.start, head, sizeof head - 1);
    memset(file.start + sizeof head - 1, 'x', 1500);
    memcpy(file.start + sizeof head - 1 + 1500, tail, sizeof tail - 1);
    static collected all;
    for (size_t split = 0; split < file.count; split++) {
        // A whole file takes the place of one that is under way, and of one that has ended.
        EXPECT(SURTITLE_OK, surtitle_segmenter_reset(segmenter));
        EXPECT(SURTITLE_OK, surtitle_segmenter_write(segmenter, file.start, split, &events, &event_count, NULL));
        stream_after_cut(segmenter, file, split, file.count, &all);
        if (split % 100 == 0) stream_after_cut(segmenter, file, 0, 1 + split / 100, &all);
    }
    CHECK(all.has_ranges);
    EXPECT(SURTITLE_OK, surtitle_segmenter_reset(segmenter));
    free(file.start);
}

// What cannot be cut is refused by every call, and what came before the cue to blame is there.
static void check_refusals(surtitle_segmenter *segmenter) {
    static collected all;
    surtitle_error error = {.size = sizeof error};
    EXPECT(SURTITLE_NOT_WEBVTT, write_text(segmenter, "1\n", &error));
    CHECK(events == NULL || event_count == 0);
    CHECK(error.status == SURTITLE_NOT_WEBVTT && error.position == 0 && error.index == -1);
    EXPECT(SURTITLE_NOT_WEBVTT, write_text(segmenter, "WEBVTT\n\n", NULL));
    EXPECT(SURTITLE_NOT_WEBVTT, surtitle_segmenter_finish(segmenter, &events, &event_count, &error));
    EXPECT(SURTITLE_ENDED, surtitle_segmenter_finish(segmenter, &events, &event_count, &error));
    CHECK(error.status == SURTITLE_ENDED && event_count == 0);
    EXPECT(SURTITLE_OK, surtitle_segmenter_reset(segmenter));
    EXPECT(SURTITLE_NOT_WEBVTT, surtitle_segmenter_finish(segmenter, &events, &event_count, NULL));
    EXPECT(SURTITLE_OK, surtitle_segmenter_reset(segmenter));

    static const char late[] = "WEBVTT\n\n00:07.000 --> 00:08.000\na\n\n00:01.000 --> 00:02.000\nb\n\n00:09.000 --> 00:10.000\nc\n\n";
    for (int round = 0; round < 2; round++) {
        EXPECT(SURTITLE_OUT_OF_ORDER, write_text(segmenter, late, &error));
        CHECK(error.index == 0 && error.position == 35 && error.message[0] != 0 && error.field[0] == 0);
        all.count = all.segment_count = 0;
        all.is_open = 0;
        collect(&all, events, event_count, (const uint8_t *)late, sizeof late - 1);
        CHECK(all.segment_count == 1 && all.is_open && all.count > 26 && memcmp(all.bytes + all.count - 26, late + 8, 26) == 0);
        EXPECT(SURTITLE_OUT_OF_ORDER, write_text(segmenter, "00:30.000 --> 00:31.000\nd\n\n", &error));
        CHECK(event_count == 0 && error.position == 35);
        uint64_t held = 1;
        EXPECT(SURTITLE_OK, surtitle_segmenter_held_bytes(segmenter, &held));
        CHECK(held == 0);
        if (round == 0) EXPECT(SURTITLE_OUT_OF_ORDER, surtitle_segmenter_finish(segmenter, &events, &event_count, NULL));
        if (round == 1) EXPECT(SURTITLE_OK, surtitle_segmenter_abandon(segmenter));
        EXPECT(SURTITLE_ENDED, write_text(segmenter, late, NULL));
        EXPECT(SURTITLE_OK, surtitle_segmenter_reset(segmenter));
    }
    const surtitle_segment *segments;
    size_t count;
    EXPECT(SURTITLE_OK, surtitle_segmenter_cut(segmenter, (const uint8_t *)late, sizeof late - 1, &segments, &count, &error));
    CHECK(count == 2);

    // Past a limit, too.
    EXPECT(SURTITLE_LIMIT_EXCEEDED, write_text(segmenter, "WEBVTT\n\n00:00.000 --> 999:00:00.000\na\n\n", &error));
    CHECK(error.position == 8 && error.index == -1);
    CHECK(strcmp(error.message, "there would be more than 100000 segments; repair the cue's times, or make the segments longer") == 0);
    EXPECT(SURTITLE_OK, surtitle_segmenter_reset(segmenter));
}

// A file that has broken off is not a finished one: half a cue is never handed out, and the segment never ended.
static void check_abandoned(surtitle_segmenter *segmenter) {
    static collected all;
    EXPECT(SURTITLE_OK, write_text(segmenter, "WEBVTT\n\n00:00.000 --> 00:01.000\na\n\n00:02.000 --> 00:03.000\nhal", NULL));
    collect(&all, events, event_count, NULL, 0);
    CHECK(all.is_open && all.segment_count == 0);
    uint64_t held = 0;
    EXPECT(SURTITLE_OK, surtitle_segmenter_held_bytes(segmenter, &held));
    CHECK(held >= 27);
    EXPECT(SURTITLE_OK, surtitle_segmenter_abandon(segmenter));
    EXPECT(SURTITLE_OK, surtitle_segmenter_held_bytes(segmenter, &held));
    CHECK(held == 0);
    EXPECT(SURTITLE_ENDED, surtitle_segmenter_abandon(segmenter));
    EXPECT(SURTITLE_ENDED, write_text(segmenter, "f\n\n", NULL));
    EXPECT(SURTITLE_ENDED, surtitle_segmenter_finish(segmenter, &events, &event_count, NULL));
    CHECK(events == NULL && event_count == 0);
    EXPECT(SURTITLE_OK, surtitle_segmenter_reset(segmenter));
}

static void print_events(uint64_t *duration) {
    for (size_t i = 0; i < event_count; i++) {
        CHECK(events[i].kind != SURTITLE_SEGMENT_ENDED || events[i].start_nanoseconds == *duration);
        *duration += events[i].duration_nanoseconds;
        if (events[i].count > 0) CHECK(fwrite(events[i].bytes, 1, events[i].count, stdout) == events[i].count);
    }
}

int main(int count, char **arguments) {
    CHECK(count == 4);
    size_t chunk_size = strtoul(arguments[2], NULL, 10);
    bytes file = read_file(arguments[3]);
    surtitle_segment_settings settings;
    memset(&settings, 0, sizeof settings);
    settings.size = sizeof settings;
    settings.step = strtoull(arguments[1], NULL, 10) * 1000000000u;
    surtitle_segmenter *segmenter;
    EXPECT(SURTITLE_OK, surtitle_segmenter_create(&settings, &segmenter));
    check_splits(segmenter);
    check_refusals(segmenter);
    check_abandoned(segmenter);
    surtitle_segmenter_destroy(segmenter);

    settings.has_map = 1;
    settings.mpegts = 900000;
    EXPECT(SURTITLE_OK, surtitle_segmenter_create(&settings, &segmenter));
    uint64_t duration = 0;
    for (size_t offset = 0; offset < file.count; offset += chunk_size) {
        size_t left = file.count - offset;
        EXPECT(SURTITLE_OK, surtitle_segmenter_write(
            segmenter, file.start + offset, left < chunk_size ? left : chunk_size, &events, &event_count, NULL));
        print_events(&duration);
    }
    EXPECT(SURTITLE_OK, surtitle_segmenter_finish(segmenter, &events, &event_count, NULL));
    print_events(&duration);
    int64_t latest;
    EXPECT(SURTITLE_OK, surtitle_latest_cue_end(file.start, file.count, &latest));
    CHECK(duration == (uint64_t)latest * 1000000);
    surtitle_segmenter_destroy(segmenter);
    free(file.start);
    return 0;
}
