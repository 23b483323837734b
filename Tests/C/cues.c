// cues CHUNK FILE: writes a line for each cue: start, end, and in hexadecimal identifier, settings and text.
#include "check.h"

static void print_hex(const uint8_t *start, size_t count) {
    putchar(' ');
    if (count == 0) putchar('-');
    for (size_t i = 0; i < count; i++) printf("%02x", start[i]);
}

// Every field of a cue, two chunks' cues, and a reset after which nothing is left.
static void check_fields(void) {
    static const char text[] = "WEBVTT\n\nid\n00:01.000 --> 00:02.500  align:left \na\nb\n\n00:03.000 --> 00:03.000\n\n";
    surtitle_cue_scanner *scanner;
    const surtitle_cue *cues;
    size_t count;
    uint64_t skipped;
    // The longest block has 46 bytes, from its identifier to the end of its text.
    for (size_t limit = 20; limit < 60; limit++) {
        EXPECT(SURTITLE_OK, surtitle_cue_scanner_create(limit, &scanner));
        size_t known = 0;
        for (int round = 0; round < 2; round++) {
            EXPECT(SURTITLE_OK, surtitle_cue_scanner_write(scanner, text, sizeof text - 1, &cues, &count));
            EXPECT(SURTITLE_OK, surtitle_cue_scanner_skipped(scanner, &skipped));
            CHECK(count + skipped == 2 && (round == 0 || count == known));
            known = count;
            EXPECT(SURTITLE_OK, surtitle_cue_scanner_finish(scanner, &cues, &count));
            CHECK(count == 0);
            EXPECT(SURTITLE_ENDED, surtitle_cue_scanner_write(scanner, text, 1, &cues, &count));
            CHECK(cues == NULL && count == 0);
            EXPECT(SURTITLE_OK, surtitle_cue_scanner_reset(scanner));
            EXPECT(SURTITLE_OK, surtitle_cue_scanner_skipped(scanner, &skipped));
            CHECK(skipped == 0);
        }
        surtitle_cue_scanner_destroy(scanner);
    }
    EXPECT(SURTITLE_OK, surtitle_cue_scanner_create((size_t)1 << 30, &scanner));
    EXPECT(SURTITLE_OK, surtitle_cue_scanner_write(scanner, text, sizeof text - 1, &cues, &count));
    CHECK(count == 2 && cues[0].start_milliseconds == 1000 && cues[0].end_milliseconds == 2500 && cues[0].position == 8);
    CHECK(cues[0].identifier_count == 2 && memcmp(cues[0].identifier, "id", 2) == 0);
    CHECK(cues[0].settings_count == 10 && memcmp(cues[0].settings, "align:left", 10) == 0);
    CHECK(cues[0].text_count == 3 && memcmp(cues[0].text, "a\nb", 3) == 0);
    CHECK(cues[1].start_milliseconds == 3000 && cues[1].position == (uint64_t)(strstr(text, "00:03") - text));
    CHECK(cues[1].identifier_count == 0 && cues[1].settings_count == 0 && cues[1].text_count == 0);
    EXPECT(SURTITLE_OK, surtitle_cue_scanner_reset(scanner));
    // A signature that is not there is told by each call.
    EXPECT(SURTITLE_OK, surtitle_cue_scanner_write(scanner, "WEB", 3, &cues, &count));
    EXPECT(SURTITLE_NOT_WEBVTT, surtitle_cue_scanner_finish(scanner, &cues, &count));
    surtitle_cue_scanner_destroy(scanner);
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
    check_fields();
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
