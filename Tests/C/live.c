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

// What there may be in settings, and what one more is.
static void check_settings(void) {
    static const struct { surtitle_channel_settings settings; int status; } channels[] = {
        {{.anchor = -1}, SURTITLE_INVALID_VALUE}, {{.anchor = 0}, SURTITLE_OK}, {{.anchor = 1, .anchor_value = INT64_MIN}, SURTITLE_OK},
        {{.anchor = 2}, SURTITLE_OK}, {{.anchor = 2, .anchor_value = -1}, SURTITLE_INVALID_VALUE}, {{.anchor = 3}, SURTITLE_OK},
        {{.anchor = 4}, SURTITLE_OK}, {{.anchor = 5}, SURTITLE_INVALID_VALUE}, {{.map = -1}, SURTITLE_INVALID_VALUE}, {{.map = 1}, SURTITLE_OK},
        {{.map = 2}, SURTITLE_OK}, {{.map = 2, .mpegts = (uint64_t)1 << 33}, SURTITLE_INVALID_VALUE}, {{.map = 3}, SURTITLE_INVALID_VALUE},
        {{.map = 2, .local_milliseconds = -1}, SURTITLE_INVALID_VALUE}, {{.is_plain = 1}, SURTITLE_OK}, {{.is_plain = 2}, SURTITLE_INVALID_VALUE},
        {{.reserved = 1}, SURTITLE_INVALID_VALUE}, {{.most_parts = (size_t)1 << 30}, SURTITLE_OK},
        {{.most_parts = ((size_t)1 << 30) + 1}, SURTITLE_INVALID_VALUE}, {{.longest_state = SIZE_MAX}, SURTITLE_TOO_LONG},
    };
    for (size_t i = 0; i < sizeof channels / sizeof *channels; i++) {
        surtitle_channel_settings settings = channels[i].settings;
        settings.size = sizeof settings;
        surtitle_channel *channel;
        EXPECT(channels[i].status, surtitle_channel_create(&settings, &channel));
        CHECK((channel == NULL) == (channels[i].status != SURTITLE_OK));
        surtitle_channel_destroy(channel);
        settings.size--;
        EXPECT(SURTITLE_STRUCT_SIZE, surtitle_channel_create(&settings, &channel));
    }
    static const struct { surtitle_growing_settings settings; int status; } growths[] = {
        {{.name = TEXT("a"), .late = 2, .format = 2}, SURTITLE_OK}, {{.name = TEXT("a"), .late = 3}, SURTITLE_INVALID_VALUE},
        {{.name = TEXT("a"), .late = -1}, SURTITLE_INVALID_VALUE}, {{.name = TEXT("a"), .late = 256}, SURTITLE_INVALID_VALUE},
        {{.name = TEXT("a"), .format = 3}, SURTITLE_INVALID_VALUE}, {{.name = TEXT("a"), .format = 256}, SURTITLE_INVALID_VALUE},
        {{.name = TEXT("a"), .latency_milliseconds = -1}, SURTITLE_INVALID_VALUE}, {{.name = TEXT("a"), .latency_milliseconds = (int64_t)1 << 40}, SURTITLE_OK},
        {{.name = TEXT("a"), .latency_milliseconds = ((int64_t)1 << 40) + 1}, SURTITLE_INVALID_VALUE}, {{.size = 0}, SURTITLE_NULL_ARGUMENT},
        {{.name = TEXT("a"), .has_latency = 2}, SURTITLE_INVALID_VALUE}, {{.name = TEXT("a"), .is_in_milliseconds = -1}, SURTITLE_INVALID_VALUE},
        {{.name = TEXT("a"), .longest_block = ((size_t)1 << 30) + 1}, SURTITLE_INVALID_VALUE}, {{.name = TEXT("a\xFF")}, SURTITLE_INVALID_UTF8},
        {{.name = TEXT("")}, SURTITLE_INVALID_VALUE}, {{.name = TEXT(" ")}, SURTITLE_OK},
    };
    for (size_t i = 0; i < sizeof growths / sizeof *growths; i++) {
        surtitle_growing_settings settings = growths[i].settings;
        settings.size = sizeof settings;
        surtitle_growing *growing;
        EXPECT(growths[i].status, surtitle_growing_create(&settings, &growing));
        CHECK((growing == NULL) == (growths[i].status != SURTITLE_OK));
        surtitle_growing_destroy(growing);
    }
    surtitle_channel_settings settings = {.size = sizeof settings};
    settings.size--;
    EXPECT(SURTITLE_STRUCT_SIZE, surtitle_channel_anchor((surtitle_text)TEXT("media"), &settings));
}

