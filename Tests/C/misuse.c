// Every function, misused: each answers with a status, and none ends the process.
#include "check.h"

#define TOO_LONG ((size_t)PTRDIFF_MAX + 1)

static const uint8_t some[] = "#EXTM3U\n#EXT-X-STREAM-INF:BANDWIDTH=1\na\n";
#define COUNT (sizeof some - 1)

static surtitle_error small_error(void) {
    surtitle_error error = {.size = sizeof error - 1};
    return error;
}

static void configurations(void) {
    surtitle_configuration *made = NULL;
    surtitle_error error = small_error();
    surtitle_track_key keys[][2] = {{KEY("uri", "a.m3u8"), KEY("name", "A")}, {KEY("uri", "b.m3u8"), KEY("name", "B")}};
    surtitle_track tracks[2] = {{sizeof tracks[0], keys[0], 2}, {sizeof tracks[0], keys[1], 2}};
    surtitle_settings settings;
    memset(&settings, 0, sizeof settings);
    settings.size = sizeof settings;
    settings.tracks = tracks;
    settings.track_count = 2;
    EXPECT(SURTITLE_NULL_ARGUMENT, surtitle_configuration_create(NULL, &made, NULL));
    EXPECT(SURTITLE_NULL_ARGUMENT, surtitle_configuration_create(&settings, NULL, NULL));
    EXPECT(SURTITLE_STRUCT_SIZE, surtitle_configuration_create(&settings, &made, &error));
    settings.size = sizeof settings - 1;
    EXPECT(SURTITLE_STRUCT_SIZE, surtitle_configuration_create(&settings, &made, NULL));
    settings.size = 0;
    EXPECT(SURTITLE_STRUCT_SIZE, surtitle_configuration_create(&settings, &made, NULL));
    settings.size = sizeof settings;
    settings.flags = 4;
    EXPECT(SURTITLE_INVALID_VALUE, surtitle_configuration_create(&settings, &made, NULL));
    settings.flags = 0;
    settings.reserved = 1;
    EXPECT(SURTITLE_INVALID_VALUE, surtitle_configuration_create(&settings, &made, NULL));
    settings.reserved = 0;
    settings.longest_line = TOO_LONG;
    EXPECT(SURTITLE_TOO_LONG, surtitle_configuration_create(&settings, &made, NULL));
    settings.longest_line = 0;
    settings.longest_group_id = PTRDIFF_MAX;
    EXPECT(SURTITLE_INVALID_VALUE, surtitle_configuration_create(&settings, &made, NULL));
    settings.longest_group_id = ((size_t)1 << 30) + 1;
    EXPECT(SURTITLE_INVALID_VALUE, surtitle_configuration_create(&settings, &made, NULL));
    settings.longest_group_id = 0;
    settings.track_count = TOO_LONG;
    EXPECT(SURTITLE_TOO_LONG, surtitle_configuration_create(&settings, &made, NULL));
    settings.track_count = 100000;
    tracks[0].size = sizeof tracks[0] - 1;
    EXPECT(SURTITLE_STRUCT_SIZE, surtitle_configuration_create(&settings, &made, NULL));
    tracks[0].size = TOO_LONG;
    EXPECT(SURTITLE_STRUCT_SIZE, surtitle_configuration_create(&settings, &made, NULL));
    tracks[0].size = sizeof tracks[0];
    tracks[1].size = sizeof tracks[0] + 8;
    settings.track_count = 2;
    EXPECT(SURTITLE_STRUCT_SIZE, surtitle_configuration_create(&settings, &made, NULL));
    // Neither are sizes at which the next struct would lie askew, or past the end of memory.
    static const size_t sizes[] = {sizeof tracks[0] + 4, sizeof tracks[0] + 1, (size_t)PTRDIFF_MAX - 7};
    for (size_t i = 0; i < sizeof sizes / sizeof *sizes; i++) {
        tracks[0].size = sizes[i];
        EXPECT(SURTITLE_STRUCT_SIZE, surtitle_configuration_create(&settings, &made, NULL));
    }
    tracks[0].size = sizeof tracks[0];
    tracks[1].size = sizeof tracks[0];
    tracks[1].keys = NULL;
    EXPECT(SURTITLE_NULL_ARGUMENT, surtitle_configuration_create(&settings, &made, NULL));
    tracks[1].keys = keys[1];
    tracks[1].key_count = TOO_LONG;
    EXPECT(SURTITLE_TOO_LONG, surtitle_configuration_create(&settings, &made, NULL));
    tracks[1].key_count = 2;
    keys[1][1].value = (surtitle_text){NULL, 3};
    EXPECT(SURTITLE_NULL_ARGUMENT, surtitle_configuration_create(&settings, &made, NULL));
    keys[1][1].value = (surtitle_text){"en", TOO_LONG};
    EXPECT(SURTITLE_TOO_LONG, surtitle_configuration_create(&settings, &made, NULL));
    keys[1][1].name = (surtitle_text){NULL, 0};
    EXPECT(SURTITLE_NULL_ARGUMENT, surtitle_configuration_create(&settings, &made, NULL));
    settings.tracks = NULL;
    EXPECT(SURTITLE_NULL_ARGUMENT, surtitle_configuration_create(&settings, &made, NULL));
    settings.track_count = 0;
    surtitle_edit edit = {sizeof edit, 99, 0, TEXT("a")};
    settings.edits = &edit;
    settings.edit_count = 1;
    EXPECT(SURTITLE_INVALID_VALUE, surtitle_configuration_create(&settings, &made, NULL));
    edit.verb = SURTITLE_KEEP_VARIANTS + 1;
    EXPECT(SURTITLE_INVALID_VALUE, surtitle_configuration_create(&settings, &made, NULL));
    edit.verb = -1;
    EXPECT(SURTITLE_INVALID_VALUE, surtitle_configuration_create(&settings, &made, NULL));
    edit.verb = SURTITLE_HOST;
    edit.role = 7;
    EXPECT(SURTITLE_INVALID_VALUE, surtitle_configuration_create(&settings, &made, NULL));
    edit.role = -1;
    EXPECT(SURTITLE_INVALID_VALUE, surtitle_configuration_create(&settings, &made, NULL));
    edit.role = 0;
    edit.text = (surtitle_text){NULL, 0};
    EXPECT(SURTITLE_NULL_ARGUMENT, surtitle_configuration_create(&settings, &made, NULL));
    CHECK(made == NULL);

    EXPECT(SURTITLE_NULL_ARGUMENT, surtitle_configuration_create_json(NULL, 1, &made, NULL));
    EXPECT(SURTITLE_NULL_ARGUMENT, surtitle_configuration_create_json(some, 1, NULL, NULL));
    EXPECT(SURTITLE_TOO_LONG, surtitle_configuration_create_json(some, TOO_LONG, &made, NULL));
    EXPECT(SURTITLE_STRUCT_SIZE, surtitle_configuration_create_json(some, COUNT, &made, &error));
    EXPECT(SURTITLE_JSON_REFUSED, surtitle_configuration_create_json(some, COUNT, &made, NULL));
    EXPECT(SURTITLE_JSON_REFUSED, surtitle_configuration_create_json(NULL, 0, &made, NULL));
    uint64_t number;
    EXPECT(SURTITLE_NULL_ARGUMENT, surtitle_configuration_fingerprint(NULL, &number));
    surtitle_configuration_destroy(NULL);
}

