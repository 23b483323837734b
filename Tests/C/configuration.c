// configuration KIND FILE: what configurations are refused for, and then the playlist as a configuration of that kind rewrites it: `edits`,
// `json`, or `both`. Eight threads and a forked process share the configuration; all must come to the same.
#define _POSIX_C_SOURCE 200809L
#include "check.h"
#include <pthread.h>
#ifdef __GLIBC__
#include <malloc.h>
#if __GLIBC_PREREQ(2, 33)
#define COUNTS_MEMORY
#endif
#endif
#include <sys/wait.h>
#include <unistd.h>

static bytes file;
static surtitle_configuration *configuration;
static uint8_t *expected;
static size_t expected_count;

static const surtitle_edit edits[] = {
    {sizeof(surtitle_edit), SURTITLE_SET, 0, TEXT("EXT-X-STREAM-INF:NAME=\"hd\"")},
    {sizeof(surtitle_edit), SURTITLE_DROP, 0, TEXT("EXT-X-SESSION-DATA")},
    {sizeof(surtitle_edit), SURTITLE_MAP_URI, 0, TEXT("https://example.com/video/")},
    {sizeof(surtitle_edit), SURTITLE_APPEND_QUERY, SURTITLE_ROLE_VARIANT, TEXT("token=1")},
    {sizeof(surtitle_edit), SURTITLE_KEEP_VARIANTS, 0, TEXT("BANDWIDTH>=1")},
};
static const surtitle_track_key keys[] = {
    KEY("uri", "subs/en.m3u8"), KEY("name", "English"), KEY("language", "en"), {TEXT("default"), {NULL, 0}}};
static const surtitle_track track = {sizeof(surtitle_track), keys, 4};
static const char json[] =
    "{\"edits\": [{\"set\": \"EXT-X-STREAM-INF:NAME=\\\"hd\\\"\"}, {\"drop\": \"EXT-X-SESSION-DATA\"}],\n"
    " \"map-uri\": \"https://example.com/video/\", \"append-query\": {\"variant\": \"token=1\"}, \"keep-variants\": \"BANDWIDTH>=1\"}";

static surtitle_settings empty_settings(void) {
    surtitle_settings settings;
    memset(&settings, 0, sizeof settings);
    settings.size = sizeof settings;
    return settings;
}

static void *rewrite(void *unused) {
    (void)unused;
    for (int round = 0; round < 20; round++) {
        surtitle_rewriter *rewriter;
        EXPECT(SURTITLE_OK, surtitle_rewriter_create(configuration, NULL, &rewriter));
        uint8_t *memory = malloc(expected_count + 1);
        size_t written;
        CHECK(memory != NULL);
        EXPECT(SURTITLE_OK, surtitle_rewriter_whole(rewriter, file.start, file.count, memory, expected_count, &written));
        CHECK(written == expected_count && memcmp(memory, expected, written) == 0);
        free(memory);
        surtitle_rewriter_destroy(rewriter);
    }
    return NULL;
}

// An error must name its place.
static void refuses(surtitle_settings settings, int status, int64_t index, const char *field, const char *message) {
    surtitle_error error = {.size = sizeof error};
    surtitle_configuration *none = (surtitle_configuration *)1;
    EXPECT(status, surtitle_configuration_create(&settings, &none, &error));
    CHECK(none == NULL && error.status == status && error.index == index && error.message_count == (int32_t)strlen(error.message));
    if (strcmp(error.field, field) != 0 || strcmp(error.message, message) != 0) fprintf(stderr, "%s: %s\n", error.field, error.message);
    CHECK(strcmp(error.field, field) == 0 && strcmp(error.message, message) == 0);
    EXPECT(status, surtitle_configuration_create(&settings, &none, NULL));
}

static void refuses_json(const char *text, int status, int64_t position, const char *field) {
    surtitle_error error = {.size = sizeof error};
    surtitle_configuration *none = (surtitle_configuration *)1;
    EXPECT(status, surtitle_configuration_create_json((const uint8_t *)text, strlen(text), &none, &error));
    if (error.position != position || strcmp(error.field, field) != 0) {
        fprintf(stderr, "%s: %lld %s %s\n", text, (long long)error.position, error.field, error.message);
    }
    CHECK(none == NULL && error.status == status && error.position == position && strcmp(error.field, field) == 0);
}