static surtitle_channel *channel_of(surtitle_channel_settings settings) {
    surtitle_channel *channel;
    settings.size = sizeof settings;
    EXPECT(SURTITLE_OK, surtitle_channel_create(&settings, &channel));
    return channel;
}

static int take(surtitle_channel *channel, const char *playlist) {
    int change = -1;
    surtitle_error error = {.size = sizeof error};
    EXPECT(SURTITLE_OK, surtitle_channel_take(channel, playlist, strlen(playlist), &change, &error));
    return change;
}

// Whose time stamp is wanted, with every field; what is known before and after; and each limit at what is needed, and at one less.
static void check_wants(void) {
    surtitle_channel *channel = channel_of((surtitle_channel_settings){.anchor = SURTITLE_ANCHOR_MEDIA});
    surtitle_live_facts facts;
    memset(&facts, 0x55, sizeof facts);
    facts.size = sizeof facts;
    EXPECT(SURTITLE_OK, surtitle_channel_facts(channel, &facts));
    CHECK(facts.size == sizeof facts && facts.has_begun == 0 && facts.has_ended == 0 && facts.target_duration == 0 && facts.open_parts == 0);
    CHECK(facts.first_segment == 0 && facts.end_segment == 0 && facts.notes == 0 && facts.reserved == 0);
    surtitle_live_want want;
    memset(&want, 0x55, sizeof want);
    want.size = sizeof want;
    static const char ranges[] =
        "#EXTM3U\n#EXT-X-TARGETDURATION:4\n#EXT-X-MEDIA-SEQUENCE:7\n#EXT-X-MAP:URI=\"i.mp4\",BYTERANGE=\"30@20\"\n"
        "#EXT-X-BYTERANGE:200@100\n#EXTINF:4,\ns.mp4\n";
    static const char whole[] = "#EXTM3U\n#EXT-X-TARGETDURATION:4\n#EXT-X-MAP:URI=\"i.mp4\"\n#EXTINF:4,\ns.mp4\n";
    static const char sealed[] = "#EXTM3U\n#EXT-X-TARGETDURATION:4\n#EXT-X-KEY:METHOD=AES-128,URI=\"k\"\n#EXTINF:4,\ns.ts\n";
    static const char sealed_map[] =
        "#EXTM3U\n#EXT-X-TARGETDURATION:4\n#EXT-X-KEY:METHOD=AES-128,URI=\"k\",IV=0x1\n#EXT-X-MAP:URI=\"i.mp4\"\n#EXT-X-KEY:METHOD=NONE\n#EXTINF:4,\ns.mp4\n";
    CHECK(take(channel, ranges) == SURTITLE_LIVE_FIRST);
    EXPECT(SURTITLE_OK, surtitle_channel_next(channel, &want));
    CHECK(want.size == sizeof want && want.segment == 7 && want.uri.count == 5 && memcmp(want.uri.bytes, "s.mp4", 5) == 0);
    CHECK(want.offset == 100 && want.count == 200 && want.init_uri.count == 5 && memcmp(want.init_uri.bytes, "i.mp4", 5) == 0);
    CHECK(want.init_offset == 20 && want.init_count == 30 && want.is_encrypted == 0 && want.reserved == 0);
    surtitle_channel_destroy(channel);
    static const struct { const char *playlist; int has_init, is_encrypted; } rows[] = {{whole, 1, 0}, {sealed, 0, 1}, {sealed_map, 1, 1}};
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        memset(&want, 0x55, sizeof want);
        want.size = sizeof want;
        channel = channel_of((surtitle_channel_settings){.anchor = SURTITLE_ANCHOR_MEDIA});
        CHECK(take(channel, rows[i].playlist) == SURTITLE_LIVE_FIRST);
        EXPECT(SURTITLE_OK, surtitle_channel_next(channel, &want));
        CHECK(want.segment == 0 && want.offset == -1 && want.count == 0 && want.init_offset == -1 && want.init_count == 0);
        CHECK((want.init_uri.bytes != NULL) == rows[i].has_init && want.is_encrypted == rows[i].is_encrypted);
        // Of a time stamp 33 bits count.
        EXPECT(SURTITLE_OK, surtitle_channel_media_start(channel, 0, ((uint64_t)1 << 33) + 900000));
        surtitle_live_span span = find(channel, "0.vtt", SURTITLE_PLACE_SPAN);
        CHECK(span.is_known == 1 && span.has_map == 1 && span.part == -1 && span.life == 0);
        // A duration without decimals may be off by a second.
        CHECK(span.start_nanoseconds == 9000000000 && span.end_nanoseconds == 15000000000 && (int64_t)span.mpegts == 90 * span.local_milliseconds);
        surtitle_channel_destroy(channel);
    }
    // What cannot be known yet has no cues.
    channel = channel_of((surtitle_channel_settings){.anchor = SURTITLE_ANCHOR_MEDIA});
    CHECK(take(channel, whole) == SURTITLE_LIVE_FIRST);
    surtitle_live_span span = find(channel, "0.vtt", SURTITLE_PLACE_MEDIA_START);
    CHECK(span.is_known == 0 && span.segment == 0 && span.part == -1 && span.start_nanoseconds == -2 && span.end_nanoseconds == -1);
    CHECK(span.mpegts == 0 && span.local_milliseconds == 0 && span.has_map == 0 && span.life == 0);
    span = find(channel, "1.2.vtt", SURTITLE_PLACE_WAIT);
    CHECK(span.segment == 1 && span.is_known == 0 && span.has_map == 0);
    EXPECT(SURTITLE_NULL_ARGUMENT, surtitle_channel_find(channel, (surtitle_text){NULL, 0}, &span));
    surtitle_channel_destroy(channel);
    channel = channel_of((surtitle_channel_settings){.anchor = SURTITLE_ANCHOR_SEGMENT, .map = SURTITLE_CHANNEL_MAP_GIVEN, .mpegts = 90000, .local_milliseconds = 500});
    CHECK(take(channel, whole) == SURTITLE_LIVE_FIRST);
    span = find(channel, "0.vtt", SURTITLE_PLACE_SPAN);
    CHECK(span.has_map == 1 && (int64_t)span.mpegts - 90 * span.local_milliseconds == 45000 && span.start_nanoseconds == 0);
    surtitle_channel_destroy(channel);
}