static void rewriters(void) {
    surtitle_configuration *configuration = two_tracks();
    EXPECT(SURTITLE_NULL_ARGUMENT, surtitle_configuration_fingerprint(configuration, NULL));
    surtitle_rewriter *rewriter;
    surtitle_rewriter_options options = {sizeof options - 1, 0, 0};
    EXPECT(SURTITLE_NULL_ARGUMENT, surtitle_rewriter_create(NULL, NULL, &rewriter));
    EXPECT(SURTITLE_NULL_ARGUMENT, surtitle_rewriter_create(configuration, NULL, NULL));
    EXPECT(SURTITLE_STRUCT_SIZE, surtitle_rewriter_create(configuration, &options, &rewriter));
    options.size = sizeof options;
    options.longest_piece = 63;
    EXPECT(SURTITLE_INVALID_VALUE, surtitle_rewriter_create(configuration, &options, &rewriter));
    options.longest_piece = TOO_LONG;
    EXPECT(SURTITLE_TOO_LONG, surtitle_rewriter_create(configuration, &options, &rewriter));
    CHECK(rewriter == NULL);
    // A struct of a later version is longer.
    struct {
        surtitle_rewriter_options known;
        uint64_t unknown;
    } later = {{sizeof later, SIZE_MAX, 64}, 1};
    EXPECT(SURTITLE_OK, surtitle_rewriter_create(configuration, &later.known, &rewriter));

    const surtitle_piece *pieces;
    uint8_t memory[256];
    size_t n;
    surtitle_report report = {.size = sizeof report - 1};
    EXPECT(SURTITLE_NULL_ARGUMENT, surtitle_rewriter_write(NULL, some, COUNT, &pieces, &n));
    EXPECT(SURTITLE_NULL_ARGUMENT, surtitle_rewriter_write(rewriter, NULL, COUNT, &pieces, &n));
    EXPECT(SURTITLE_NULL_ARGUMENT, surtitle_rewriter_write(rewriter, some, COUNT, NULL, &n));
    EXPECT(SURTITLE_NULL_ARGUMENT, surtitle_rewriter_write(rewriter, some, COUNT, &pieces, NULL));
    EXPECT(SURTITLE_TOO_LONG, surtitle_rewriter_write(rewriter, some, TOO_LONG, &pieces, &n));
    CHECK(pieces == NULL && n == 0);
    EXPECT(SURTITLE_NULL_ARGUMENT, surtitle_rewriter_finish(NULL, &pieces, &n));
    EXPECT(SURTITLE_NULL_ARGUMENT, surtitle_rewriter_finish(rewriter, NULL, &n));
    EXPECT(SURTITLE_NULL_ARGUMENT, surtitle_rewriter_abandon(NULL, &pieces, &n));
    EXPECT(SURTITLE_NULL_ARGUMENT, surtitle_rewriter_abandon(rewriter, &pieces, NULL));
    EXPECT(SURTITLE_NULL_ARGUMENT, surtitle_rewriter_write_to(NULL, some, COUNT, memory, sizeof memory, &n));
    EXPECT(SURTITLE_NULL_ARGUMENT, surtitle_rewriter_write_to(rewriter, NULL, COUNT, memory, sizeof memory, &n));
    EXPECT(SURTITLE_NULL_ARGUMENT, surtitle_rewriter_write_to(rewriter, some, COUNT, NULL, sizeof memory, &n));
    EXPECT(SURTITLE_NULL_ARGUMENT, surtitle_rewriter_write_to(rewriter, some, COUNT, memory, sizeof memory, NULL));
    EXPECT(SURTITLE_TOO_LONG, surtitle_rewriter_write_to(rewriter, some, COUNT, memory, TOO_LONG, &n));
    EXPECT(SURTITLE_NULL_ARGUMENT, surtitle_rewriter_finish_to(NULL, memory, sizeof memory, &n));
    EXPECT(SURTITLE_NULL_ARGUMENT, surtitle_rewriter_finish_to(rewriter, NULL, sizeof memory, &n));
    EXPECT(SURTITLE_NULL_ARGUMENT, surtitle_rewriter_abandon_to(NULL, memory, sizeof memory, &n));
    EXPECT(SURTITLE_TOO_LONG, surtitle_rewriter_abandon_to(rewriter, memory, TOO_LONG, &n));
    EXPECT(SURTITLE_NULL_ARGUMENT, surtitle_rewriter_take(NULL, memory, sizeof memory, &n));
    EXPECT(SURTITLE_NULL_ARGUMENT, surtitle_rewriter_take(rewriter, NULL, sizeof memory, &n));
    EXPECT(SURTITLE_NULL_ARGUMENT, surtitle_rewriter_whole(NULL, some, COUNT, memory, sizeof memory, &n));
    EXPECT(SURTITLE_NULL_ARGUMENT, surtitle_rewriter_whole(rewriter, NULL, COUNT, memory, sizeof memory, &n));
    EXPECT(SURTITLE_TOO_LONG, surtitle_rewriter_whole(rewriter, some, TOO_LONG, memory, sizeof memory, &n));
    EXPECT(SURTITLE_NULL_ARGUMENT, surtitle_rewriter_report(NULL, &report));
    EXPECT(SURTITLE_NULL_ARGUMENT, surtitle_rewriter_report(rewriter, NULL));
    EXPECT(SURTITLE_STRUCT_SIZE, surtitle_rewriter_report(rewriter, &report));
    EXPECT(SURTITLE_NULL_ARGUMENT, surtitle_rewriter_reset(NULL));

    // Nothing of all that has been done: the playlist comes out as if it were the first call.
    EXPECT(SURTITLE_OK, surtitle_rewriter_write_to(rewriter, some, COUNT, memory, sizeof memory, &n));
    EXPECT(SURTITLE_MORE_OUTPUT, surtitle_rewriter_finish_to(rewriter, memory, 1, &n));
    EXPECT(SURTITLE_OUTPUT_LEFT, surtitle_rewriter_finish_to(rewriter, memory, 1, &n));
    EXPECT(SURTITLE_OUTPUT_LEFT, surtitle_rewriter_write(rewriter, some, COUNT, &pieces, &n));
    EXPECT(SURTITLE_OUTPUT_LEFT, surtitle_rewriter_abandon(rewriter, &pieces, &n));
    EXPECT(SURTITLE_MORE_OUTPUT, surtitle_rewriter_take(rewriter, NULL, 0, &n));
    EXPECT(SURTITLE_OK, surtitle_rewriter_reset(rewriter));
    EXPECT(SURTITLE_OK, surtitle_rewriter_take(rewriter, memory, sizeof memory, &n));
    CHECK(n == 0);
    EXPECT(SURTITLE_OK, surtitle_rewriter_finish(rewriter, &pieces, &n));
    EXPECT(SURTITLE_ENDED, surtitle_rewriter_finish(rewriter, &pieces, &n));
    EXPECT(SURTITLE_ENDED, surtitle_rewriter_abandon(rewriter, &pieces, &n));
    EXPECT(SURTITLE_ENDED, surtitle_rewriter_write(rewriter, some, COUNT, &pieces, &n));
    EXPECT(SURTITLE_ENDED, surtitle_rewriter_write_to(rewriter, some, COUNT, memory, sizeof memory, &n));
    EXPECT(SURTITLE_ENDED, surtitle_rewriter_abandon_to(rewriter, memory, sizeof memory, &n));
    surtitle_rewriter_destroy(rewriter);
    surtitle_rewriter_destroy(NULL);
    surtitle_configuration_destroy(configuration);
}