// Of many tracks in JSON too an error names the one that is wrong.
static void check_index(void) {
    char text[2000] = "{\"tracks\": [";
    for (int i = 0; i < 20; i++) {
        char one[80];
        snprintf(one, sizeof one, "{\"uri\": \"%d.m3u8\", \"name\": \"%d\"%s}%s", i, i, i == 19 ? ", \"sdh\": 1" : "", i == 19 ? "]}" : ", ");
        strcat(text, one);
    }
    surtitle_error error = {.size = sizeof error};
    surtitle_configuration *none;
    CHECK(surtitle_configuration_create_json((const uint8_t *)text, strlen(text), &none, &error) != SURTITLE_OK);
    CHECK(error.index == 19 && strcmp(error.field, "tracks[19].sdh") == 0);
}

static void check_refusals(void) {
    check_index();
    refuses(empty_settings(), SURTITLE_CONFIGURATION_REFUSED, -1, "", "there is nothing to do; give a track or an edit");
    enum { URI, NAME, LANGUAGE, DEFAULT };
    surtitle_track_key own[4];
    memcpy(own, keys, sizeof own);
    surtitle_track tracks[2] = {track, {sizeof track, own, 4}};
    surtitle_settings settings = empty_settings();
    settings.tracks = tracks;
    settings.track_count = 2;
    refuses(settings, SURTITLE_TRACK_REFUSED, 1, "tracks[1]", "an earlier track has the same URI");
    own[URI].value = (surtitle_text)TEXT("subs/\"sv.m3u8");
    refuses(settings, SURTITLE_TRACK_REFUSED, 1, "tracks[1].uri",
        "the URI holds a quote or a line break, which no attribute value may; remove it");
    own[URI].value = (surtitle_text)TEXT("subs/sv.m3u8");
    own[DEFAULT].value = (surtitle_text)TEXT("no");
    own[LANGUAGE].value = (surtitle_text)TEXT("not a language");
    refuses(settings, SURTITLE_TRACK_REFUSED, 1, "tracks[1].language", "the language is not a language tag; use one like en, sv or pt-BR");
    own[LANGUAGE].value = (surtitle_text)TEXT("s\xffv");
    refuses(settings, SURTITLE_INVALID_UTF8, 1, "tracks[1].language", "a text is not UTF-8");
    // A character that is cut off is no UTF-8 either.
    own[LANGUAGE].value = (surtitle_text)TEXT("sv\xc3");
    refuses(settings, SURTITLE_INVALID_UTF8, 1, "tracks[1].language", "a text is not UTF-8");
    own[LANGUAGE].value = (surtitle_text)TEXT("sv");
    own[NAME].value = (surtitle_text)TEXT("");
    refuses(settings, SURTITLE_TRACK_REFUSED, 1, "tracks[1].name", "name needs a value: name=TEXT");
    own[NAME].value = (surtitle_text)TEXT("Sven\nska");
    refuses(settings, SURTITLE_TRACK_REFUSED, 1, "tracks[1].name",
        "the name holds a quote or a line break, which no attribute value may; remove it");
    own[NAME] = (surtitle_track_key)KEY("languag", "sv");
    refuses(settings, SURTITLE_TRACK_REFUSED, 1, "tracks[1].languag", "unknown key \"languag\"; did you mean language?");
    own[NAME].name = (surtitle_text)TEXT("colour");
    refuses(settings, SURTITLE_TRACK_REFUSED, 1, "tracks[1].colour", "unknown key \"colour\"; remove it");
    own[NAME] = (surtitle_track_key)KEY("language", "da");
    refuses(settings, SURTITLE_TRACK_REFUSED, 1, "tracks[1].language", "language is there twice; leave one of the two out");
    own[NAME] = (surtitle_track_key)KEY("kind", "signs");
    refuses(settings, SURTITLE_TRACK_REFUSED, 1, "tracks[1].kind", "kind is signs; use subtitles or captions");
    own[NAME] = (surtitle_track_key)KEY("sdh", "1");
    refuses(settings, SURTITLE_TRACK_REFUSED, 1, "tracks[1].sdh", "sdh is 1; use yes or no");
    own[NAME] = (surtitle_track_key)KEY("duration", "x");
    refuses(settings, SURTITLE_TRACK_REFUSED, 1, "tracks[1].duration",
        "duration is x, which is no number of seconds above 0, like 634.567, and no time, like 10:34.567 or 1:02:03.5");
    own[NAME] = (surtitle_track_key)KEY("type", "vtt");
    refuses(settings, SURTITLE_TRACK_REFUSED, 1, "tracks[1].uri",
        "the URI is that of a subtitle file; give the URI of a media playlist that lists the file");
    tracks[1].keys = own + 1;
    tracks[1].key_count = 1;
    own[NAME] = (surtitle_track_key)KEY("name", "Svenska");
    refuses(settings, SURTITLE_TRACK_REFUSED, 1, "tracks[1].uri", "uri is missing");
    tracks[1].keys = own;
    tracks[1].key_count = 4;
    settings.fallback_group = (surtitle_text)TEXT("a\"b");
    refuses(settings, SURTITLE_TRACK_REFUSED, -1, "fallback_group",
        "the group holds a quote or a line break, which no attribute value may; remove it");

    settings = empty_settings();
    surtitle_edit edit = {sizeof edit, SURTITLE_SET, 0, TEXT("EXT-X-MEDIA")};
    settings.edits = &edit;
    settings.edit_count = 1;
    refuses(settings, SURTITLE_EDIT_REFUSED, 0, "edits[0]", "expected TAG:NAME=VALUE, as in EXT-X-MEDIA:LANGUAGE=\"en\"");
    edit.text = (surtitle_text)TEXT("X:A=1");
    refuses(settings, SURTITLE_EDIT_REFUSED, 0, "edits[0]",
        "a tag name begins with EXT, is not EXTM3U, and holds no colon, white space or line break");
    edit = (surtitle_edit){sizeof edit, SURTITLE_SCHEME, 0, TEXT("1x")};
    refuses(settings, SURTITLE_URI_REFUSED, 0, "edits[0]", "the scheme: expected a letter, then letters, digits, + - or .");
    edit = (surtitle_edit){sizeof edit, SURTITLE_MAP_URI, 0, TEXT("video/")};
    refuses(settings, SURTITLE_URI_REFUSED, 0, "edits[0]", "the base has no scheme; give a whole URI such as https://example.com/video/");
    edit = (surtitle_edit){sizeof edit, SURTITLE_KEEP_VARIANTS, 0, TEXT("BANDWIDTH=")};
    refuses(settings, SURTITLE_CONDITION_REFUSED, 0, "edits[0]", "expected one of < <= > >= == !=");
    edit = (surtitle_edit){sizeof edit, SURTITLE_DROP, SURTITLE_ROLE_KEY, TEXT("EXT-X-KEY")};
    refuses(settings, SURTITLE_INVALID_VALUE, 0, "edits[0]", "a number is not among those that it may be");

    refuses_json("{\"tracks\": [}", SURTITLE_JSON_REFUSED, 12, "tracks[0]");
    refuses_json("{\"track\": []}", SURTITLE_CONFIGURATION_REFUSED, 1, "");
    refuses_json("{\"tracks\": [{\"uri\": \"a.m3u8\", \"name\": \"A\", \"language\": \"not one\"}]}", SURTITLE_TRACK_REFUSED, 55,
        "tracks[0].language");
    refuses_json("{\"tracks\": [{\"uri\": \"a.vtt\", \"name\": \"A\"}]}", SURTITLE_TRACK_REFUSED, -1, "tracks[0].uri");
    refuses_json("{}", SURTITLE_CONFIGURATION_REFUSED, -1, "");
}