// What each version changes.
static void check_changes(void) {
    static const struct { unsigned first, end; int skips, has_ended, change; } rows[] = {
        {10, 13, 0, 0, SURTITLE_LIVE_FIRST},  {10, 13, 0, 0, SURTITLE_LIVE_UNCHANGED}, {11, 14, 0, 0, SURTITLE_LIVE_ADVANCED},
        {10, 13, 0, 0, SURTITLE_LIVE_STALE},  {20, 23, 0, 0, SURTITLE_LIVE_MISSED},    {30, 34, 3, 0, SURTITLE_LIVE_NEEDS_FULL},
        {0, 2, 0, 0, SURTITLE_LIVE_SUSPECT},  {0, 3, 0, 0, SURTITLE_LIVE_RESTARTED},   {1, 4, 0, 1, SURTITLE_LIVE_ENDED},
    };
    surtitle_channel *channel = channel_of((surtitle_channel_settings){.anchor = SURTITLE_ANCHOR_FIRST_VERSION, .map = SURTITLE_CHANNEL_MAP_NONE});
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        int count = snprintf(text, sizeof text, "#EXTM3U\n#EXT-X-VERSION:9\n#EXT-X-TARGETDURATION:6\n#EXT-X-MEDIA-SEQUENCE:%u\n", rows[i].first);
        if (rows[i].skips > 0) count += snprintf(text + count, sizeof text - (size_t)count, "#EXT-X-SKIP:SKIPPED-SEGMENTS=%d\n", rows[i].skips);
        for (unsigned n = rows[i].first + (unsigned)rows[i].skips; n < rows[i].end; n++) {
            count += snprintf(text + count, sizeof text - (size_t)count, "#EXTINF:6.000,\n%s%u.ts\n", i > 5 ? "w" : "v", n);
        }
        if (rows[i].has_ended) strcat(text, "#EXT-X-ENDLIST\n");
        int change = take(channel, text);
        if (change != rows[i].change) fprintf(stderr, "row %zu: %d\n", i, change);
        CHECK(change == rows[i].change);
    }
    surtitle_live_facts facts = {.size = sizeof facts};
    EXPECT(SURTITLE_OK, surtitle_channel_facts(channel, &facts));
    CHECK((facts.notes & SURTITLE_NOTE_RESTARTED) != 0 && (facts.notes & SURTITLE_NOTE_MISSED) != 0 && facts.has_ended == 1);
    CHECK(facts.first_segment == 1 && facts.end_segment == 4);
    CHECK(find(channel, "3.vtt", SURTITLE_PLACE_SPAN).life == 1);
    const surtitle_piece *pieces;
    size_t n;
    static const struct { surtitle_text prefix; size_t lag; int status; } names[] = {
        {TEXT(""), 0, SURTITLE_OK}, {TEXT(" "), ((size_t)1 << 30) - 1, SURTITLE_OK}, {TEXT(""), (size_t)1 << 30, SURTITLE_INVALID_VALUE},
        {TEXT("\x1f"), 0, SURTITLE_INVALID_VALUE}, {{NULL, 0}, 0, SURTITLE_NULL_ARGUMENT}, {TEXT("\xFF"), 0, SURTITLE_INVALID_UTF8},
    };
    for (size_t i = 0; i < sizeof names / sizeof *names; i++) {
        EXPECT(names[i].status, surtitle_channel_playlist(channel, names[i].prefix, names[i].lag, &pieces, &n));
        CHECK(names[i].status == SURTITLE_OK || (pieces == NULL && n == 0));
    }
    surtitle_channel_destroy(channel);
    channel = channel_of((surtitle_channel_settings){.anchor = SURTITLE_ANCHOR_FIRST_VERSION, .map = SURTITLE_CHANNEL_MAP_NONE});
    (void)version(1, 4, 0);
    CHECK(take(channel, text) == SURTITLE_LIVE_FIRST);
    EXPECT(SURTITLE_OK, surtitle_channel_playlist(channel, (surtitle_text)TEXT("a/"), 1, &pieces, &n));
    CHECK(strstr(join(pieces, n), "a/2.vtt") != NULL && strstr(joined, "a/3.vtt") == NULL);
    surtitle_channel_destroy(channel);
}