// Memory of exactly as many bytes as the output has, and of one less; and what a whole playlist leaves behind.
static void whole(void) {
    surtitle_configuration *configuration = two_tracks();
    surtitle_rewriter *rewriter;
    EXPECT(SURTITLE_OK, surtitle_rewriter_create(configuration, NULL, &rewriter));
    uint8_t memory[1024], again[1024];
    size_t needed, n;
    EXPECT(SURTITLE_OK, surtitle_rewriter_whole(rewriter, some, COUNT, memory, sizeof memory, &needed));
    CHECK(needed > COUNT && needed < sizeof memory);
    const surtitle_piece *pieces;
    EXPECT(SURTITLE_ENDED, surtitle_rewriter_write(rewriter, some, COUNT, &pieces, &n));
    EXPECT(SURTITLE_ENDED, surtitle_rewriter_finish(rewriter, &pieces, &n));
    for (size_t capacity = 0; capacity <= needed + 1; capacity++) {
        memset(again, 0xA5, sizeof again);
        EXPECT(capacity < needed ? SURTITLE_TOO_SMALL : SURTITLE_OK, surtitle_rewriter_whole(rewriter, some, COUNT, again, capacity, &n));
        CHECK(n == needed && again[capacity] == 0xA5 && (capacity < needed || memcmp(again, memory, needed) == 0));
        surtitle_report report = {.size = sizeof report, .output_left = 9, .held_bytes = 9};
        EXPECT(SURTITLE_OK, surtitle_rewriter_report(rewriter, &report));
        CHECK(report.output_left == 0 && report.held_bytes == 0 && report.added_bytes > 0 && report.size == sizeof report);
        EXPECT(SURTITLE_OK, surtitle_rewriter_take(rewriter, again, 1, &n));
        CHECK(n == 0);
    }
    // The same in parts: what is written and what is left come to the whole, and each call says when all is taken.
    for (size_t capacity = 1; capacity <= needed; capacity++) {
        EXPECT(SURTITLE_OK, surtitle_rewriter_reset(rewriter));
        size_t total = 0;
        for (int end = 0; end < 2; end++) {
            surtitle_report report = {.size = sizeof report};
            int status = end ? surtitle_rewriter_finish_to(rewriter, again + total, capacity, &n)
                             : surtitle_rewriter_write_to(rewriter, some, COUNT, again + total, capacity, &n);
            for (total += n; status == SURTITLE_MORE_OUTPUT; total += n) {
                CHECK(n == capacity);
                EXPECT(SURTITLE_OK, surtitle_rewriter_report(rewriter, &report));
                uint64_t left = report.output_left;
                CHECK(left > 0 && report.is_settled == 0);
                status = surtitle_rewriter_take(rewriter, again + total, capacity, &n);
                CHECK(n == (left < capacity ? left : capacity) && (status == SURTITLE_OK) == (left <= capacity));
            }
            EXPECT(SURTITLE_OK, status);
            EXPECT(SURTITLE_OK, surtitle_rewriter_report(rewriter, &report));
            CHECK(report.output_left == 0 && report.held_bytes + total >= (end ? needed : COUNT));
        }
        CHECK(total == needed && memcmp(again, memory, needed) == 0);
    }
    // What is left is forgotten by a reset, and so is what had been taken of it.
    EXPECT(SURTITLE_OK, surtitle_rewriter_reset(rewriter));
    EXPECT(SURTITLE_OK, surtitle_rewriter_write_to(rewriter, some, COUNT, memory, sizeof memory, &n));
    EXPECT(SURTITLE_MORE_OUTPUT, surtitle_rewriter_finish_to(rewriter, memory, 1, &n));
    EXPECT(SURTITLE_MORE_OUTPUT, surtitle_rewriter_take(rewriter, memory, 1, &n));
    EXPECT(SURTITLE_OK, surtitle_rewriter_reset(rewriter));
    surtitle_report report = {.size = sizeof report};
    EXPECT(SURTITLE_OK, surtitle_rewriter_report(rewriter, &report));
    CHECK(report.output_left == 0);
    EXPECT(SURTITLE_OK, surtitle_rewriter_write_to(rewriter, some, COUNT, again, sizeof again, &n));
    surtitle_rewriter_destroy(rewriter);
    surtitle_configuration_destroy(configuration);
}