// How many tracks and edits there may be, which flags and roles, and one condition.
static void check_bounds(void) {
    static surtitle_edit many[10001];
    for (size_t i = 0; i < 10001; i++) many[i] = (surtitle_edit){sizeof many[0], SURTITLE_DROP, 0, TEXT("EXT-X-SESSION-DATA")};
    static surtitle_track tracks[1001];
    static surtitle_track_key names[1001][2];
    static char uris[1001][16];
    for (size_t i = 0; i < 1001; i++) {
        int length = snprintf(uris[i], sizeof uris[i], "%zu.m3u8", i);
        names[i][0] = (surtitle_track_key){TEXT("uri"), {uris[i], (size_t)length}};
        names[i][1] = (surtitle_track_key){TEXT("name"), {uris[i], (size_t)length}};
        tracks[i] = (surtitle_track){sizeof tracks[0], names[i], 2};
    }
    surtitle_settings settings = empty_settings();
    surtitle_configuration *made;
    settings.edits = many;
    settings.edit_count = 10000;
    EXPECT(SURTITLE_OK, surtitle_configuration_create(&settings, &made, NULL));
    surtitle_configuration_destroy(made);
    settings.edit_count = 10001;
    refuses(settings, SURTITLE_EDIT_REFUSED, -1, "", "there are too many edits");
    settings = empty_settings();
    settings.tracks = tracks;
    settings.track_count = 1000;
    EXPECT(SURTITLE_OK, surtitle_configuration_create(&settings, &made, NULL));
    surtitle_configuration_destroy(made);
    settings.track_count = 1001;
    refuses(settings, SURTITLE_TRACK_REFUSED, -1, "", "there are too many tracks");

    // Each verb by itself is something to do, and these may have these roles.
    static const struct { const char *text; int most_role; } verbs[] = {
        {"EXT-X-MEDIA:A=1", 0}, {"EXT-X-MEDIA:A=1", 0}, {"EXT-X-MEDIA:A", 0}, {"EXT-X-MEDIA", 0}, {"#EXT-X-A", 0},
        {"https://example.com/", 0}, {"https", 6}, {"a.example", 6}, {"a=b", 6}, {"BANDWIDTH>1", 0},
    };
    for (int32_t verb = 0; verb < 10; verb++) {
        for (int32_t role = -1; role < 8; role++) {
            surtitle_edit edit = {sizeof edit, verb, role, {verbs[verb].text, strlen(verbs[verb].text)}};
            settings = empty_settings();
            settings.edits = &edit;
            settings.edit_count = 1;
            settings.flags = SURTITLE_REPLACES_DEFAULT | SURTITLE_FAILS_PAST_LIMIT;
            settings.fallback_group = (surtitle_text)TEXT("of nothing");
            EXPECT(role >= 0 && role <= verbs[verb].most_role ? SURTITLE_OK : SURTITLE_INVALID_VALUE,
                surtitle_configuration_create(&settings, &made, NULL));
            surtitle_configuration_destroy(made);
        }
    }
    settings = empty_settings();
    surtitle_edit two[] = {
        {sizeof two[0], SURTITLE_KEEP_VARIANTS, 0, TEXT("BANDWIDTH>1")}, {sizeof two[0], SURTITLE_KEEP_VARIANTS, 0, TEXT("BANDWIDTH<9")}};
    settings.edits = two;
    settings.edit_count = 2;
    refuses(settings, SURTITLE_CONDITION_REFUSED, 1, "edits[1]", "there is a condition already; join them by &&");
    // Where in its text an edit is wrong.
    surtitle_error error = {.size = sizeof error};
    two[1] = (surtitle_edit){sizeof two[0], SURTITLE_HOST, 0, TEXT("a b")};
    EXPECT(SURTITLE_URI_REFUSED, surtitle_configuration_create(&settings, &made, &error));
    CHECK(error.index == 1 && error.position == 1);
    two[0].text = (surtitle_text)TEXT("BANDWIDTH>1 &&& X");
    EXPECT(SURTITLE_CONDITION_REFUSED, surtitle_configuration_create(&settings, &made, &error));
    CHECK(error.index == 0 && error.position == 14);
}

