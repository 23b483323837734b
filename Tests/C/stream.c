// stream FILE: a stream as processes serve it that hand its state on after each call; checks, and writes nothing. Segments are packed audio, of
// which an ID3 tag tells the time stamp.
#include "check.h"

static surtitle_channel_settings settings = {.size = sizeof settings};
static const surtitle_text url = TEXT("http://localhost/live/video.m3u8");
static surtitle_stream *stream;
static const char *playlist = "#EXTM3U\n#EXT-X-TARGETDURATION:4\n#EXT-X-MEDIA-SEQUENCE:7\n#EXT-X-PROGRAM-DATE-TIME:2026-01-01T00:00:00.000Z\n"
                              "#EXTINF:4.000,\ns7.aac\n#EXTINF:4.000,\ns8.aac\n";

// Another process goes on.
static void hand_on(void) {
    size_t needed, written;
    EXPECT(SURTITLE_TOO_SMALL, surtitle_stream_save(stream, NULL, 0, &needed));
    uint8_t *state = malloc(needed);
    CHECK(state != NULL);
    EXPECT(SURTITLE_OK, surtitle_stream_save(stream, state, needed, &written));
    CHECK(written == needed && needed < 1024 + 16 * 2);
    surtitle_stream_destroy(stream);
    surtitle_error error = {.size = sizeof error};
    EXPECT(SURTITLE_LIVE_REFUSED, surtitle_stream_restore(&settings, url, state, needed - 1, &stream, &error));
    CHECK(stream == NULL && error.message[0] != 0);
    EXPECT(SURTITLE_OK, surtitle_stream_restore(&settings, url, state, needed, &stream, &error));
    free(state);
}

static surtitle_live_step step(surtitle_live_ask *ask, int64_t now, int kind, surtitle_fetch **fetch) {
    surtitle_live_step step;
    memset(&step, 0x55, sizeof step);
    step.size = sizeof step;
    EXPECT(SURTITLE_OK, surtitle_stream_step(stream, ask, now, &step, fetch));
    CHECK((step.http_status != 0) == (kind == SURTITLE_STEP_STATUS) && (step.wait != 0) == (kind == SURTITLE_STEP_WAIT));
    CHECK(kind == SURTITLE_STEP_SEGMENT || (step.span.segment == 0 && step.span.is_known == 0 && step.span.end_nanoseconds == 0));
    CHECK(step.kind == kind && step.size == sizeof step && step.span.size == sizeof step.span);
    CHECK((*fetch != NULL) == (kind == SURTITLE_STEP_FETCH) && (step.fetch > 0) == (kind == SURTITLE_STEP_FETCH));
    hand_on();
    return step;
}

// Carries a fetch out, whose one request is for `path`, and takes what it has come to.
static void carry_out(uint64_t number, surtitle_fetch *fetch, const char *path, int http_status, const char *body, size_t count, int64_t now,
    int expected, int expected_change) {
    surtitle_fetch_request request = {.size = sizeof request};
    surtitle_error error = {.size = sizeof error};
    int change;
    EXPECT(SURTITLE_NEEDS_MORE, surtitle_fetch_next(fetch, &request));
    CHECK(request.url.count == 16 + strlen(path) && memcmp(request.url.bytes + 16, path, strlen(path)) == 0);
    EXPECT(SURTITLE_NEEDS_MORE, surtitle_stream_take(stream, number, fetch, now, &change, &error));
    surtitle_text none = {NULL, 0};
    int need = surtitle_fetch_begin(fetch, http_status, none, 0, NULL, 0);
    // A body that is being read goes on, though somebody asks what has come.
    if (need == SURTITLE_NEEDS_MORE) EXPECT(SURTITLE_NEEDS_MORE, surtitle_stream_take(stream, number, fetch, now, &change, &error));
    if (need == SURTITLE_NEEDS_MORE && surtitle_fetch_write(fetch, body, count) == SURTITLE_NEEDS_MORE) {
        EXPECT(SURTITLE_OK, surtitle_fetch_finish(fetch));
    }
    EXPECT(expected, surtitle_stream_take(stream, number, fetch, now, &change, &error));
    CHECK(change == expected_change);
    CHECK(error.status == expected && (error.message[0] != 0) == (expected != SURTITLE_OK));
    surtitle_fetch_destroy(fetch);
    hand_on();
}