// Every field of a report is filled, whatever it held before.
static void reports(void) {
    surtitle_configuration *configuration = two_tracks();
    surtitle_rewriter *rewriter;
    EXPECT(SURTITLE_OK, surtitle_rewriter_create(configuration, NULL, &rewriter));
    surtitle_report report;
    memset(&report, 0x55, sizeof report);
    report.size = sizeof report;
    EXPECT(SURTITLE_OK, surtitle_rewriter_report(rewriter, &report));
    CHECK(report.verdict == SURTITLE_VERDICT_UNDECIDED && report.is_settled == 0 && report.verdict_position == -1 && report.held_bytes == 0);
    CHECK(report.output_left == 0 && report.added_bytes == 0 && report.uneditable_lines == 0 && report.first_uneditable_line == -1);
    CHECK(report.mapped_uris == 0 && report.dropped_variants == 0 && report.exceeded_limit == SURTITLE_LIMIT_NONE);
    CHECK(report.reserved == 0 && report.limit_position == -1);
    static const struct { const char *text; int verdict, is_settled; int64_t position; } rows[] = {
        {"#EXTM3U\n#EXT-X-STREAM-INF:BANDWIDTH=1\nv\n", SURTITLE_VERDICT_MULTIVARIANT, 0, 8},
        {"#EXTM3U\n#EXTINF:4,\na\n", SURTITLE_VERDICT_MEDIA, 1, 8},
        {"hello, this is no playlist\n", SURTITLE_VERDICT_NO_PLAYLIST, 1, 0},
    };
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        const surtitle_piece *pieces;
        size_t n;
        EXPECT(SURTITLE_OK, surtitle_rewriter_reset(rewriter));
        EXPECT(SURTITLE_OK, surtitle_rewriter_write(rewriter, rows[i].text, strlen(rows[i].text), &pieces, &n));
        EXPECT(SURTITLE_OK, surtitle_rewriter_report(rewriter, &report));
        CHECK(report.verdict == rows[i].verdict && report.is_settled == rows[i].is_settled && report.verdict_position == rows[i].position);
    }
    surtitle_rewriter_destroy(rewriter);
    surtitle_configuration_destroy(configuration);

    surtitle_edit edits[] = {
        {sizeof edits[0], SURTITLE_SET, 0, TEXT("EXT-X-MEDIA:NAME=\"a\"")}, {sizeof edits[0], SURTITLE_KEEP_VARIANTS, 0, TEXT("BANDWIDTH>1")},
        {sizeof edits[0], SURTITLE_HOST, 0, TEXT("b.example")}};
    surtitle_settings settings = {.size = sizeof settings, .edits = edits, .edit_count = 3};
    static const char text[] = "#EXTM3U\n#EXT-X-STREAM-INF:BANDWIDTH=2\nhttp://a.example/v\n#EXT-X-STREAM-INF:BANDWIDTH=1\nw\n#EXT-X-MEDIA:TYPE=\"2\n";
    uint8_t memory[512];
    size_t n;
    EXPECT(SURTITLE_OK, surtitle_configuration_create(&settings, &configuration, NULL));
    EXPECT(SURTITLE_OK, surtitle_rewriter_create(configuration, NULL, &rewriter));
    EXPECT(SURTITLE_OK, surtitle_rewriter_whole(rewriter, text, sizeof text - 1, memory, sizeof memory, &n));
    EXPECT(SURTITLE_OK, surtitle_rewriter_report(rewriter, &report));
    CHECK(report.mapped_uris == 1 && report.dropped_variants == 1 && report.uneditable_lines == 1);
    CHECK(report.first_uneditable_line == (int64_t)(strstr(text, "#EXT-X-MEDIA") - text));
    surtitle_rewriter_destroy(rewriter);
    surtitle_configuration_destroy(configuration);

    // A line that neither of two edits can read is one line.
    edits[0].text = (surtitle_text)TEXT("EXT-X-STREAM-INF:A=1");
    settings.edit_count = 2;
    static const char open[] = "#EXTM3U\n#EXT-X-STREAM-INF:BANDWIDTH=2,B=\"\nv\n#EXT-X-STREAM-INF\nw\n";
    EXPECT(SURTITLE_OK, surtitle_configuration_create(&settings, &configuration, NULL));
    EXPECT(SURTITLE_OK, surtitle_rewriter_create(configuration, NULL, &rewriter));
    EXPECT(SURTITLE_OK, surtitle_rewriter_whole(rewriter, open, sizeof open - 1, memory, sizeof memory, &n));
    EXPECT(SURTITLE_OK, surtitle_rewriter_report(rewriter, &report));
    CHECK(report.uneditable_lines == 2 && report.first_uneditable_line == 8);
    surtitle_rewriter_destroy(rewriter);
    surtitle_configuration_destroy(configuration);
}

// Parts of a chunk are copied if they have fewer bytes than the threshold, and pieces are no longer than they may be.
static void pieces(void) {
    surtitle_configuration *configuration = two_tracks();
    static uint8_t chunk[100000];
    memset(chunk, 'x', sizeof chunk);
    memcpy(chunk, "#EXTM3U\n", 8);
    static const struct { size_t threshold, longest, count; int is_copied; size_t first; } rows[] = {
        {0, 0, 1023, 1, 1023},           {0, 0, 1024, 0, 1024},          {1024, 0, 1023, 1, 1023}, {1, 0, 1, 0, 1}, {2, 0, 1, 1, 1}, {2, 0, 2, 0, 2},
        {SIZE_MAX, 0, 32768, 1, 32768},  {SIZE_MAX, 0, 32769, 1, 32768}, {PTRDIFF_MAX, 0, 100000, 1, 32768},
        {SIZE_MAX, 64, 65, 1, 64},       {SIZE_MAX, 100000, 100000, 1, 100000},
    };
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        surtitle_rewriter_options options = {sizeof options, rows[i].threshold, rows[i].longest};
        surtitle_rewriter *rewriter;
        EXPECT(SURTITLE_OK, surtitle_rewriter_create(configuration, &options, &rewriter));
        const surtitle_piece *made;
        size_t n, total = 0;
        // No playlist, so that all passes through at once.
        EXPECT(SURTITLE_OK, surtitle_rewriter_write(rewriter, "no playlist at all\n", 19, &made, &n));
        EXPECT(SURTITLE_OK, surtitle_rewriter_write(rewriter, chunk, rows[i].count, &made, &n));
        CHECK(n > 0 && made[0].count == rows[i].first && (made[0].chunk_offset == -1) == rows[i].is_copied);
        for (size_t p = 0; p < n; p++) {
            CHECK(memcmp(made[p].bytes, chunk + total, made[p].count) == 0);
            total += made[p].count;
        }
        CHECK(total == rows[i].count);
        surtitle_rewriter_destroy(rewriter);
    }
    surtitle_configuration_destroy(configuration);
}

// The largest limits that there may be.
static void large_limits(void) {
    surtitle_track_key keys[] = {KEY("uri", "a.m3u8"), KEY("name", "A")};
    surtitle_track track = {sizeof track, keys, 2};
    size_t most = (size_t)1 << 30;
    surtitle_settings settings = {
        .size = sizeof settings, .tracks = &track, .track_count = 1, .longest_line = most, .held_renditions = most,
        .longest_group_id = most, .appended_tags = most, .held_variables = most, .longest_uri = most};
    surtitle_configuration *configuration;
    surtitle_rewriter *rewriter;
    EXPECT(SURTITLE_OK, surtitle_configuration_create(&settings, &configuration, NULL));
    EXPECT(SURTITLE_OK, surtitle_rewriter_create(configuration, NULL, &rewriter));
    uint8_t memory[4096];
    size_t n;
    EXPECT(SURTITLE_OK, surtitle_rewriter_whole(rewriter, some, COUNT, memory, sizeof memory, &n));
    surtitle_rewriter_destroy(rewriter);
    surtitle_configuration_destroy(configuration);
}

