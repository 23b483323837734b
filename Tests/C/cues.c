// cues CHUNK FILE: writes a line for each cue: start, end, and in hexadecimal identifier, settings and text.
#include "check.h"

static void print_hex(const uint8_t *start, size_t count) {
    putchar(' ');
    if (count == 0) putchar('-');
    for (size_t i = 0; i < count; i++) printf("%02x", start[i]);
}

static void print(const surtitle_cue *cues, size_t count) {
    for (size_t i = 0; i < count; i++) {
        printf("%lld %lld", (long long)cues[i].start_milliseconds, (long long)cues[i].end_milliseconds);
        print_hex(cues[i].identifier, cues[i].identifier_count);
        print_hex(cues[i].settings, cues[i].settings_count);
        print_hex(cues[i].text, cues[i].text_count);
        putchar('\n');
    }
}

int main(int count, char **arguments) {
    CHECK(count == 3);
    size_t chunk_size = strtoul(arguments[1], NULL, 10);
    bytes file = read_file(arguments[2]);
    surtitle_cue_scanner *scanner;
    EXPECT(SURTITLE_OK, surtitle_cue_scanner_create(0, &scanner));
    const surtitle_cue *cues;
    size_t cue_count;
    for (size_t offset = 0; offset < file.count; offset += chunk_size) {
        // The chunk is gone when the cues are read.
        size_t left = file.count - offset < chunk_size ? file.count - offset : chunk_size;
        uint8_t *chunk = malloc(left);
        CHECK(chunk != NULL);
        memcpy(chunk, file.start + offset, left);
        EXPECT(SURTITLE_OK, surtitle_cue_scanner_write(scanner, chunk, left, &cues, &cue_count));
        free(chunk);
        print(cues, cue_count);
    }
    EXPECT(SURTITLE_OK, surtitle_cue_scanner_finish(scanner, &cues, &cue_count));
    print(cues, cue_count);
    uint64_t skipped = 1;
    EXPECT(SURTITLE_OK, surtitle_cue_scanner_skipped(scanner, &skipped));
    CHECK(skipped == 0);
    EXPECT(SURTITLE_ENDED, surtitle_cue_scanner_finish(scanner, &cues, &cue_count));

    EXPECT(SURTITLE_OK, surtitle_cue_scanner_reset(scanner));
    EXPECT(SURTITLE_NOT_WEBVTT, surtitle_cue_scanner_write(scanner, (const uint8_t *)"#EXTM3U\n", 8, &cues, &cue_count));
    CHECK(cue_count == 0);
    surtitle_cue_scanner_destroy(scanner);

    // A block of more than the limit is skipped, and counted.
    EXPECT(SURTITLE_OK, surtitle_cue_scanner_create(40, &scanner));
    const char text[] = "WEBVTT\n\n00:00.000 --> 00:01.000\nThis cue is longer than the limit\n\n00:02.000 --> 00:03.000\nb\n";
    EXPECT(SURTITLE_OK, surtitle_cue_scanner_write(scanner, (const uint8_t *)text, sizeof text - 1, &cues, &cue_count));
    EXPECT(SURTITLE_OK, surtitle_cue_scanner_finish(scanner, &cues, &cue_count));
    CHECK(cue_count == 1 && cues[0].start_milliseconds == 2000 && cues[0].text_count == 1);
    EXPECT(SURTITLE_OK, surtitle_cue_scanner_skipped(scanner, &skipped));
    CHECK(skipped == 1);
    surtitle_cue_scanner_destroy(scanner);
    free(file.start);
    return 0;
}