// Parts, mirrored or left out.
static void check_parts(void) {
    static const char parts[] =
        "#EXTM3U\n#EXT-X-TARGETDURATION:4\n#EXT-X-SERVER-CONTROL:CAN-BLOCK-RELOAD=YES,PART-HOLD-BACK=3\n#EXT-X-PART-INF:PART-TARGET=1\n"
        "#EXTINF:4,\ns0.mp4\n#EXT-X-PART:DURATION=1,URI=\"p0\"\n#EXT-X-PART:DURATION=1,URI=\"p1\"\n";
    for (int is_plain = 0; is_plain < 2; is_plain++) {
        surtitle_channel *channel = channel_of((surtitle_channel_settings){
            .anchor = SURTITLE_ANCHOR_FIRST_VERSION, .map = SURTITLE_CHANNEL_MAP_NONE, .is_plain = is_plain});
        CHECK(take(channel, parts) == SURTITLE_LIVE_FIRST);
        surtitle_live_facts facts = {.size = sizeof facts};
        EXPECT(SURTITLE_OK, surtitle_channel_facts(channel, &facts));
        CHECK(facts.open_parts == 2 && facts.first_segment == 0 && facts.end_segment == 1);
        const surtitle_piece *pieces;
        size_t n;
        EXPECT(SURTITLE_OK, surtitle_channel_playlist(channel, (surtitle_text)TEXT(""), 0, &pieces, &n));
        CHECK((strstr(join(pieces, n), "1.1.vtt") == NULL) == is_plain);
        if (!is_plain) {
            surtitle_live_span span = find(channel, "1.1.vtt", SURTITLE_PLACE_SPAN);
            CHECK(span.segment == 1 && span.part == 1 && span.has_map == 0 && span.start_nanoseconds == 5000000000);
        }
        surtitle_channel_destroy(channel);
    }
}

