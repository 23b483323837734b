// The first time stamp of packed audio, whose ID3 tag is made here, and of what is no media.
#include "check.h"

int main(void) {
    static const char owner[] = "com.apple.streaming.transportStreamTimestamp";
    uint8_t segment[10 + 10 + sizeof owner + 8 + 7];
    memset(segment, 0, sizeof segment);
    size_t frame = sizeof owner + 8;
    memcpy(segment, "ID3\x04", 4);
    segment[9] = (uint8_t)(10 + frame);
    memcpy(segment + 10, "PRIV", 4);
    segment[17] = (uint8_t)frame;
    memcpy(segment + 20, owner, sizeof owner);
    uint64_t ticks = 0x1234567 + ((uint64_t)1 << 32);
    for (int i = 0; i < 8; i++) segment[20 + sizeof owner + i] = (uint8_t)(ticks >> (8 * (7 - i)));
    segment[sizeof segment - 7] = 0xFF;
    segment[sizeof segment - 6] = 0xF1;

    surtitle_media_scanner *scanner;
    EXPECT(SURTITLE_OK, surtitle_media_scanner_create(&scanner));
    for (size_t chunk = 1; chunk <= sizeof segment; chunk++) {
        uint64_t found = 0;
        int status = SURTITLE_NEEDS_MORE;
        for (size_t offset = 0; offset < sizeof segment && status == SURTITLE_NEEDS_MORE; offset += chunk) {
            size_t left = sizeof segment - offset;
            status = surtitle_media_scanner_write(scanner, segment + offset, left < chunk ? left : chunk, &found);
        }
        EXPECT(SURTITLE_OK, surtitle_media_scanner_finish(scanner, &found));
        CHECK(found == ticks);
        EXPECT(SURTITLE_OK, surtitle_media_scanner_reset(scanner));
    }
    uint64_t untouched = 42;
    EXPECT(SURTITLE_NEEDS_MORE, surtitle_media_scanner_write(scanner, (const uint8_t *)"#EXTM3U\n", 8, &untouched));
    EXPECT(SURTITLE_NOT_MEDIA, surtitle_media_scanner_finish(scanner, &untouched));
    EXPECT(SURTITLE_NOT_MEDIA, surtitle_media_scanner_write(scanner, segment, sizeof segment, &untouched));
    CHECK(untouched == 42);
    // Why there is none: a tag that is unsynchronised, one without a time stamp, and an MP4 without its beginning.
    static const uint8_t tag[] = "ID3\4\0\x80\0\0\0\0", bare[] = "ID3\4\0\0\0\0\0\0\377\361\120\200\2\37\374";
    static const uint8_t moof[] = "\0\0\0\x10styp12345678\0\0\0\x08moof";
    static const struct { const uint8_t *bytes; size_t count; int status; } rows[] = {
        {tag, sizeof tag - 1, SURTITLE_UNSYNCHRONISED_TAG}, {bare, sizeof bare - 1, SURTITLE_NO_TIMESTAMP}, {moof, sizeof moof - 1, SURTITLE_NO_INIT_SEGMENT},
    };
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        EXPECT(SURTITLE_OK, surtitle_media_scanner_reset(scanner));
        (void)surtitle_media_scanner_write(scanner, rows[i].bytes, rows[i].count, &untouched);
        int status = surtitle_media_scanner_finish(scanner, &untouched);
        if (status != rows[i].status) fprintf(stderr, "%zu\n", i);
        EXPECT(rows[i].status, status);
    }
    surtitle_media_scanner_destroy(scanner);
    return 0;
}
