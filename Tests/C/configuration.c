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
static const surtitle_track track = {
    sizeof(surtitle_track), SURTITLE_TRACK_DEFAULT, 0, TEXT("subs/en.m3u8"), TEXT("English"), TEXT("en"), {0}, {0}, {0}};
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
static void refuses(surtitle_settings settings, int status, int64_t index, const char *field) {
    surtitle_error error = {.size = sizeof error};
    surtitle_configuration *none = (surtitle_configuration *)1;
    EXPECT(status, surtitle_configuration_create(&settings, &none, &error));
    CHECK(none == NULL && error.status == status && error.index == index && error.message[0] != '\0');
    if (strcmp(error.field, field) != 0) fprintf(stderr, "field: %s\n", error.field);
    CHECK(strcmp(error.field, field) == 0);
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

static void check_refusals(void) {
    refuses(empty_settings(), SURTITLE_CONFIGURATION_REFUSED, -1, "");
    surtitle_track tracks[2] = {track, track};
    surtitle_settings settings = empty_settings();
    settings.tracks = tracks;
    settings.track_count = 2;
    refuses(settings, SURTITLE_TRACK_REFUSED, 1, "tracks[1]");
    tracks[1].uri = (surtitle_text)TEXT("subs/\"sv.m3u8");
    refuses(settings, SURTITLE_TRACK_REFUSED, 1, "tracks[1].uri");
    tracks[1].uri = (surtitle_text)TEXT("subs/sv.m3u8");
    tracks[1].flags = 0;
    tracks[1].language = (surtitle_text)TEXT("not a language");
    refuses(settings, SURTITLE_TRACK_REFUSED, 1, "tracks[1].language");
    tracks[1].language = (surtitle_text)TEXT("s\xffv");
    refuses(settings, SURTITLE_INVALID_UTF8, 1, "tracks[1].language");
    // A character that is cut off is no UTF-8 either.
    tracks[1].language = (surtitle_text)TEXT("sv\xc3");
    refuses(settings, SURTITLE_INVALID_UTF8, 1, "tracks[1].language");
    tracks[1].language = (surtitle_text)TEXT("sv");
    tracks[1].name = (surtitle_text){NULL, 0};
    refuses(settings, SURTITLE_TRACK_REFUSED, 1, "tracks[1].name");
    tracks[1].name = (surtitle_text)TEXT("");
    refuses(settings, SURTITLE_TRACK_REFUSED, 1, "tracks[1].name");
    tracks[1].name = (surtitle_text)TEXT("Svenska");
    settings.fallback_group = (surtitle_text)TEXT("a\"b");
    refuses(settings, SURTITLE_TRACK_REFUSED, -1, "fallback_group");

    settings = empty_settings();
    surtitle_edit edit = {sizeof edit, SURTITLE_SET, 0, TEXT("EXT-X-MEDIA")};
    settings.edits = &edit;
    settings.edit_count = 1;
    refuses(settings, SURTITLE_EDIT_REFUSED, 0, "edits[0]");
    edit.text = (surtitle_text)TEXT("X:A=1");
    refuses(settings, SURTITLE_EDIT_REFUSED, 0, "edits[0]");
    edit = (surtitle_edit){sizeof edit, SURTITLE_SCHEME, 0, TEXT("1x")};
    refuses(settings, SURTITLE_URI_REFUSED, 0, "edits[0]");
    edit = (surtitle_edit){sizeof edit, SURTITLE_MAP_URI, 0, TEXT("video/")};
    refuses(settings, SURTITLE_URI_REFUSED, 0, "edits[0]");
    edit = (surtitle_edit){sizeof edit, SURTITLE_KEEP_VARIANTS, 0, TEXT("BANDWIDTH=")};
    refuses(settings, SURTITLE_CONDITION_REFUSED, 0, "edits[0]");
    edit = (surtitle_edit){sizeof edit, SURTITLE_DROP, SURTITLE_ROLE_KEY, TEXT("EXT-X-KEY")};
    refuses(settings, SURTITLE_INVALID_VALUE, 0, "edits[0]");

    refuses_json("{\"tracks\": [}", SURTITLE_JSON_REFUSED, 12, "tracks[0]");
    refuses_json("{\"track\": []}", SURTITLE_CONFIGURATION_REFUSED, 1, "");
    refuses_json("{\"tracks\": [{\"uri\": \"a.m3u8\", \"name\": \"A\", \"language\": \"not one\"}]}", SURTITLE_TRACK_REFUSED, 55,
        "tracks[0].language");
    refuses_json("{\"tracks\": [{\"uri\": \"a.vtt\", \"name\": \"A\"}]}", SURTITLE_TRACK_REFUSED, -1, "tracks[0].uri");
    refuses_json("{}", SURTITLE_CONFIGURATION_REFUSED, -1, "");
}

static void check_fingerprints(void) {
    surtitle_track other = track;
    surtitle_settings settings = empty_settings();
    settings.tracks = &other;
    settings.track_count = 1;
    uint64_t numbers[4];
    for (int i = 0; i < 4; i++) {
        if (i == 2) other.name = (surtitle_text)TEXT("English 2");
        if (i == 3) settings.longest_line = 1000;
        surtitle_configuration *made;
        EXPECT(SURTITLE_OK, surtitle_configuration_create(&settings, &made, NULL));
        EXPECT(SURTITLE_OK, surtitle_configuration_fingerprint(made, &numbers[i]));
        surtitle_configuration_destroy(made);
    }
    CHECK(numbers[0] == numbers[1] && numbers[1] != numbers[2] && numbers[2] != numbers[3]);
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