// An error is filled from end to end, and what is too long is cut between characters.
static void check_errors(void) {
    surtitle_error error;
    surtitle_configuration *none;
    surtitle_settings settings = empty_settings();
    memset(&error, 'x', sizeof error);
    error.size = sizeof error;
    settings.reserved = 1;
    EXPECT(SURTITLE_INVALID_VALUE, surtitle_configuration_create(&settings, &none, &error));
    CHECK(error.status == SURTITLE_INVALID_VALUE && error.index == -1 && error.position == -1);
    CHECK(error.message_count == (int32_t)strlen(surtitle_status_text(SURTITLE_INVALID_VALUE)));
    CHECK(strcmp(error.message, surtitle_status_text(SURTITLE_INVALID_VALUE)) == 0);
    for (size_t i = 0; i < sizeof error.field; i++) CHECK(error.field[i] == 0);
    for (size_t i = (size_t)error.message_count; i < sizeof error.message; i++) CHECK(error.message[i] == 0);

    // "tracks[0]." has 10 bytes, and 95 go into a field before its NUL.
    static const struct { const char *letter; int count; size_t shown; } rows[] = {
        {"", 0, 9}, {"a", 1, 11}, {"a", 85, 95}, {"a", 86, 95}, {"a", 300, 95}, {"\xC3\xA9", 42, 94}, {"\xC3\xA9", 43, 94}, {"\xE5\xAD\x97", 29, 94},
    };
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        char name[1000] = "";
        for (int j = 0; j < rows[i].count; j++) strcat(name, rows[i].letter);
        surtitle_track_key key = {{name, strlen(name)}, TEXT("a")};
        surtitle_track one = {sizeof one, &key, 1};
        settings = empty_settings();
        settings.tracks = &one;
        settings.track_count = 1;
        memset(&error, 'x', sizeof error);
        error.size = sizeof error;
        EXPECT(SURTITLE_TRACK_REFUSED, surtitle_configuration_create(&settings, &none, &error));
        CHECK(error.index == 0 && error.position == -1 && strlen(error.field) == rows[i].shown);
        CHECK(memcmp(error.field, "tracks[0]", 9) == 0 && memcmp(error.field + 10, name, rows[i].shown < 10 ? 0 : rows[i].shown - 10) == 0);
    }
    // A text that is not UTF-8 is so from here on.
    settings = empty_settings();
    settings.fallback_group = (surtitle_text)TEXT("sub\xFFs");
    EXPECT(SURTITLE_INVALID_UTF8, surtitle_configuration_create(&settings, &none, &error));
    CHECK(error.index == -1 && error.position == 3 && strcmp(error.field, "fallback_group") == 0);
    // No call that goes well touches one.
    surtitle_error untouched;
    memset(&untouched, 'x', sizeof untouched);
    untouched.size = sizeof untouched;
    error = untouched;
    settings = empty_settings();
    settings.tracks = &track;
    settings.track_count = 1;
    settings.fallback_group = (surtitle_text)TEXT("");
    EXPECT(SURTITLE_TRACK_REFUSED, surtitle_configuration_create(&settings, &none, NULL));
    settings.fallback_group = (surtitle_text)TEXT("cc");
    EXPECT(SURTITLE_OK, surtitle_configuration_create(&settings, &none, &untouched));
    CHECK(memcmp(&untouched, &error, sizeof error) == 0);
    // The group is the one that was given.
    static const char text[] = "#EXTM3U\n#EXT-X-STREAM-INF:BANDWIDTH=1\nv\n";
    char output[512];
    size_t written;
    surtitle_rewriter *rewriter;
    EXPECT(SURTITLE_OK, surtitle_rewriter_create(none, NULL, &rewriter));
    EXPECT(SURTITLE_OK, surtitle_rewriter_whole(rewriter, text, sizeof text - 1, output, sizeof output - 1, &written));
    output[written] = 0;
    CHECK(strstr(output, "GROUP-ID=\"cc\"") != NULL && strstr(output, "SUBTITLES=\"cc\"") != NULL);
    surtitle_rewriter_destroy(rewriter);
    surtitle_configuration_destroy(none);
}

