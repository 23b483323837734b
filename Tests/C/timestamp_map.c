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

static const char plain[] = "#EXTINF:1.000,\na.vtt\n";

// Every flag, and how many entries there may be.
static void check_flags(void) {
    surtitle_playlist_entry entry = {sizeof entry, TEXT("a.vtt"), 1000000000, 0, 0};
    char memory[512];
    size_t written;
    for (uint32_t flags = 0; flags < 10; flags++) {
        int is_refused = flags > 7 || (flags & 6) == 6;
        memset(memory, 'x', sizeof memory);
        EXPECT(is_refused ? SURTITLE_INVALID_VALUE : SURTITLE_OK, surtitle_subtitle_playlist(&entry, 1, flags, memory, sizeof memory - 1, &written, NULL));
        CHECK(is_refused == (written == 0) && memory[written] == 'x');
        if (is_refused) continue;
        memory[written] = 0;
        CHECK((strstr(memory, plain) != NULL) == !(flags & SURTITLE_PLAYLIST_OMITS_COMMA));
        CHECK((strstr(memory, "#EXT-X-PLAYLIST-TYPE:VOD\n") != NULL) == !(flags & 6));
        CHECK((strstr(memory, "#EXT-X-PLAYLIST-TYPE:EVENT\n") != NULL) == ((flags & 6) == SURTITLE_PLAYLIST_EVENT));
        // Of memory that is too small nothing is touched.
        size_t needed = written;
        memset(memory, 'x', sizeof memory);
        EXPECT(SURTITLE_TOO_SMALL, surtitle_subtitle_playlist(&entry, 1, flags, memory, needed - 1, &written, NULL));
        CHECK(written == needed);
        for (size_t i = 0; i < needed; i++) CHECK(memory[i] == 'x');
    }
    // The first of a million is refused for what it is, and a million and one for their number.
    surtitle_error error = {.size = sizeof error};
    surtitle_playlist_entry *many = calloc(1000001, sizeof *many);
    CHECK(many != NULL);
    for (size_t i = 0; i < 1000001; i++) many[i].size = sizeof *many;
    EXPECT(SURTITLE_NULL_ARGUMENT, surtitle_subtitle_playlist(many, 1000000, 0, memory, sizeof memory, &written, &error));
    CHECK(error.index == 0 && strcmp(error.field, "entries[0].uri") == 0);
    EXPECT(SURTITLE_SEGMENT_REFUSED, surtitle_subtitle_playlist(many, 1000001, 0, memory, sizeof memory, &written, &error));
    CHECK(error.index == -1 && strcmp(error.message, "there are too many segments") == 0);
    free(many);
    // What is about the duration is about the entry as a whole, what is about the URI about that, and at its byte.
    entry.duration_nanoseconds = 0;
    EXPECT(SURTITLE_SEGMENT_REFUSED, surtitle_subtitle_playlist(&entry, 1, 0, memory, sizeof memory, &written, &error));
    CHECK(error.index == 0 && strcmp(error.field, "entries[0]") == 0);
    entry = (surtitle_playlist_entry){sizeof entry, TEXT("a\nb"), 1, 0, 0};
    EXPECT(SURTITLE_SEGMENT_REFUSED, surtitle_subtitle_playlist(&entry, 1, 0, memory, sizeof memory, &written, &error));
    CHECK(error.index == 0 && strcmp(error.field, "entries[0].uri") == 0);
    // Entries of a later version are longer.
    struct { surtitle_playlist_entry known; uint64_t later; } longer[2] = {
        {{sizeof longer[0], TEXT("a.vtt"), 1000000000, 0, 0}, 7}, {{sizeof longer[0], TEXT("b.vtt"), 1000000000, 0, 0}, 7}};
    EXPECT(SURTITLE_OK, surtitle_subtitle_playlist(&longer[0].known, 2, 0, memory, sizeof memory - 1, &written, NULL));
    memory[written] = 0;
    CHECK(strstr(memory, "a.vtt\n") != NULL && strstr(memory, "b.vtt\n") != NULL);
}

int main(void) {
    check_flags();
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
    CHECK(mapper == NULL);
    EXPECT(SURTITLE_OK, surtitle_timestamp_mapper_create(((uint64_t)1 << 33) - 1, 0, &mapper));
    const surtitle_piece *pieces;
    size_t count, total = 0;
    char output[256] = "";
    EXPECT(SURTITLE_OK, surtitle_timestamp_mapper_write(mapper, "WEBVTT\n\n", 8, &pieces, &count));
    for (size_t i = 0; i < count; i++) total += (size_t)snprintf(output + total, sizeof output - total, "%.*s", (int)pieces[i].count, pieces[i].bytes);
    EXPECT(SURTITLE_OK, surtitle_timestamp_mapper_finish(mapper, &pieces, &count));
    for (size_t i = 0; i < count; i++) total += (size_t)snprintf(output + total, sizeof output - total, "%.*s", (int)pieces[i].count, pieces[i].bytes);
    CHECK(strcmp(output, "WEBVTT\nX-TIMESTAMP-MAP=LOCAL:00:00:00.000,MPEGTS:8589934591\n\n") == 0);
    EXPECT(SURTITLE_ENDED, surtitle_timestamp_mapper_write(mapper, "a", 1, &pieces, &count));
    CHECK(pieces == NULL && count == 0);
    surtitle_timestamp_mapper_destroy(mapper);
    return 0;
}
