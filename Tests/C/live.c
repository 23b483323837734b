// live FILE: a channel beside a stream that is made here, its state saved and restored after each version, with the cues of the file and with
// cues that come; checks, and writes nothing.
#include "check.h"

static char text[4096];

// The version of a playlist with the segments from `first` to before `end`, of 6 s, with dates.
static size_t version(unsigned first, unsigned end, int has_ended) {
    int count = snprintf(text, sizeof text, "#EXTM3U\n#EXT-X-TARGETDURATION:6\n#EXT-X-MEDIA-SEQUENCE:%u\n", first);
    for (unsigned i = first; i < end; i++) {
        count += snprintf(text + count, sizeof text - (size_t)count,
            "#EXT-X-PROGRAM-DATE-TIME:2026-01-01T00:%02u:%02u.000Z\n#EXTINF:6.000,\nv%u.ts\n", i * 6 / 60, i * 6 % 60, i);
    }
    count += snprintf(text + count, sizeof text - (size_t)count, "%s", has_ended ? "#EXT-X-ENDLIST\n" : "");
    CHECK(count < (int)sizeof text);
    return (size_t)count;
}

static char joined[1 << 16];

static const char *join(const surtitle_piece *pieces, size_t count) {
    size_t length = 0;
    for (size_t i = 0; i < count; i++) {
        CHECK(pieces[i].count > 0 && pieces[i].chunk_offset == -1 && length + pieces[i].count < sizeof joined);
        memcpy(joined + length, pieces[i].bytes, pieces[i].count);
        length += pieces[i].count;
    }
    joined[length] = 0;
    return joined;
}

static surtitle_live_span find(const surtitle_channel *channel, const char *name, int place) {
    surtitle_live_span span = {.size = sizeof span};
    surtitle_text text = {name, strlen(name)};
    EXPECT(SURTITLE_OK, surtitle_channel_find(channel, text, &span));
    CHECK(span.place == place && span.size == sizeof span);
    return span;
}

// Of a state that somebody has altered comes a channel like others, or an error: all that it hands out can be written.
static void alter_states(surtitle_cue_index *index) {
    static const char parts[] =
        "#EXTM3U\n#EXT-X-TARGETDURATION:4\n#EXT-X-PART-INF:PART-TARGET=1\n#EXT-X-MEDIA-SEQUENCE:7\n#EXT-X-DISCONTINUITY\n#EXTINF:4,\ns7.mp4\n"
        "#EXTINF:4.00,\ns8.mp4\n#EXT-X-PART:DURATION=1,URI=\"p0\"\n#EXT-X-PART:DURATION=1,URI=\"p1\"\n#EXTINF:4,\ns9.mp4\n";
    static const char gone[] = "#EXTM3U\n#EXT-X-TARGETDURATION:4\n#EXT-X-MEDIA-SEQUENCE:6\n#EXTINF:4,\ns6.mp4\n#EXT-X-DISCONTINUITY\n#EXTINF:4,\ns7.mp4\n";
    surtitle_channel_settings settings = {.size = sizeof settings, .anchor = SURTITLE_ANCHOR_FIRST_VERSION, .map = SURTITLE_CHANNEL_MAP_NONE};
    surtitle_growing_settings growth = {.size = sizeof growth, .name = TEXT("en")};
    surtitle_channel *channel;
    size_t count, n, restored = 0;
    int change;
    const surtitle_piece *pieces;
    EXPECT(SURTITLE_OK, surtitle_channel_create(&settings, &channel));
    EXPECT(SURTITLE_OK, surtitle_channel_take(channel, gone, sizeof gone - 1, &change, NULL));
    EXPECT(SURTITLE_OK, surtitle_channel_take(channel, parts, sizeof parts - 1, &change, NULL));
    EXPECT(SURTITLE_TOO_SMALL, surtitle_channel_save(channel, NULL, 0, &count));
    uint8_t *state = malloc(count);
    CHECK(state != NULL);
    EXPECT(SURTITLE_OK, surtitle_channel_save(channel, state, count, &n));
    surtitle_channel_destroy(channel);
    for (size_t i = 0; i < 7 * count; i++) {
        uint8_t bits = (uint8_t)(1 + i % 7);
        state[i / 7] ^= bits;
        int status = surtitle_channel_restore(&settings, state, count, &channel, NULL);
        state[i / 7] ^= bits;
        CHECK(status == SURTITLE_OK || status == SURTITLE_LIVE_REFUSED);
        if (status != SURTITLE_OK) continue;
        restored++;
        surtitle_growing *growing;
        EXPECT(SURTITLE_OK, surtitle_growing_create(&growth, &growing));
        EXPECT(SURTITLE_OK, surtitle_growing_seal(growing, channel));
        for (int name = 0; name < 40; name++) {
            surtitle_live_span span = {.size = sizeof span};
            int length = name % 4 == 0 ? snprintf(text, sizeof text, "%d.vtt", 4 + name / 4)
                                       : snprintf(text, sizeof text, "%d.%d.vtt", 4 + name / 4, name % 4 - 1);
            EXPECT(SURTITLE_OK, surtitle_channel_find(channel, (surtitle_text){text, (size_t)length}, &span));
            EXPECT(SURTITLE_OK, surtitle_cue_index_write(index, &span, &pieces, &n));
            EXPECT(SURTITLE_OK, surtitle_growing_write(growing, &span, &pieces, &n));
        }
        surtitle_growing_destroy(growing);
        surtitle_channel_destroy(channel);
    }
    CHECK(restored > 0);
    free(state);
}