// Each limit at the least with which a version is taken, and its state saved; with one less it is exceeded.
static void check_limits(void) {
    static const char parts[] =
        "#EXTM3U\n#EXT-X-TARGETDURATION:4\n#EXT-X-PART-INF:PART-TARGET=1\n#EXTINF:4,\ns0.mp4\n#EXTINF:4,\ns1.mp4\n"
        "#EXT-X-PART:DURATION=1,URI=\"p0\"\n#EXT-X-PART:DURATION=1,URI=\"p1\"\n";
    for (int i = 0; i < 5; i++) {
        size_t least = 0;
        for (size_t limit = 1; limit < 2000 && least == 0; limit++) {
            surtitle_channel_settings settings = {.anchor = SURTITLE_ANCHOR_FIRST_VERSION, .map = SURTITLE_CHANNEL_MAP_NONE};
            size_t *places[] = {
                &settings.longest_playlist, &settings.most_segments, &settings.most_parts, &settings.longest_text, &settings.longest_state};
            *places[i] = limit;
            surtitle_channel *channel = channel_of(settings);
            int change = -1;
            surtitle_error error = {.size = sizeof error, .position = -5};
            int status = surtitle_channel_take(channel, parts, sizeof parts - 1, &change, &error);
            static uint8_t state[4096];
            size_t n;
            if (status == SURTITLE_OK) {
                status = surtitle_channel_save(channel, state, sizeof state, &n);
            } else {
                CHECK(error.status == SURTITLE_LIMIT_EXCEEDED && error.index == -1 && error.position != -5 && change == -1);
            }
            CHECK(status == SURTITLE_OK || status == SURTITLE_LIMIT_EXCEEDED);
            if (status == SURTITLE_OK) least = limit;
            surtitle_channel_destroy(channel);
        }
        CHECK(least > (i == 3 ? 0 : 1) && (i != 0 || least == sizeof parts - 1) && (i != 1 || least == 2) && (i != 2 || least == 2));
    }
}

static void check_growth(void) {
    static const struct { surtitle_growing_settings settings; const char *cues; int status; uint64_t cue_count, left_out; } rows[] = {
        {{.format = 0}, "1\n", SURTITLE_NOT_WEBVTT, 0, 0},
        {{.format = 0}, "WEBVTT\n\n00:01.000 --> 00:02.000\na\xFF\n\n", SURTITLE_INVALID_UTF8, 0, 0},
        {{.format = 0}, "WEBVTT\n\n00:01.000 --> 00:02.000\na\n\n00:03.000 --> 00:03.000\nb\n\n", SURTITLE_OK, 1, 1},
        {{.format = 1}, "1\n00:00:01,000 --> 00:00:02,000\na\n\n", SURTITLE_OK, 1, 0},
        {{.format = 2, .longest_block = 20}, "{\"start\":1,\"end\":2,\"text\":\"a long text\"}\n", SURTITLE_LIMIT_EXCEEDED, 0, 0},
        {{.format = 2}, "{\"start\":1,\"end\":2}x\n", SURTITLE_CUES_REFUSED, 0, 0},
    };
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        surtitle_growing_settings settings = rows[i].settings;
        settings.size = sizeof settings;
        settings.name = (surtitle_text)TEXT("en");
        surtitle_growing *growing;
        surtitle_error error = {.size = sizeof error};
        EXPECT(SURTITLE_OK, surtitle_growing_create(&settings, &growing));
        EXPECT(rows[i].status, surtitle_growing_append(growing, rows[i].cues, strlen(rows[i].cues), &error));
        CHECK(error.status == rows[i].status && (rows[i].status == SURTITLE_OK || error.position >= 0));
        uint64_t cues = 9, left_out = 9, held = 9;
        EXPECT(SURTITLE_OK, surtitle_growing_held(growing, &cues, &left_out, &held));
        CHECK(cues == rows[i].cue_count && left_out == rows[i].left_out);
        EXPECT(SURTITLE_NULL_ARGUMENT, surtitle_growing_held(growing, NULL, &left_out, &held));
        EXPECT(SURTITLE_NULL_ARGUMENT, surtitle_growing_held(growing, &cues, NULL, &held));
        EXPECT(SURTITLE_NULL_ARGUMENT, surtitle_growing_held(growing, &cues, &left_out, NULL));
        surtitle_growing_destroy(growing);
    }
    // Numbers begin with 1 unless another is given; times in milliseconds where they are said to be.
    for (uint64_t first = 0; first < 6; first++) {
        surtitle_growing_settings settings = {
            .size = sizeof settings, .name = TEXT("en"), .format = SURTITLE_GROWING_JSON_LINES, .first_number = first, .is_in_milliseconds = first % 2};
        surtitle_growing *growing;
        EXPECT(SURTITLE_OK, surtitle_growing_create(&settings, &growing));
        surtitle_channel *channel = channel_of((surtitle_channel_settings){.anchor = SURTITLE_ANCHOR_FIRST_VERSION, .map = SURTITLE_CHANNEL_MAP_NONE});
        const char *line = first % 2 ? "{\"start\":1000,\"end\":2000,\"text\":\"a\"}\n" : "{\"start\":1,\"end\":2,\"text\":\"a\"}\n";
        EXPECT(SURTITLE_OK, surtitle_growing_append(growing, line, strlen(line), NULL));
        CHECK(take(channel, "#EXTM3U\n#EXT-X-TARGETDURATION:4\n#EXTINF:4,\ns.ts\n") == SURTITLE_LIVE_FIRST);
        EXPECT(SURTITLE_OK, surtitle_growing_seal(growing, channel));
        surtitle_live_span span = find(channel, "0.vtt", SURTITLE_PLACE_SPAN);
        const surtitle_piece *pieces;
        size_t n;
        EXPECT(SURTITLE_OK, surtitle_growing_write(growing, &span, &pieces, &n));
        char expected[80];
        snprintf(expected, sizeof expected, "en.%u\n00:00:01.000 --> 00:00:02.000\na\n", first == 0 ? 1 : (unsigned)first);
        CHECK(strstr(join(pieces, n), expected) != NULL);
        surtitle_channel_destroy(channel);
        surtitle_growing_destroy(growing);
    }
}