// The track that was the default is so no longer if it is to be replaced.
static void check_replaced_default(void) {
    static const char text[] =
        "#EXTM3U\n#EXT-X-MEDIA:TYPE=SUBTITLES,GROUP-ID=\"s\",NAME=\"F\",LANGUAGE=\"fr\",DEFAULT=YES,AUTOSELECT=YES,URI=\"fr\"\n"
        "#EXT-X-STREAM-INF:BANDWIDTH=1,SUBTITLES=\"s\"\nv\n";
    for (uint32_t flags = 0; flags < 4; flags++) {
        surtitle_settings settings = empty_settings();
        settings.tracks = &track;
        settings.track_count = 1;
        settings.flags = flags;
        surtitle_configuration *made;
        surtitle_rewriter *rewriter;
        char output[1024];
        size_t written;
        EXPECT(SURTITLE_OK, surtitle_configuration_create(&settings, &made, NULL));
        EXPECT(SURTITLE_OK, surtitle_rewriter_create(made, NULL, &rewriter));
        EXPECT(SURTITLE_OK, surtitle_rewriter_whole(rewriter, text, sizeof text - 1, output, sizeof output - 1, &written));
        output[written] = 0;
        CHECK((strstr(output, "LANGUAGE=\"fr\",DEFAULT=YES") == NULL) == ((flags & SURTITLE_REPLACES_DEFAULT) != 0));
        surtitle_rewriter_destroy(rewriter);
        surtitle_configuration_destroy(made);
    }
}

