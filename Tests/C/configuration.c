// configuration KIND FILE: what configurations are refused for, and then the playlist as a configuration of that kind rewrites it: `edits`,
// `json`, or `both`. Eight threads and a forked process share the configuration; all must come to the same.
#define _POSIX_C_SOURCE 200809L
#include "check.h"
#include <pthread.h>
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

int main(int count, char **arguments) {
    CHECK(count == 3);
    check_refusals();
    check_fingerprints();
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