static void limits(void) {
    surtitle_track_key keys[] = {KEY("uri", "a.m3u8"), KEY("name", "A")};
    surtitle_track track = {sizeof track, keys, 2};
    surtitle_settings settings;
    memset(&settings, 0, sizeof settings);
    settings.size = sizeof settings;
    settings.tracks = &track;
    settings.track_count = 1;
    settings.longest_line = 10;
    settings.flags = SURTITLE_FAILS_PAST_LIMIT;
    surtitle_configuration *configuration;
    surtitle_rewriter *rewriter;
    EXPECT(SURTITLE_OK, surtitle_configuration_create(&settings, &configuration, NULL));
    EXPECT(SURTITLE_OK, surtitle_rewriter_create(configuration, NULL, &rewriter));
    for (int form = 0; form < 3; form++) {
        uint8_t memory[4096];
        size_t n, count = 0;
        EXPECT(SURTITLE_OK, surtitle_rewriter_reset(rewriter));
        if (form == 0) {
            const surtitle_piece *pieces;
            EXPECT(SURTITLE_LIMIT_EXCEEDED, surtitle_rewriter_write(rewriter, some, COUNT, &pieces, &n));
            for (size_t i = 0; i < n; i++) {
                memcpy(memory + count, pieces[i].bytes, pieces[i].count);
                count += pieces[i].count;
            }
        } else if (form == 1) {
            EXPECT(SURTITLE_LIMIT_EXCEEDED, surtitle_rewriter_write_to(rewriter, some, COUNT, memory, sizeof memory, &count));
        } else {
            EXPECT(SURTITLE_LIMIT_EXCEEDED, surtitle_rewriter_whole(rewriter, some, COUNT, memory, sizeof memory, &count));
        }
        CHECK(count == COUNT && memcmp(memory, some, count) == 0);
        surtitle_report report = {.size = sizeof report};
        EXPECT(SURTITLE_OK, surtitle_rewriter_report(rewriter, &report));
        CHECK(report.exceeded_limit == SURTITLE_LIMIT_LONGEST_LINE && report.limit_position == 8);
    }
    // The limit goes before the memory that is full.
    uint8_t little[1];
    size_t n;
    surtitle_report report = {.size = sizeof report};
    EXPECT(SURTITLE_OK, surtitle_rewriter_reset(rewriter));
    EXPECT(SURTITLE_LIMIT_EXCEEDED, surtitle_rewriter_write_to(rewriter, some, COUNT, little, 1, &n));
    EXPECT(SURTITLE_OK, surtitle_rewriter_report(rewriter, &report));
    CHECK(n == 1 && report.output_left == COUNT - 1);
    surtitle_rewriter_destroy(rewriter);
    surtitle_configuration_destroy(configuration);

    // A last line that exceeds one is told by the report alone.
    static const char line[] = "#EXTM3U\n#EXT-X-MEDIA:TYPE=SUBTITLES,GROUP-ID=\"a\",NAME=\"x\",URI=\"x\"";
    const surtitle_piece *pieces;
    settings.longest_line = 0;
    settings.held_renditions = 10;
    EXPECT(SURTITLE_OK, surtitle_configuration_create(&settings, &configuration, NULL));
    EXPECT(SURTITLE_OK, surtitle_rewriter_create(configuration, NULL, &rewriter));
    EXPECT(SURTITLE_OK, surtitle_rewriter_write(rewriter, line, sizeof line - 1, &pieces, &n));
    EXPECT(SURTITLE_OK, surtitle_rewriter_finish(rewriter, &pieces, &n));
    EXPECT(SURTITLE_OK, surtitle_rewriter_report(rewriter, &report));
    CHECK(report.exceeded_limit == SURTITLE_LIMIT_HELD_RENDITIONS && report.limit_position == 8);
    surtitle_rewriter_destroy(rewriter);
    surtitle_configuration_destroy(configuration);
}

