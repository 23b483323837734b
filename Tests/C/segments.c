// segments SECONDS FILE: writes the segments of that length to standard output, one after the other, with the map LOCAL 0, MPEGTS 900000.
#include "check.h"

int main(int count, char **arguments) {
    CHECK(count == 3);
    bytes file = read_file(arguments[2]);
    surtitle_segment_settings settings;
    memset(&settings, 0, sizeof settings);
    settings.size = sizeof settings;
    settings.step = strtoull(arguments[1], NULL, 10) * 1000000000u;
    settings.has_map = 1;
    settings.mpegts = 900000;
    surtitle_segmenter *segmenter;
    EXPECT(SURTITLE_OK, surtitle_segmenter_create(&settings, &segmenter));
    const surtitle_segment *segments;
    size_t segment_count;
    surtitle_error error = {.size = sizeof error};
    EXPECT(SURTITLE_NOT_WEBVTT,
        surtitle_segmenter_cut(segmenter, (const uint8_t *)"1", 1, &segments, &segment_count, &error));
    CHECK(segments == NULL && segment_count == 0 && error.position == 0);
    EXPECT(SURTITLE_OK, surtitle_segmenter_cut(segmenter, file.start, file.count, &segments, &segment_count, &error));
    uint64_t start = 0;
    for (size_t i = 0; i < segment_count; i++) {
        CHECK(segments[i].start_nanoseconds == start && segments[i].duration_nanoseconds > 0);
        start += segments[i].duration_nanoseconds;
        CHECK(fwrite(segments[i].bytes, 1, segments[i].count, stdout) == segments[i].count);
    }
    int64_t latest;
    EXPECT(SURTITLE_OK, surtitle_latest_cue_end(file.start, file.count, &latest));
    CHECK(start == (uint64_t)latest * 1000000);
    surtitle_segmenter_destroy(segmenter);

    uint64_t durations[] = {1000000000, 2000000000};
    settings.durations = durations;
    settings.duration_count = 2;
    EXPECT(SURTITLE_INVALID_VALUE, surtitle_segmenter_create(&settings, &segmenter));
    settings.step = 0;
    EXPECT(SURTITLE_OK, surtitle_segmenter_create(&settings, &segmenter));
    EXPECT(SURTITLE_OK, surtitle_segmenter_cut(segmenter, file.start, file.count, &segments, &segment_count, NULL));
    CHECK(segment_count == 2 && segments[1].start_nanoseconds == 1000000000);
    surtitle_segmenter_destroy(segmenter);
    free(file.start);
    return 0;
}