// Each limit at what a playlist needs, and at one less: then the report names it.
static void check_limits(void) {
    static const char text[] =
        "#EXTM3U\n#EXT-X-DEFINE:NAME=\"a\",VALUE=\"bc\"\n#EXT-X-MEDIA:TYPE=SUBTITLES,GROUP-ID=\"subs\",NAME=\"F\",URI=\"fr\"\n"
        "#EXT-X-STREAM-INF:BANDWIDTH=1\nhttps://example.com/{$a}\n";
    static const int limits[] = {SURTITLE_LIMIT_LONGEST_LINE, SURTITLE_LIMIT_HELD_RENDITIONS, SURTITLE_LIMIT_LONGEST_GROUP_ID,
        SURTITLE_LIMIT_APPENDED_TAGS, SURTITLE_LIMIT_HELD_VARIABLES, SURTITLE_LIMIT_LONGEST_URI};
    const surtitle_edit map = {sizeof map, SURTITLE_APPEND_QUERY, 0, TEXT("t=1")};
    for (int i = 0; i < 6; i++) {
        int last = -1, changes = 0;
        for (size_t limit = 1; limit < 2000; limit++) {
            surtitle_settings settings = empty_settings();
            settings.tracks = &track;
            settings.track_count = 1;
            settings.edits = &map;
            settings.edit_count = 1;
            size_t *places[] = {&settings.longest_line, &settings.held_renditions, &settings.longest_group_id, &settings.appended_tags,
                &settings.held_variables, &settings.longest_uri};
            *places[i] = limit;
            surtitle_configuration *made;
            surtitle_rewriter *rewriter;
            uint8_t output[1024];
            size_t written = 0, more = 0;
            int status = surtitle_configuration_create(&settings, &made, NULL);
            // A group's name of our own may be too long for the limit.
            if (status != SURTITLE_OK) continue;
            EXPECT(SURTITLE_OK, surtitle_rewriter_create(made, NULL, &rewriter));
            EXPECT(SURTITLE_OK, surtitle_rewriter_write_to(rewriter, text, sizeof text - 1, output, sizeof output, &written));
            EXPECT(SURTITLE_OK, surtitle_rewriter_finish_to(rewriter, output, sizeof output, &more));
            surtitle_report report = {.size = sizeof report};
            EXPECT(SURTITLE_OK, surtitle_rewriter_report(rewriter, &report));
            CHECK(report.exceeded_limit == SURTITLE_LIMIT_NONE || report.exceeded_limit == limits[i]);
            CHECK((report.limit_position == -1) == (report.exceeded_limit == SURTITLE_LIMIT_NONE));
            if (report.exceeded_limit != last) changes++;
            last = report.exceeded_limit;
            surtitle_rewriter_destroy(rewriter);
            surtitle_configuration_destroy(made);
        }
        CHECK(changes == 2 && last == SURTITLE_LIMIT_NONE);
    }
}