static void subtitles(void) {
    int64_t time;
    size_t n;
    EXPECT(SURTITLE_NULL_ARGUMENT, surtitle_final_cue_end(NULL, 1, &time));
    EXPECT(SURTITLE_NULL_ARGUMENT, surtitle_final_cue_end(some, COUNT, NULL));
    EXPECT(SURTITLE_TOO_LONG, surtitle_final_cue_end(some, TOO_LONG, &time));
    EXPECT(SURTITLE_NOT_FOUND, surtitle_final_cue_end(NULL, 0, &time));
    EXPECT(SURTITLE_NULL_ARGUMENT, surtitle_latest_cue_end(NULL, 1, &time));
    EXPECT(SURTITLE_NULL_ARGUMENT, surtitle_latest_cue_end(some, COUNT, NULL));

    surtitle_final_cue_search *search;
    EXPECT(SURTITLE_NULL_ARGUMENT, surtitle_final_cue_search_create(0, NULL));
    EXPECT(SURTITLE_OK, surtitle_final_cue_search_create(100, &search));
    EXPECT(SURTITLE_NULL_ARGUMENT, surtitle_final_cue_search_prepend(NULL, some, COUNT, 0, &time));
    EXPECT(SURTITLE_NULL_ARGUMENT, surtitle_final_cue_search_prepend(search, NULL, COUNT, 0, &time));
    EXPECT(SURTITLE_NULL_ARGUMENT, surtitle_final_cue_search_prepend(search, some, COUNT, 0, NULL));
    EXPECT(SURTITLE_INVALID_VALUE, surtitle_final_cue_search_prepend(search, some, COUNT, 2, &time));
    EXPECT(SURTITLE_NULL_ARGUMENT, surtitle_final_cue_search_reset(NULL));
    surtitle_final_cue_search_destroy(search);
    surtitle_final_cue_search_destroy(NULL);

    surtitle_cue_scanner *scanner;
    const surtitle_cue *cues;
    uint64_t skipped;
    EXPECT(SURTITLE_NULL_ARGUMENT, surtitle_cue_scanner_create(0, NULL));
    EXPECT(SURTITLE_INVALID_VALUE, surtitle_cue_scanner_create(((size_t)1 << 30) + 1, &scanner));
    EXPECT(SURTITLE_TOO_LONG, surtitle_cue_scanner_create(TOO_LONG, &scanner));
    EXPECT(SURTITLE_OK, surtitle_cue_scanner_create(0, &scanner));
    EXPECT(SURTITLE_NULL_ARGUMENT, surtitle_cue_scanner_write(NULL, some, COUNT, &cues, &n));
    EXPECT(SURTITLE_NULL_ARGUMENT, surtitle_cue_scanner_write(scanner, NULL, COUNT, &cues, &n));
    EXPECT(SURTITLE_NULL_ARGUMENT, surtitle_cue_scanner_write(scanner, some, COUNT, NULL, &n));
    EXPECT(SURTITLE_NULL_ARGUMENT, surtitle_cue_scanner_write(scanner, some, COUNT, &cues, NULL));
    EXPECT(SURTITLE_TOO_LONG, surtitle_cue_scanner_write(scanner, some, TOO_LONG, &cues, &n));
    EXPECT(SURTITLE_NULL_ARGUMENT, surtitle_cue_scanner_finish(scanner, NULL, &n));
    EXPECT(SURTITLE_NULL_ARGUMENT, surtitle_cue_scanner_finish(NULL, &cues, &n));
    EXPECT(SURTITLE_NULL_ARGUMENT, surtitle_cue_scanner_skipped(NULL, &skipped));
    EXPECT(SURTITLE_NULL_ARGUMENT, surtitle_cue_scanner_skipped(scanner, NULL));
    EXPECT(SURTITLE_NULL_ARGUMENT, surtitle_cue_scanner_reset(NULL));
    surtitle_cue_scanner_destroy(scanner);
    surtitle_cue_scanner_destroy(NULL);

    uint8_t memory[512];
    surtitle_error error = small_error();
    EXPECT(SURTITLE_NULL_ARGUMENT, surtitle_to_webvtt(SURTITLE_FORMAT_SUBRIP, NULL, 1, memory, sizeof memory, &n, NULL));
    EXPECT(SURTITLE_NULL_ARGUMENT, surtitle_to_webvtt(SURTITLE_FORMAT_SUBRIP, some, COUNT, NULL, 1, &n, NULL));
    EXPECT(SURTITLE_NULL_ARGUMENT, surtitle_to_webvtt(SURTITLE_FORMAT_SUBRIP, some, COUNT, memory, sizeof memory, NULL, NULL));
    EXPECT(SURTITLE_TOO_LONG, surtitle_to_webvtt(SURTITLE_FORMAT_SUBRIP, some, TOO_LONG, memory, sizeof memory, &n, NULL));
    EXPECT(SURTITLE_TOO_LONG, surtitle_to_webvtt(SURTITLE_FORMAT_SUBRIP, some, COUNT, memory, TOO_LONG, &n, NULL));
    EXPECT(SURTITLE_STRUCT_SIZE, surtitle_to_webvtt(SURTITLE_FORMAT_SUBRIP, some, COUNT, memory, sizeof memory, &n, &error));
    EXPECT(SURTITLE_INVALID_VALUE, surtitle_to_webvtt(SURTITLE_FORMAT_PLAYLIST, some, COUNT, memory, sizeof memory, &n, NULL));
    EXPECT(SURTITLE_INVALID_VALUE, surtitle_to_webvtt(-2, some, COUNT, memory, sizeof memory, &n, NULL));
    EXPECT(SURTITLE_INVALID_VALUE, surtitle_to_webvtt(3, some, COUNT, memory, sizeof memory, &n, NULL));
    int32_t format = 9;
    EXPECT(SURTITLE_NULL_ARGUMENT, surtitle_format_of(NULL, 1, &format));
    EXPECT(SURTITLE_NULL_ARGUMENT, surtitle_format_of(some, COUNT, NULL));
    EXPECT(SURTITLE_TOO_LONG, surtitle_format_of(some, TOO_LONG, &format));
    CHECK(format == 9);
    surtitle_playlist_entry entry = {sizeof entry, TEXT("a.vtt"), 1, 0, 0};
    EXPECT(SURTITLE_NULL_ARGUMENT, surtitle_subtitle_playlist(NULL, 1, 0, memory, sizeof memory, &n, NULL));
    EXPECT(SURTITLE_NULL_ARGUMENT, surtitle_subtitle_playlist(&entry, 1, 0, NULL, 1, &n, NULL));
    EXPECT(SURTITLE_NULL_ARGUMENT, surtitle_subtitle_playlist(&entry, 1, 0, memory, sizeof memory, NULL, NULL));
    EXPECT(SURTITLE_STRUCT_SIZE, surtitle_subtitle_playlist(&entry, 1, 0, memory, sizeof memory, &n, &error));
    EXPECT(SURTITLE_INVALID_VALUE, surtitle_subtitle_playlist(&entry, 1, 8, memory, sizeof memory, &n, NULL));
    EXPECT(SURTITLE_INVALID_VALUE, surtitle_subtitle_playlist(&entry, 1, 6, memory, sizeof memory, &n, NULL));
    EXPECT(SURTITLE_TOO_LONG, surtitle_subtitle_playlist(&entry, TOO_LONG, 0, memory, sizeof memory, &n, NULL));
    EXPECT(SURTITLE_SEGMENT_REFUSED, surtitle_subtitle_playlist(NULL, 0, 0, memory, sizeof memory, &n, NULL));
    entry.reserved = 1;
    EXPECT(SURTITLE_INVALID_VALUE, surtitle_subtitle_playlist(&entry, 1, 0, memory, sizeof memory, &n, NULL));
    entry.reserved = 0;
    surtitle_error told = {.size = sizeof told};
    entry.uri = (surtitle_text)TEXT("a\xff");
    EXPECT(SURTITLE_INVALID_UTF8, surtitle_subtitle_playlist(&entry, 1, 0, memory, sizeof memory, &n, &told));
    CHECK(strcmp(told.field, "entries[0].uri") == 0 && told.index == 0 && told.position == 1);
    entry.uri = (surtitle_text)TEXT("a.vtt");
    // An answer is no failure, and fills no error.
    surtitle_error untouched = {.size = sizeof untouched};
    EXPECT(SURTITLE_TOO_SMALL, surtitle_subtitle_playlist(&entry, 1, 0, NULL, 0, &n, &untouched));
    CHECK(n > 0 && untouched.status == 0 && untouched.message[0] == 0);
    entry.is_discontinuous = 2;
    EXPECT(SURTITLE_INVALID_VALUE, surtitle_subtitle_playlist(&entry, 1, 0, memory, sizeof memory, &n, NULL));
    entry.size = 8;
    EXPECT(SURTITLE_STRUCT_SIZE, surtitle_subtitle_playlist(&entry, 1, 0, memory, sizeof memory, &n, NULL));

    surtitle_timestamp_mapper *mapper;
    const surtitle_piece *pieces;
    EXPECT(SURTITLE_NULL_ARGUMENT, surtitle_timestamp_mapper_create(0, 0, NULL));
    EXPECT(SURTITLE_OK, surtitle_timestamp_mapper_create(0, 0, &mapper));
    EXPECT(SURTITLE_NULL_ARGUMENT, surtitle_timestamp_mapper_write(NULL, some, COUNT, &pieces, &n));
    EXPECT(SURTITLE_NULL_ARGUMENT, surtitle_timestamp_mapper_write(mapper, NULL, COUNT, &pieces, &n));
    EXPECT(SURTITLE_TOO_LONG, surtitle_timestamp_mapper_write(mapper, some, TOO_LONG, &pieces, &n));
    EXPECT(SURTITLE_NULL_ARGUMENT, surtitle_timestamp_mapper_finish(mapper, &pieces, NULL));
    EXPECT(SURTITLE_NULL_ARGUMENT, surtitle_timestamp_mapper_finish(NULL, &pieces, &n));
    EXPECT(SURTITLE_NULL_ARGUMENT, surtitle_timestamp_mapper_reset(NULL));
    surtitle_timestamp_mapper_destroy(mapper);
    surtitle_timestamp_mapper_destroy(NULL);

    surtitle_segmenter *segmenter;
    const surtitle_segment *segments;
    surtitle_segment_settings cut;
    memset(&cut, 0, sizeof cut);
    cut.size = sizeof cut - 1;
    EXPECT(SURTITLE_STRUCT_SIZE, surtitle_segmenter_create(&cut, &segmenter));
    cut.size = sizeof cut;
    EXPECT(SURTITLE_NULL_ARGUMENT, surtitle_segmenter_create(NULL, &segmenter));
    EXPECT(SURTITLE_NULL_ARGUMENT, surtitle_segmenter_create(&cut, NULL));
    EXPECT(SURTITLE_INVALID_VALUE, surtitle_segmenter_create(&cut, &segmenter));
    cut.duration_count = 1;
    EXPECT(SURTITLE_NULL_ARGUMENT, surtitle_segmenter_create(&cut, &segmenter));
    cut.duration_count = TOO_LONG;
    EXPECT(SURTITLE_TOO_LONG, surtitle_segmenter_create(&cut, &segmenter));
    cut.duration_count = 0;
    cut.step = 1;
    cut.has_map = 2;
    EXPECT(SURTITLE_INVALID_VALUE, surtitle_segmenter_create(&cut, &segmenter));
    cut.has_map = 0;
    EXPECT(SURTITLE_OK, surtitle_segmenter_create(&cut, &segmenter));
    EXPECT(SURTITLE_NULL_ARGUMENT, surtitle_segmenter_cut(NULL, some, COUNT, &segments, &n, NULL));
    EXPECT(SURTITLE_NULL_ARGUMENT, surtitle_segmenter_cut(segmenter, NULL, COUNT, &segments, &n, NULL));
    EXPECT(SURTITLE_NULL_ARGUMENT, surtitle_segmenter_cut(segmenter, some, COUNT, NULL, &n, NULL));
    EXPECT(SURTITLE_NULL_ARGUMENT, surtitle_segmenter_cut(segmenter, some, COUNT, &segments, NULL, NULL));
    EXPECT(SURTITLE_STRUCT_SIZE, surtitle_segmenter_cut(segmenter, some, COUNT, &segments, &n, &error));
    EXPECT(SURTITLE_TOO_LONG, surtitle_segmenter_cut(segmenter, some, TOO_LONG, &segments, &n, NULL));
    // A segment every nanosecond is too many.
    static const uint8_t hour[] = "WEBVTT\n\n00:00.000 --> 59:59.999\na\n";
    EXPECT(SURTITLE_LIMIT_EXCEEDED, surtitle_segmenter_cut(segmenter, hour, sizeof hour - 1, &segments, &n, NULL));
    const surtitle_segment_event *events;
    uint64_t held;
    EXPECT(SURTITLE_NULL_ARGUMENT, surtitle_segmenter_write(NULL, some, COUNT, &events, &n, NULL));
    EXPECT(SURTITLE_NULL_ARGUMENT, surtitle_segmenter_write(segmenter, NULL, COUNT, &events, &n, NULL));
    EXPECT(SURTITLE_NULL_ARGUMENT, surtitle_segmenter_write(segmenter, some, COUNT, NULL, &n, NULL));
    EXPECT(SURTITLE_NULL_ARGUMENT, surtitle_segmenter_write(segmenter, some, COUNT, &events, NULL, NULL));
    EXPECT(SURTITLE_STRUCT_SIZE, surtitle_segmenter_write(segmenter, some, COUNT, &events, &n, &error));
    EXPECT(SURTITLE_TOO_LONG, surtitle_segmenter_write(segmenter, some, TOO_LONG, &events, &n, NULL));
    CHECK(events == NULL && n == 0);
    EXPECT(SURTITLE_NULL_ARGUMENT, surtitle_segmenter_finish(NULL, &events, &n, NULL));
    EXPECT(SURTITLE_NULL_ARGUMENT, surtitle_segmenter_finish(segmenter, NULL, &n, NULL));
    EXPECT(SURTITLE_NULL_ARGUMENT, surtitle_segmenter_finish(segmenter, &events, NULL, NULL));
    EXPECT(SURTITLE_STRUCT_SIZE, surtitle_segmenter_finish(segmenter, &events, &n, &error));
    EXPECT(SURTITLE_NULL_ARGUMENT, surtitle_segmenter_abandon(NULL));
    EXPECT(SURTITLE_NULL_ARGUMENT, surtitle_segmenter_held_bytes(NULL, &held));
    EXPECT(SURTITLE_NULL_ARGUMENT, surtitle_segmenter_held_bytes(segmenter, NULL));
    EXPECT(SURTITLE_NULL_ARGUMENT, surtitle_segmenter_reset(NULL));
    // Nothing of all that has been done, so the file begins here. No bytes are a chunk like others.
    EXPECT(SURTITLE_OK, surtitle_segmenter_write(segmenter, NULL, 0, &events, &n, NULL));
    EXPECT(SURTITLE_OK, surtitle_segmenter_write(segmenter, hour, sizeof hour - 1, &events, &n, NULL));
    EXPECT(SURTITLE_LIMIT_EXCEEDED, surtitle_segmenter_finish(segmenter, &events, &n, NULL));
    EXPECT(SURTITLE_ENDED, surtitle_segmenter_write(segmenter, some, COUNT, &events, &n, NULL));
    EXPECT(SURTITLE_ENDED, surtitle_segmenter_abandon(segmenter));
    surtitle_segmenter_destroy(segmenter);
    surtitle_segmenter_destroy(NULL);
    // Durations that no 64 bits can add up.
    uint64_t durations[] = {UINT64_MAX, UINT64_MAX, 0};
    cut.step = 0;
    cut.durations = durations;
    cut.duration_count = 3;
    EXPECT(SURTITLE_OK, surtitle_segmenter_create(&cut, &segmenter));
    EXPECT(SURTITLE_OK, surtitle_segmenter_cut(segmenter, hour, sizeof hour - 1, &segments, &n, NULL));
    EXPECT(SURTITLE_OK, surtitle_segmenter_write(segmenter, hour, sizeof hour - 1, &events, &n, NULL));
    EXPECT(SURTITLE_OK, surtitle_segmenter_finish(segmenter, &events, &n, NULL));
    surtitle_segmenter_destroy(segmenter);
}