// Of cues without a text as many are kept as of those with 64 bytes.
static void keep_empty_cues(void) {
    surtitle_growing_settings growth = {.size = sizeof growth, .name = TEXT("en"), .most_kept = 640};
    surtitle_growing *growing;
    EXPECT(SURTITLE_OK, surtitle_growing_create(&growth, &growing));
    EXPECT(SURTITLE_OK, surtitle_growing_append(growing, "WEBVTT\n\n", 8, NULL));
    for (int i = 0; i < 12; i++) {
        int status = surtitle_growing_append(growing, "00:01.000 --> 00:02.000\n\n", 25, NULL);
        CHECK(status == (i < 11 ? SURTITLE_OK : SURTITLE_LIMIT_EXCEEDED));
    }
    surtitle_growing_destroy(growing);
}

int main(int count, char **arguments) {
    CHECK(count == 2);
    bytes file = read_file(arguments[1]);
    surtitle_channel_settings settings = {.size = sizeof settings, .anchor = SURTITLE_ANCHOR_DATE};
    settings.anchor_value = 1767225600000000000; // the date of segment 0
    surtitle_channel *channel;
    EXPECT(SURTITLE_OK, surtitle_channel_create(&settings, &channel));
    surtitle_text name = TEXT("en");
    surtitle_cue_index *index;
    surtitle_error error = {.size = sizeof error};
    EXPECT(SURTITLE_NOT_WEBVTT, surtitle_cue_index_create("x", 1, name, 0, &index, &error));
    EXPECT(SURTITLE_OK, surtitle_cue_index_create(file.start, file.count, name, 0, &index, &error));
    surtitle_cue_index *named;
    static const char *const bad_names[] = {"", "a>", "a\n", "a\x1f"};
    for (size_t i = 0; i < sizeof bad_names / sizeof bad_names[0]; i++) {
        surtitle_text bad = {bad_names[i], strlen(bad_names[i])};
        EXPECT(SURTITLE_INVALID_VALUE, surtitle_cue_index_create(file.start, file.count, bad, 0, &named, NULL));
    }
    surtitle_text two_words = TEXT("en us");
    EXPECT(SURTITLE_OK, surtitle_cue_index_create(file.start, file.count, two_words, 0, &named, NULL));
    surtitle_cue_index_destroy(named);
    surtitle_growing_settings growth = {.size = sizeof growth, .name = name, .format = SURTITLE_GROWING_JSON_LINES};
    surtitle_growing *growing;
    EXPECT(SURTITLE_OK, surtitle_growing_create(&growth, &growing));

    const surtitle_piece *pieces;
    size_t n;
    int change;
    surtitle_live_want want = {.size = sizeof want};
    surtitle_text prefix = TEXT("en/");
    surtitle_live_facts facts = {.size = sizeof facts};
    find(channel, "0.vtt", SURTITLE_PLACE_WAIT);
    EXPECT(SURTITLE_NOT_FOUND, surtitle_channel_next(channel, &want));
    EXPECT(SURTITLE_OK, surtitle_channel_playlist(channel, prefix, 0, &pieces, &n));
    CHECK(n == 0);
    for (unsigned last = 1; last <= 8; last++) {
        unsigned first = last > 3 ? last - 3 : 0;
        EXPECT(SURTITLE_OK, surtitle_channel_take(channel, text, version(first, last, last == 8), &change, &error));
        CHECK(change == (last == 1 ? SURTITLE_LIVE_FIRST : last == 8 ? SURTITLE_LIVE_ENDED : SURTITLE_LIVE_ADVANCED));
        while (surtitle_channel_next(channel, &want) == SURTITLE_OK) {
            CHECK(want.uri.count == 5 && want.uri.bytes[0] == 'v' && want.offset == -1 && want.init_uri.bytes == NULL);
            EXPECT(SURTITLE_OK, surtitle_channel_media_start(channel, want.segment, 126000 + want.segment * 540000));
        }
        // What is refused changes nothing.
        EXPECT(SURTITLE_LIVE_REFUSED, surtitle_channel_take(channel, "#EXTM3U\n", 8, &change, &error));
        CHECK(error.message[0] != 0);
        EXPECT(SURTITLE_OK, surtitle_growing_seal(growing, channel));

        // A state that is restored goes on as the channel does.
        size_t needed, written;
        EXPECT(SURTITLE_TOO_SMALL, surtitle_channel_save(channel, NULL, 0, &needed));
        CHECK(needed > 0 && needed <= 1024 + 16 * 8);
        uint8_t *state = malloc(needed);
        CHECK(state != NULL);
        EXPECT(SURTITLE_OK, surtitle_channel_save(channel, state, needed, &written));
        CHECK(written == needed);
        surtitle_channel *other;
        EXPECT(SURTITLE_LIVE_REFUSED, surtitle_channel_restore(&settings, state, needed - 1, &other, &error));
        CHECK(other == NULL);
        EXPECT(SURTITLE_OK, surtitle_channel_restore(&settings, state, needed, &other, &error));
        free(state);
        EXPECT(SURTITLE_OK, surtitle_channel_playlist(channel, prefix, 0, &pieces, &n));
        char expected[sizeof text];
        CHECK(snprintf(expected, sizeof expected, "%s", join(pieces, n)) < (int)sizeof expected);
        EXPECT(SURTITLE_OK, surtitle_channel_playlist(other, prefix, 0, &pieces, &n));
        CHECK(strcmp(join(pieces, n), expected) == 0);
        snprintf(text, sizeof text, "\n#EXTINF:6.000,\nen/%u.vtt\n", last - 1);
        CHECK(strstr(expected, text) != NULL && (strstr(expected, "#EXT-X-ENDLIST") != NULL) == (last == 8));
        surtitle_channel_destroy(channel);
        channel = other;

        // The segment's own cues, in sync with its time stamps.
        snprintf(text, sizeof text, "%u.vtt", last - 1);
        surtitle_live_span span = find(channel, text, SURTITLE_PLACE_SPAN);
        CHECK(span.segment == last - 1 && span.part == -1 && span.is_known == 1 && span.has_map == 1);
        CHECK(span.start_nanoseconds == (int64_t)(last - 1) * 6000000000 && span.end_nanoseconds == (int64_t)last * 6000000000);
        CHECK((int64_t)span.mpegts - 90 * span.local_milliseconds == 126000);
        EXPECT(SURTITLE_OK, surtitle_cue_index_write(index, &span, &pieces, &n));
        CHECK(strncmp(join(pieces, n), "WEBVTT", 6) == 0 && strstr(joined, "X-TIMESTAMP-MAP=") != NULL);
        if (last == 1) CHECK(strstr(joined, " --> ") != NULL);
        // A cue that comes now is in the next segment, and in none that players may have.
        EXPECT(SURTITLE_OK, surtitle_growing_write(growing, &span, &pieces, &n));
        CHECK((strstr(join(pieces, n), "said ") != NULL) == (last > 1));
        snprintf(text, sizeof text, "{\"start\":%u,\"end\":%u,\"text\":\"said %u\"}\n", last * 6 + 1, last * 6 + 3, last);
        EXPECT(SURTITLE_OK, surtitle_growing_append(growing, text, strlen(text), &error));
    }
    EXPECT(SURTITLE_OK, surtitle_channel_facts(channel, &facts));
    CHECK(facts.has_begun == 1 && facts.has_ended == 1 && facts.target_duration == 6 && facts.held_bytes > 0);
    CHECK(facts.first_segment == 5 && facts.end_segment == 8 && facts.open_parts == 0 && facts.notes == 0);
    find(channel, "1000.vtt", SURTITLE_PLACE_NOT_OURS);
    find(channel, "-1.vtt", SURTITLE_PLACE_NOT_OURS);
    find(channel, "8.vtt", SURTITLE_PLACE_WAIT);

    EXPECT(SURTITLE_CUES_REFUSED, surtitle_growing_append(growing, "{\n", 2, &error));
    EXPECT(SURTITLE_OK, surtitle_growing_abandon(growing));
    EXPECT(SURTITLE_OK, surtitle_growing_finish(growing, &error));
    uint64_t cues, left_out, held;
    EXPECT(SURTITLE_OK, surtitle_growing_held(growing, &cues, &left_out, &held));
    CHECK(cues == 8 && left_out == 0 && held > 0);
    EXPECT(SURTITLE_OK, surtitle_growing_reset(growing));
    EXPECT(SURTITLE_OK, surtitle_growing_held(growing, &cues, &left_out, &held));
    CHECK(cues == 0);

    // Misuse is a status, and a span may be anything.
    surtitle_live_span span = {.size = sizeof span, .part = -1, .start_nanoseconds = INT64_MAX, .end_nanoseconds = INT64_MAX};
    EXPECT(SURTITLE_INVALID_VALUE, surtitle_growing_write(growing, &span, &pieces, &n));
    span.start_nanoseconds = INT64_MIN;
    EXPECT(SURTITLE_INVALID_VALUE, surtitle_cue_index_write(index, &span, &pieces, &n));
    span.start_nanoseconds = 0;
    EXPECT(SURTITLE_OK, surtitle_growing_write(growing, &span, &pieces, &n));
    EXPECT(SURTITLE_OK, surtitle_cue_index_write(index, &span, &pieces, &n));
    span.part = -2;
    EXPECT(SURTITLE_INVALID_VALUE, surtitle_cue_index_write(index, &span, &pieces, &n));
    span.size -= 1;
    EXPECT(SURTITLE_STRUCT_SIZE, surtitle_cue_index_write(index, &span, &pieces, &n));
    EXPECT(SURTITLE_NULL_ARGUMENT, surtitle_cue_index_write(index, NULL, &pieces, &n));
    EXPECT(SURTITLE_NULL_ARGUMENT, surtitle_cue_index_write(NULL, &span, &pieces, &n));
    EXPECT(SURTITLE_NULL_ARGUMENT, surtitle_growing_seal(growing, NULL));
    EXPECT(SURTITLE_NULL_ARGUMENT, surtitle_growing_seal(NULL, channel));
    EXPECT(SURTITLE_NULL_ARGUMENT, surtitle_growing_append(growing, NULL, 1, NULL));
    EXPECT(SURTITLE_TOO_LONG, surtitle_channel_take(channel, text, SIZE_MAX, &change, NULL));
    EXPECT(SURTITLE_NULL_ARGUMENT, surtitle_channel_take(channel, text, 1, NULL, NULL));
    EXPECT(SURTITLE_NULL_ARGUMENT, surtitle_channel_next(channel, NULL));
    EXPECT(SURTITLE_NULL_ARGUMENT, surtitle_channel_save(channel, NULL, 0, NULL));
    EXPECT(SURTITLE_OK, surtitle_channel_no_media_start(channel, UINT64_MAX));
    EXPECT(SURTITLE_OK, surtitle_channel_media_start(channel, UINT64_MAX, UINT64_MAX));
    surtitle_text quote = TEXT("\"");
    EXPECT(SURTITLE_INVALID_VALUE, surtitle_channel_playlist(channel, quote, 0, &pieces, &n));
    EXPECT(SURTITLE_TOO_LONG, surtitle_channel_playlist(channel, prefix, SIZE_MAX, &pieces, &n));
    surtitle_channel_destroy(channel);
    alter_states(index);
    keep_empty_cues();
    settings.reserved = 1;
    EXPECT(SURTITLE_INVALID_VALUE, surtitle_channel_create(&settings, &channel));
    settings.reserved = 0;
    settings.anchor = 5;
    EXPECT(SURTITLE_INVALID_VALUE, surtitle_channel_create(&settings, &channel));
    CHECK(channel == NULL);
    growth.format = 3;
    surtitle_growing *none;
    EXPECT(SURTITLE_INVALID_VALUE, surtitle_growing_create(&growth, &none));
    surtitle_cue_index_destroy(index);
    surtitle_growing_destroy(growing);
    surtitle_channel_destroy(NULL);
    surtitle_cue_index_destroy(NULL);
    surtitle_growing_destroy(NULL);
    free(file.start);
    return 0;
}