// What changes the fingerprint of edits, and what does not.
static void check_fingerprints_of_edits(void) {
    static const struct { surtitle_edit edit; size_t variables, uri; int other_track; } rows[] = {
        {{sizeof(surtitle_edit), SURTITLE_DROP, 0, TEXT("EXT-X-A")}, 0, 0, 0},
        {{sizeof(surtitle_edit), SURTITLE_DROP, 0, TEXT("EXT-X-B")}, 0, 0, 0},
        {{sizeof(surtitle_edit), SURTITLE_DROP, 0, TEXT("EXT-X-A")}, 1000, 0, 0},
        {{sizeof(surtitle_edit), SURTITLE_DROP, 0, TEXT("EXT-X-A")}, 0, 1000, 0},
        {{sizeof(surtitle_edit), SURTITLE_DROP, 0, TEXT("EXT-X-A")}, 0, 0, 1},
        {{sizeof(surtitle_edit), SURTITLE_HOST, 0, TEXT("a.example")}, 0, 0, 0},
        {{sizeof(surtitle_edit), SURTITLE_HOST, 1, TEXT("a.example")}, 0, 0, 0},
        {{sizeof(surtitle_edit), SURTITLE_HOST, 0, TEXT("b.example")}, 0, 0, 0},
        {{sizeof(surtitle_edit), SURTITLE_SCHEME, 0, TEXT("https")}, 0, 0, 0},
        {{sizeof(surtitle_edit), SURTITLE_SCHEME, 1, TEXT("https")}, 0, 0, 0},
        {{sizeof(surtitle_edit), SURTITLE_KEEP_VARIANTS, 0, TEXT("BANDWIDTH>1")}, 0, 0, 0},
        {{sizeof(surtitle_edit), SURTITLE_KEEP_VARIANTS, 0, TEXT("BANDWIDTH>2")}, 0, 0, 0},
    };
    enum { COUNT = sizeof rows / sizeof *rows };
    uint64_t numbers[COUNT];
    for (int round = 0; round < 2; round++) {
        for (size_t i = 0; i < COUNT; i++) {
            surtitle_settings settings = empty_settings();
            settings.edits = &rows[i].edit;
            settings.edit_count = 1;
            settings.held_variables = rows[i].variables;
            settings.longest_uri = rows[i].uri;
            settings.tracks = &track;
            settings.track_count = (size_t)rows[i].other_track;
            surtitle_configuration *made;
            uint64_t number;
            EXPECT(SURTITLE_OK, surtitle_configuration_create(&settings, &made, NULL));
            EXPECT(SURTITLE_OK, surtitle_configuration_fingerprint(made, &number));
            surtitle_configuration_destroy(made);
            if (round == 1) CHECK(numbers[i] == number);
            numbers[i] = number;
            for (size_t j = 0; j < i; j++) CHECK(numbers[j] != number);
        }
    }
    // In JSON the text counts where URIs are mapped or variants kept, and not where nothing but lines is edited.
    static const struct { const char *one, *other; int same; } texts[] = {
        {"{\"edits\": [{\"drop\": \"EXT-X-A\"}]}", " {\"edits\": [{\"drop\": \"EXT-X-A\"}]}", 1},
        {"{\"map-uri\": \"https://a.example/\"}", "{\"map-uri\": \"https://b.example/\"}", 0},
        {"{\"map-uri\": \"https://a.example/\"}", " {\"map-uri\": \"https://a.example/\"}", 0},
        {"{\"keep-variants\": \"BANDWIDTH>1\"}", "{\"keep-variants\": \"BANDWIDTH>2\"}", 0},
        {"{\"keep-variants\": \"BANDWIDTH>1\"}", " {\"keep-variants\": \"BANDWIDTH>1\"}", 0},
    };
    for (size_t i = 0; i < sizeof texts / sizeof *texts; i++) {
        uint64_t number[2];
        for (int other = 0; other < 2; other++) {
            const char *text = other ? texts[i].other : texts[i].one;
            surtitle_configuration *made;
            EXPECT(SURTITLE_OK, surtitle_configuration_create_json(text, strlen(text), &made, NULL));
            EXPECT(SURTITLE_OK, surtitle_configuration_fingerprint(made, &number[other]));
            surtitle_configuration_destroy(made);
        }
        CHECK((number[0] == number[1]) == texts[i].same);
    }
}

static void check_fingerprints(void) {
    surtitle_track_key own[4];
    memcpy(own, keys, sizeof own);
    surtitle_track other = {sizeof other, own, 4};
    surtitle_settings settings = empty_settings();
    settings.tracks = &other;
    settings.track_count = 1;
    uint64_t numbers[4];
    for (int i = 0; i < 4; i++) {
        if (i == 2) own[1].value = (surtitle_text)TEXT("English 2");
        if (i == 3) settings.longest_line = 1000;
        surtitle_configuration *made;
        EXPECT(SURTITLE_OK, surtitle_configuration_create(&settings, &made, NULL));
        EXPECT(SURTITLE_OK, surtitle_configuration_fingerprint(made, &numbers[i]));
        surtitle_configuration_destroy(made);
    }
    CHECK(numbers[0] == numbers[1] && numbers[1] != numbers[2] && numbers[2] != numbers[3]);

    // The same tracks are the same, however they were said; another edit is not.
    static const char *jsons[] = {
        "{\"tracks\": [{\"uri\": \"subs/en.m3u8\", \"language\": \"en\", \"name\": \"English\"}]}",
        "{\"tracks\": [{\"name\": \"English\", \"uri\": \"subs/en.m3u8\", \"autoselect\": true, \"language\": \"en\"}], \"limits\": {}}",
        "{\"tracks\": [{\"uri\": \"subs/en.m3u8\", \"language\": \"en\", \"name\": \"English\"}], \"edits\": [{\"drop\": \"EXT-X-VERSION\"}]}",
    };
    surtitle_track_key told[] = {
        {TEXT("uri"), TEXT("subs/en.m3u8")}, {TEXT("language"), TEXT("en")}, {TEXT("name"), TEXT("English")}};
    other = (surtitle_track){sizeof other, told, 3};
    settings = empty_settings();
    settings.tracks = &other;
    settings.track_count = 1;
    for (int i = 0; i < 4; i++) {
        surtitle_configuration *made;
        if (i == 0) {
            EXPECT(SURTITLE_OK, surtitle_configuration_create(&settings, &made, NULL));
        } else {
            EXPECT(SURTITLE_OK, surtitle_configuration_create_json((const uint8_t *)jsons[i - 1], strlen(jsons[i - 1]), &made, NULL));
        }
        EXPECT(SURTITLE_OK, surtitle_configuration_fingerprint(made, &numbers[i]));
        surtitle_configuration_destroy(made);
    }
    CHECK(numbers[0] == numbers[1] && numbers[1] == numbers[2] && numbers[2] != numbers[3]);
}