static void media(void) {
    surtitle_media_scanner *scanner;
    uint64_t ticks;
    EXPECT(SURTITLE_NULL_ARGUMENT, surtitle_media_scanner_create(NULL));
    EXPECT(SURTITLE_OK, surtitle_media_scanner_create(&scanner));
    EXPECT(SURTITLE_NULL_ARGUMENT, surtitle_media_scanner_write(NULL, some, COUNT, &ticks));
    EXPECT(SURTITLE_NULL_ARGUMENT, surtitle_media_scanner_write(scanner, NULL, COUNT, &ticks));
    EXPECT(SURTITLE_NULL_ARGUMENT, surtitle_media_scanner_write(scanner, some, COUNT, NULL));
    EXPECT(SURTITLE_TOO_LONG, surtitle_media_scanner_write(scanner, some, TOO_LONG, &ticks));
    EXPECT(SURTITLE_NULL_ARGUMENT, surtitle_media_scanner_finish(NULL, &ticks));
    EXPECT(SURTITLE_NULL_ARGUMENT, surtitle_media_scanner_finish(scanner, NULL));
    EXPECT(SURTITLE_NULL_ARGUMENT, surtitle_media_scanner_reset(NULL));
    surtitle_media_scanner_destroy(scanner);
    surtitle_media_scanner_destroy(NULL);
}