// By what cues are called, and where a span's bounds are.
static void check_names(void) {
    static const char file[] = "WEBVTT\n\n00:00.000 --> 00:01.000\na\n\nid\n00:02.000 --> 00:03.000\nb\n";
    static const struct { surtitle_text name; int renames, status; const char *first, *second; } rows[] = {
        {{NULL, 0}, 0, SURTITLE_OK, "\n\n00:00.000", "\nid\n00:02.000"},
        {TEXT("en"), 0, SURTITLE_OK, "en", "\nid\n00:02.000"},
        {TEXT("en"), 1, SURTITLE_OK, "en", "\nen"},
        {{NULL, 0}, 1, SURTITLE_NULL_ARGUMENT, NULL, NULL},
        {TEXT("en"), 2, SURTITLE_INVALID_VALUE, NULL, NULL},
    };
    const surtitle_piece *pieces;
    size_t n;
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        surtitle_cue_index *index;
        EXPECT(rows[i].status, surtitle_cue_index_create(file, sizeof file - 1, rows[i].name, rows[i].renames, &index, NULL));
        if (rows[i].status != SURTITLE_OK) {
            CHECK(index == NULL);
            continue;
        }
        surtitle_live_span span = {.size = sizeof span, .is_known = 1, .part = -1, .end_nanoseconds = 4000000000};
        EXPECT(SURTITLE_OK, surtitle_cue_index_write(index, &span, &pieces, &n));
        CHECK(strstr(join(pieces, n), rows[i].first) != NULL && strstr(joined, rows[i].second) != NULL);
        CHECK((strstr(joined, "\nid\n") != NULL) == (rows[i].renames == 0));
        int64_t most = (int64_t)1 << 62;
        const struct { int64_t start, end; int64_t part; int has_map, is_known, status; uint64_t mpegts; int64_t local; } spans[] = {
            {-most, -most, -1, 0, 0, SURTITLE_OK, 0, 0}, {-most - 1, 0, -1, 0, 0, SURTITLE_INVALID_VALUE, 0, 0},
            {most, INT64_MAX, 0, 1, 1, SURTITLE_OK, 0, 0}, {most + 1, INT64_MAX, 0, 0, 0, SURTITLE_INVALID_VALUE, 0, 0},
            {1, 0, 0, 0, 0, SURTITLE_INVALID_VALUE, 0, 0}, {0, 0, INT64_MAX, 0, 0, SURTITLE_OK, 0, 0}, {0, 0, 0, 2, 0, SURTITLE_INVALID_VALUE, 0, 0},
            {0, 0, 0, 0, 2, SURTITLE_INVALID_VALUE, 0, 0}, {0, 0, 0, 1, 1, SURTITLE_INVALID_VALUE, (uint64_t)1 << 33, 0},
            {0, 0, 0, 1, 1, SURTITLE_INVALID_VALUE, 0, -1},
        };
        for (size_t s = 0; s < sizeof spans / sizeof *spans; s++) {
            span = (surtitle_live_span){.size = sizeof span, .start_nanoseconds = spans[s].start, .end_nanoseconds = spans[s].end, .part = spans[s].part,
                .has_map = spans[s].has_map, .is_known = spans[s].is_known, .mpegts = spans[s].mpegts, .local_milliseconds = spans[s].local};
            EXPECT(spans[s].status, surtitle_cue_index_write(index, &span, &pieces, &n));
            CHECK(spans[s].status == SURTITLE_OK || (pieces == NULL && n == 0));
        }
        surtitle_cue_index_destroy(index);
    }
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
    check_settings();
    check_wants();
    check_changes();
    check_parts();
    check_limits();
    check_growth();
    check_names();
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