// What a handle has taken of the C library it gives back, where nobody has set an allocator.
static void check_release(void) {
#ifdef COUNTS_MEMORY
    surtitle_configuration_destroy(two_tracks());
    size_t before = mallinfo2().uordblks;
    for (int round = 0; round < 100; round++) surtitle_configuration_destroy(two_tracks());
    CHECK(mallinfo2().uordblks <= before + 4096);
#endif
}

int main(int count, char **arguments) {
    CHECK(count == 3);
    check_release();
    check_refusals();
    check_bounds();
    check_errors();
    check_replaced_default();
    check_limits();
    check_fingerprints();
    check_fingerprints_of_edits();
    file = read_file(arguments[2]);
    surtitle_error error = {.size = sizeof error};
    if (strcmp(arguments[1], "json") == 0) {
        EXPECT(SURTITLE_OK,
            surtitle_configuration_create_json((const uint8_t *)json, sizeof json - 1, &configuration, &error));
    } else {
        surtitle_settings settings = empty_settings();
        settings.edits = edits;
        settings.edit_count = sizeof edits / sizeof edits[0];
        settings.tracks = &track;
        settings.track_count = strcmp(arguments[1], "both") == 0;
        EXPECT(SURTITLE_OK, surtitle_configuration_create(&settings, &configuration, &error));
    }
    surtitle_rewriter *rewriter;
    EXPECT(SURTITLE_OK, surtitle_rewriter_create(configuration, NULL, &rewriter));
    EXPECT(SURTITLE_TOO_SMALL, surtitle_rewriter_whole(rewriter, file.start, file.count, NULL, 0, &expected_count));
    expected = malloc(expected_count);
    CHECK(expected != NULL);
    size_t written = 0;
    EXPECT(SURTITLE_OK, surtitle_rewriter_whole(rewriter, file.start, file.count, expected, expected_count, &written));
    CHECK(written == expected_count);
    surtitle_report report = {.size = sizeof report};
    EXPECT(SURTITLE_OK, surtitle_rewriter_report(rewriter, &report));
    CHECK(report.mapped_uris > 0 && report.dropped_variants == 0);

    // The same in pieces of one byte each.
    EXPECT(SURTITLE_OK, surtitle_rewriter_reset(rewriter));
    size_t compared = 0;
    for (size_t i = 0; i <= file.count; i++) {
        const surtitle_piece *pieces;
        size_t piece_count;
        EXPECT(SURTITLE_OK, i < file.count ? surtitle_rewriter_write(rewriter, file.start + i, 1, &pieces, &piece_count)
                                           : surtitle_rewriter_finish(rewriter, &pieces, &piece_count));
        for (size_t p = 0; p < piece_count; p++) {
            CHECK(compared + pieces[p].count <= expected_count);
            CHECK(memcmp(expected + compared, pieces[p].bytes, pieces[p].count) == 0);
            compared += pieces[p].count;
        }
    }
    CHECK(compared == expected_count);

    pid_t child = fork();
    CHECK(child >= 0);
    if (child == 0) {
        rewrite(NULL);
        _exit(0);
    }
    pthread_t threads[8];
    for (int i = 0; i < 8; i++) CHECK(pthread_create(&threads[i], NULL, rewrite, NULL) == 0);
    for (int i = 0; i < 8; i++) CHECK(pthread_join(threads[i], NULL) == 0);
    int status;
    CHECK(waitpid(child, &status, 0) == child && WIFEXITED(status) && WEXITSTATUS(status) == 0);
    CHECK(fwrite(expected, 1, expected_count, stdout) == expected_count);

    surtitle_rewriter_destroy(rewriter);
    surtitle_configuration_destroy(configuration);
    free(expected);
    free(file.start);
    return 0;
}
