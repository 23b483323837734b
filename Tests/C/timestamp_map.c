// X-TIMESTAMP-MAP put in, in place of one that is there, at every split; and a subtitle playlist.
#include "check.h"

static const char file[] = "WEBVTT title\r\nX-TIMESTAMP-MAP=LOCAL:00:00:00.000,MPEGTS:1\r\nA: b\r\n\r\n00:00.000 --> 00:01.000\r\na\r\n";
static const char mapped[] =
    "WEBVTT title\r\nX-TIMESTAMP-MAP=LOCAL:00:00:10.000,MPEGTS:900000\r\nA: b\r\n\r\n00:00.000 --> 00:01.000\r\na\r\n";

static void check_playlist(void) {
    surtitle_playlist_entry entries[] = {
        {sizeof(surtitle_playlist_entry), TEXT("en-0.vtt"), 6000000000u, 0, 0},
        {sizeof(surtitle_playlist_entry), TEXT("en-1.vtt"), 1500000000u, 1, 0},
    };
    static const char expected[] =
        "#EXTM3U\n#EXT-X-VERSION:3\n#EXT-X-TARGETDURATION:6\n#EXT-X-MEDIA-SEQUENCE:0\n#EXT-X-PLAYLIST-TYPE:VOD\n"
        "#EXTINF:6.000,\nen-0.vtt\n#EXT-X-DISCONTINUITY\n#EXTINF:1.500,\nen-1.vtt\n#EXT-X-ENDLIST\n";
    uint8_t memory[sizeof expected - 1];
    size_t written;
    EXPECT(SURTITLE_TOO_SMALL, surtitle_subtitle_playlist(entries, 2, 0, memory, sizeof memory - 1, &written, NULL));
    CHECK(written == sizeof memory);
    EXPECT(SURTITLE_OK, surtitle_subtitle_playlist(entries, 2, 0, memory, sizeof memory, &written, NULL));
    CHECK(written == sizeof memory && memcmp(memory, expected, written) == 0);
    surtitle_error error = {.size = sizeof error};
    entries[1].uri = (surtitle_text)TEXT("#a");
    EXPECT(SURTITLE_SEGMENT_REFUSED, surtitle_subtitle_playlist(entries, 2, 0, memory, sizeof memory, &written, &error));
    CHECK(error.index == 1 && strcmp(error.field, "entries[1].uri") == 0 && written == 0);
}

int main(void) {
    check_playlist();
    surtitle_timestamp_mapper *mapper;
    EXPECT(SURTITLE_OK, surtitle_timestamp_mapper_create(900000, 10000, &mapper));
    for (size_t split = 0; split < sizeof file; split++) {
        char output[256];
        size_t count = 0;
        for (int part = 0; part < 3; part++) {
            const surtitle_piece *pieces;
            size_t piece_count;
            const uint8_t *start = (const uint8_t *)file + (part == 0 ? 0 : split);
            size_t length = part == 0 ? split : sizeof file - 1 - split;
            EXPECT(SURTITLE_OK, part == 2 ? surtitle_timestamp_mapper_finish(mapper, &pieces, &piece_count)
                                          : surtitle_timestamp_mapper_write(mapper, start, length, &pieces, &piece_count));
            for (size_t i = 0; i < piece_count; i++) {
                CHECK(count + pieces[i].count <= sizeof output);
                memcpy(output + count, pieces[i].bytes, pieces[i].count);
                count += pieces[i].count;
            }
        }
        CHECK(count == sizeof mapped - 1 && memcmp(output, mapped, count) == 0);
        const surtitle_piece *pieces;
        size_t piece_count;
        EXPECT(SURTITLE_ENDED, surtitle_timestamp_mapper_finish(mapper, &pieces, &piece_count));
        EXPECT(SURTITLE_OK, surtitle_timestamp_mapper_reset(mapper));
    }
    surtitle_timestamp_mapper_destroy(mapper);
    EXPECT(SURTITLE_INVALID_VALUE, surtitle_timestamp_mapper_create((uint64_t)1 << 33, 0, &mapper));
    EXPECT(SURTITLE_INVALID_VALUE, surtitle_timestamp_mapper_create(0, -1, &mapper));
    return 0;
}