static surtitle_live_ask asking(int kind, const char *text, int64_t now) {
    return (surtitle_live_ask){.size = sizeof(surtitle_live_ask), .kind = kind, .began = now, .text = {text, text == NULL ? 0 : strlen(text)}};
}

int main(int count, char **arguments) {
    CHECK(count == 2);
    bytes file = read_file(arguments[1]);
    surtitle_cue_index *index;
    surtitle_text name = TEXT("en");
    EXPECT(SURTITLE_OK, surtitle_cue_index_create(file.start, file.count, name, 0, &index, NULL));
    EXPECT(SURTITLE_OK, surtitle_channel_anchor((surtitle_text)TEXT("msn:12"), &settings));
    CHECK(settings.anchor == SURTITLE_ANCHOR_SEGMENT && settings.anchor_value == 12);
    EXPECT(SURTITLE_OK, surtitle_channel_anchor((surtitle_text)TEXT("media"), &settings));
    CHECK(settings.anchor == SURTITLE_ANCHOR_MEDIA && settings.anchor_value == 0);
    EXPECT(SURTITLE_INVALID_VALUE, surtitle_channel_anchor((surtitle_text)TEXT("noon"), &settings));
    EXPECT(SURTITLE_OK, surtitle_channel_anchor((surtitle_text)TEXT("2026-01-01T00:00:00Z"), &settings));
    CHECK(settings.anchor == SURTITLE_ANCHOR_DATE && settings.anchor_value == 1767225600000000000);
    CHECK(strcmp(surtitle_stream_note_text(SURTITLE_NOTE_RESTARTED), "the stream has begun anew") == 0);
    CHECK(strcmp(surtitle_stream_note_text(3), "unknown note") == 0 && strcmp(surtitle_stream_note_text(0), "unknown note") == 0);

    // A playlist of another kind is refused, and nothing is served; a second later it is asked for again.
    EXPECT(SURTITLE_OK, surtitle_stream_create(&settings, url, &stream));
    surtitle_fetch *fetch;
    surtitle_live_ask ask = asking(SURTITLE_ASK_PLAYLIST, NULL, 0);
    surtitle_live_step next = step(&ask, 0, SURTITLE_STEP_FETCH, &fetch);
    const char *master = "#EXTM3U\n#EXT-X-STREAM-INF:BANDWIDTH=1\nv.m3u8\n";
    carry_out(next.fetch, fetch, "/live/video.m3u8", 200, master, strlen(master), 10, SURTITLE_LIVE_REFUSED, -1);
    CHECK(step(&ask, 10, SURTITLE_STEP_STATUS, &fetch).http_status == 502);

    // Two who ask, one fetch; and directives, which go to the origin as they are.
    surtitle_live_ask other = asking(SURTITLE_ASK_PLAYLIST, "_HLS_msn=9&x=y", 2000);
    ask = asking(SURTITLE_ASK_PLAYLIST, NULL, 2000);
    next = step(&ask, 2000, SURTITLE_STEP_FETCH, &fetch);
    CHECK(ask.waits_for == next.fetch && ask.has_fetched == 1);
    // Until three seconds have gone by since they began, and never less than a tenth of one.
    static const struct { int64_t began, now, wait; } waits[] = {
        {2000, 2001, 2999}, {2050, 2050, 3000}, {-700, 2199, 101}, {-700, 2200, 100}, {-700, 2201, 100}, {-700, 2299, 100}};
    for (size_t i = 0; i < sizeof waits / sizeof *waits; i++) {
        surtitle_live_ask late = asking(SURTITLE_ASK_PLAYLIST, NULL, waits[i].began);
        CHECK(step(&late, waits[i].now, SURTITLE_STEP_WAIT, &(surtitle_fetch *){NULL}).wait == waits[i].wait);
        CHECK(late.waits_for == next.fetch && late.has_fetched == 1);
    }
    carry_out(next.fetch, fetch, "/live/video.m3u8", 200, playlist, strlen(playlist), 2100, SURTITLE_OK, SURTITLE_LIVE_FIRST);
    CHECK(step(&ask, 2100, SURTITLE_STEP_PLAYLIST, &fetch).lifetime == 2);
    surtitle_live_facts facts = {.size = sizeof facts};
    EXPECT(SURTITLE_OK, surtitle_stream_facts(stream, &facts));
    CHECK(facts.has_begun == 1 && facts.first_segment == 7 && facts.end_segment == 9);
    const surtitle_piece *pieces;
    size_t n;
    EXPECT(SURTITLE_OK, surtitle_stream_playlist(stream, (surtitle_text)TEXT("en/"), 0, &pieces, &n));
    CHECK(n == 1 && memcmp(pieces[0].bytes + pieces[0].count - 9, "en/8.vtt\n", 9) == 0);
    next = step(&other, 2200, SURTITLE_STEP_FETCH, &fetch);
    carry_out(next.fetch, fetch, "/live/video.m3u8?_HLS_msn=9", 400, "", 0, 2300, SURTITLE_FETCH_FAILED, -1);
    CHECK(step(&other, 2300, SURTITLE_STEP_STATUS, &fetch).http_status == 400);

    // A time stamp is known to be wanted, whoever goes on; nobody fetches it any more, and somebody else does.
    uint64_t number;
    EXPECT(SURTITLE_OK, surtitle_stream_early(stream, 2400, &number, &fetch));
    surtitle_fetch_destroy(fetch);
    EXPECT(SURTITLE_NOT_FOUND, surtitle_stream_early(stream, 2400, &number, &fetch));
    CHECK(fetch == NULL);
    ask = asking(SURTITLE_ASK_SEGMENT, "8.vtt", 2400);
    step(&ask, 2400, SURTITLE_STEP_WAIT, &fetch);
    EXPECT(SURTITLE_OK, surtitle_stream_cancel(stream, number));
    EXPECT(SURTITLE_OK, surtitle_stream_cancel(stream, 999));
    next = step(&ask, 2500, SURTITLE_STEP_FETCH, &fetch);
    static char media[10 + 10 + 53 + 400] = "ID3\4\0\0\0\0\0\77PRIV\0\0\0\65\0\0com.apple.streaming.transportStreamTimestamp\0\0\0\0\0\0\15\273\240";
    for (size_t i = 73; i + 7 <= sizeof media; i += 7) memcpy(media + i, "\377\361\120\200\2\37\374", 7);
    carry_out(next.fetch, fetch, "/live/s7.aac", 200, media, sizeof media, 2600, SURTITLE_OK, -1);
    next = step(&ask, 2600, SURTITLE_STEP_SEGMENT, &fetch);
    CHECK(next.lifetime == 8 && next.span.segment == 8 && next.span.has_map == 1);
    CHECK((int64_t)next.span.mpegts - 90 * next.span.local_milliseconds == 900000 && next.span.start_nanoseconds == 4000000000);
    EXPECT(SURTITLE_OK, surtitle_cue_index_write(index, &next.span, &pieces, &n));
    CHECK(n == 1 && memcmp(pieces[0].bytes, "WEBVTT", 6) == 0);
    ask = asking(SURTITLE_ASK_SEGMENT, "1000.vtt", 2700);
    CHECK(step(&ask, 2700, SURTITLE_STEP_STATUS, &fetch).http_status == 404);

    // Misuse is a status.
    surtitle_live_step place = {.size = sizeof place};
    surtitle_channel_settings wrong = {.size = sizeof wrong, .anchor = 9};
    surtitle_stream *none = stream;
    int change;
    EXPECT(SURTITLE_INVALID_VALUE, surtitle_stream_create(&wrong, url, &none));
    CHECK(none == NULL);
    EXPECT(SURTITLE_NULL_ARGUMENT, surtitle_stream_create(&settings, (surtitle_text){NULL, 0}, &none));
    EXPECT(SURTITLE_NULL_ARGUMENT, surtitle_stream_restore(&settings, url, NULL, 3, &none, NULL));
    EXPECT(SURTITLE_NULL_ARGUMENT, surtitle_stream_step(stream, NULL, 0, &place, &fetch));
    EXPECT(SURTITLE_NULL_ARGUMENT, surtitle_stream_step(stream, &ask, 0, NULL, &fetch));
    EXPECT(SURTITLE_NULL_ARGUMENT, surtitle_stream_step(stream, &ask, 0, &place, NULL));
    EXPECT(SURTITLE_NULL_ARGUMENT, surtitle_stream_step(NULL, &ask, 0, &place, &fetch));
    EXPECT(SURTITLE_INVALID_VALUE, surtitle_stream_step(stream, &ask, INT64_MAX, &place, &fetch));
    static const struct { int64_t time; int status; } times[] = {
        {(int64_t)1 << 60, SURTITLE_OK}, {((int64_t)1 << 60) + 1, SURTITLE_INVALID_VALUE}, {-((int64_t)1 << 60), SURTITLE_OK},
        {-((int64_t)1 << 60) - 1, SURTITLE_INVALID_VALUE}};
    for (size_t i = 0; i < sizeof times / sizeof *times; i++) {
        ask = asking(SURTITLE_ASK_SEGMENT, "0.vtt", times[i].time);
        EXPECT(times[i].status, surtitle_stream_step(stream, &ask, 2700, &place, &fetch));
        CHECK(fetch == NULL);
        int status = surtitle_stream_early(stream, times[i].time, &number, &fetch);
        CHECK(status == (times[i].status == SURTITLE_OK ? SURTITLE_NOT_FOUND : SURTITLE_INVALID_VALUE) && fetch == NULL);
    }
    ask = asking(SURTITLE_ASK_SEGMENT, "0.vtt", 2700);
    ask.has_fetched = 2;
    EXPECT(SURTITLE_INVALID_VALUE, surtitle_stream_step(stream, &ask, 2700, &place, &fetch));
    ask.has_fetched = 0;
    EXPECT(SURTITLE_NULL_ARGUMENT, surtitle_stream_early(stream, 0, &number, NULL));
    EXPECT(SURTITLE_NULL_ARGUMENT, surtitle_stream_restore(&settings, (surtitle_text){NULL, 0}, "", 0, &none, NULL));
    EXPECT(SURTITLE_OK, surtitle_stream_playlist(stream, (surtitle_text)TEXT("en/"), 1, &pieces, &n));
    CHECK(n == 1 && memcmp(pieces[0].bytes + pieces[0].count - 9, "en/7.vtt\n", 9) == 0);
    ask.kind = 2;
    EXPECT(SURTITLE_INVALID_VALUE, surtitle_stream_step(stream, &ask, 0, &place, &fetch));
    ask.size -= 1;
    EXPECT(SURTITLE_STRUCT_SIZE, surtitle_stream_step(stream, &ask, 0, &place, &fetch));
    EXPECT(SURTITLE_NULL_ARGUMENT, surtitle_stream_take(stream, 1, NULL, 0, &change, NULL));
    EXPECT(SURTITLE_NULL_ARGUMENT, surtitle_stream_early(stream, 0, NULL, &fetch));
    EXPECT(SURTITLE_NULL_ARGUMENT, surtitle_stream_save(stream, NULL, 0, NULL));
    EXPECT(SURTITLE_NULL_ARGUMENT, surtitle_stream_facts(stream, NULL));
    EXPECT(SURTITLE_INVALID_VALUE, surtitle_stream_playlist(stream, (surtitle_text)TEXT("\""), 0, &pieces, &n));
    EXPECT(SURTITLE_NULL_ARGUMENT, surtitle_channel_anchor((surtitle_text){NULL, 0}, &settings));
    surtitle_stream_destroy(stream);
    surtitle_stream_destroy(NULL);
    surtitle_cue_index_destroy(index);
    free(file.start);
    return 0;
}