static void http(void) {
    surtitle_http_rules *rules;
    surtitle_exchange *exchange;
    surtitle_decision decision = {.size = sizeof decision};
    surtitle_http_settings settings = {sizeof settings, NULL, 1, SIZE_MAX, 0, 0};
    surtitle_text get = TEXT("GET"), path = TEXT("/a.m3u8"), broken = {NULL, 1};
    surtitle_field field = {NULL, 1, "a", 1};
    int content;
    size_t n;
    const surtitle_field *edits;
    EXPECT(SURTITLE_NULL_ARGUMENT, surtitle_http_rules_create(NULL, NULL, NULL));
    EXPECT(SURTITLE_NULL_ARGUMENT, surtitle_http_rules_create(&settings, &rules, NULL));
    settings.pattern_count = 0;
    settings.longest_held = TOO_LONG;
    EXPECT(SURTITLE_TOO_LONG, surtitle_http_rules_create(&settings, &rules, NULL));
    settings.longest_held = SIZE_MAX;
    settings.ignores_no_transform = 2;
    EXPECT(SURTITLE_INVALID_VALUE, surtitle_http_rules_create(&settings, &rules, NULL));
    settings.ignores_no_transform = 1;
    settings.reserved = 1;
    EXPECT(SURTITLE_INVALID_VALUE, surtitle_http_rules_create(&settings, &rules, NULL));
    settings.reserved = 0;
    settings.size = 8;
    EXPECT(SURTITLE_STRUCT_SIZE, surtitle_http_rules_create(&settings, &rules, NULL));
    settings.size = sizeof settings;
    EXPECT(SURTITLE_OK, surtitle_http_rules_create(&settings, &rules, NULL));
    EXPECT(SURTITLE_NULL_ARGUMENT, surtitle_exchange_create(NULL, &exchange));
    EXPECT(SURTITLE_NULL_ARGUMENT, surtitle_exchange_create(rules, NULL));
    EXPECT(SURTITLE_OK, surtitle_exchange_create(rules, &exchange));
    EXPECT(SURTITLE_NULL_ARGUMENT, surtitle_exchange_request(NULL, 1, -1, get, path, NULL, 0, &decision));
    EXPECT(SURTITLE_NULL_ARGUMENT, surtitle_exchange_request(exchange, 1, -1, broken, path, NULL, 0, &decision));
    EXPECT(SURTITLE_NULL_ARGUMENT, surtitle_exchange_request(exchange, 1, -1, get, broken, NULL, 0, &decision));
    EXPECT(SURTITLE_NULL_ARGUMENT, surtitle_exchange_request(exchange, 1, -1, get, path, NULL, 1, &decision));
    EXPECT(SURTITLE_NULL_ARGUMENT, surtitle_exchange_request(exchange, 1, -1, get, path, &field, 1, &decision));
    EXPECT(SURTITLE_NULL_ARGUMENT, surtitle_exchange_request(exchange, 1, -1, get, path, NULL, 0, NULL));
    EXPECT(SURTITLE_TOO_LONG, surtitle_exchange_request(exchange, 1, -1, get, path, &field, TOO_LONG, &decision));
    EXPECT(SURTITLE_INVALID_VALUE, surtitle_exchange_request(exchange, 1, -2, get, path, NULL, 0, &decision));
    EXPECT(SURTITLE_INVALID_VALUE, surtitle_exchange_request(exchange, 1, INT64_MAX, get, path, NULL, 0, &decision));
    decision.size = 8;
    EXPECT(SURTITLE_STRUCT_SIZE, surtitle_exchange_request(exchange, 1, -1, get, path, NULL, 0, &decision));
    EXPECT(SURTITLE_STRUCT_SIZE, surtitle_exchange_request_again(exchange, NULL, 0, &decision));
    EXPECT(SURTITLE_STRUCT_SIZE, surtitle_exchange_response(exchange, 200, 0, NULL, 0, &decision));
    decision.size = sizeof decision;
    EXPECT(SURTITLE_OK, surtitle_exchange_request(exchange, 1, -1, get, path, NULL, 0, &decision));
    EXPECT(SURTITLE_NULL_ARGUMENT, surtitle_exchange_request_again(NULL, NULL, 0, &decision));
    EXPECT(SURTITLE_NULL_ARGUMENT, surtitle_exchange_response(NULL, 200, 0, NULL, 0, &decision));
    EXPECT(SURTITLE_INVALID_VALUE, surtitle_exchange_response(exchange, 200, 3, NULL, 0, &decision));
    EXPECT(SURTITLE_INVALID_VALUE, surtitle_exchange_response(exchange, 200, -1, NULL, 0, &decision));
    EXPECT(SURTITLE_OK, surtitle_exchange_response(exchange, -200, 0, NULL, 0, &decision));
    EXPECT(SURTITLE_NULL_ARGUMENT, surtitle_exchange_set_length(NULL, 1, &edits, &n));
    EXPECT(SURTITLE_NULL_ARGUMENT, surtitle_exchange_set_length(exchange, 1, NULL, &n));
    EXPECT(SURTITLE_TOO_LONG, surtitle_exchange_set_length(exchange, UINT64_MAX, &edits, &n));
    EXPECT(SURTITLE_NULL_ARGUMENT, surtitle_http_content(NULL, 1, 0, &content));
    EXPECT(SURTITLE_NULL_ARGUMENT, surtitle_http_content(some, COUNT, 0, NULL));
    EXPECT(SURTITLE_INVALID_VALUE, surtitle_http_content(some, COUNT, 2, &content));
    surtitle_exchange_destroy(exchange);
    surtitle_exchange_destroy(NULL);
    surtitle_http_rules_destroy(rules);
    surtitle_http_rules_destroy(NULL);
}

static void texts(void) {
    CHECK(surtitle_version() == SURTITLE_VERSION_NUMBER);
    char version[32];
    snprintf(version, sizeof version, "%d.%d.%d", SURTITLE_VERSION_MAJOR, SURTITLE_VERSION_MINOR, SURTITLE_VERSION_PATCH);
    CHECK(strcmp(surtitle_version_text(), version) == 0);
    CHECK(strcmp(surtitle_status_text(SURTITLE_OK), "success") == 0);
    const char *unknown = surtitle_status_text(-1);
    CHECK(strcmp(unknown, "unknown status") == 0);
    CHECK(strcmp(surtitle_status_text(INT32_MIN), unknown) == 0 && strcmp(surtitle_status_text(INT32_MAX), unknown) == 0);
    static const int statuses[] = {0, 1, 2, 3, 4, 5, 6, 16, 17, 18, 19, 20, 21, 22, 23, 24, 32, 33, 34, 35, 36, 37, 38, 39, 40,
        48, 49, 50, 51, 52, 53, 54, 64, 65, 66, 67, 68, 69, 70, 71};
    for (size_t i = 0; i < sizeof statuses / sizeof statuses[0]; i++) {
        CHECK(strcmp(surtitle_status_text(statuses[i]), unknown) != 0);
        for (size_t j = 0; j < i; j++) CHECK(strcmp(surtitle_status_text(statuses[i]), surtitle_status_text(statuses[j])) != 0);
    }
}

static void *take_memory(size_t alignment, size_t size, void *context) {
    (void)alignment, (void)size, (void)context;
    return NULL;
}

static void give_memory(void *memory, void *context) { (void)memory, (void)context; }

int main(void) {
    texts();
    configurations();
    rewriters();
    whole();
    reports();
    pieces();
    limits();
    large_limits();
    subtitles();
    media();
    http();
    EXPECT(SURTITLE_NULL_ARGUMENT, surtitle_set_allocator(NULL, NULL, NULL));
    // Memory has been had from the C library already.
    EXPECT(SURTITLE_TOO_LATE, surtitle_set_allocator(take_memory, give_memory, NULL));
    return 0;
}
