// subrip FILE: writes the WebVTT that a SubRip file becomes, after trying memory of every kind of size.
#include "check.h"

int main(int count, char **arguments) {
    CHECK(count == 2);
    bytes file = read_file(arguments[1]);
    surtitle_error error = {.size = sizeof error};
    size_t needed = 0, written = 0;
    EXPECT(SURTITLE_TOO_SMALL, surtitle_to_webvtt(SURTITLE_FORMAT_SUBRIP, file.start, file.count, NULL, 0, &needed, NULL));
    uint8_t *memory = malloc(needed);
    CHECK(memory != NULL && needed > 8);
    EXPECT(SURTITLE_TOO_SMALL, surtitle_to_webvtt(SURTITLE_FORMAT_SUBRIP, file.start, file.count, memory, needed - 1, &written, &error));
    CHECK(written == needed);
    EXPECT(SURTITLE_OK, surtitle_to_webvtt(SURTITLE_FORMAT_SUBRIP, file.start, file.count, memory, needed, &written, &error));
    CHECK(written == needed && memcmp(memory, "WEBVTT\n", 7) == 0);
    CHECK(fwrite(memory, 1, written, stdout) == written);
    free(memory);

    // What is no UTF-8 is refused where it is wrong, and told what it is.
    static const uint8_t latin[] = "1\n00:00:01,000 --> 00:00:02,000\n\xE9t\xE9\n", wide[] = {0xFF, 0xFE, '1', 0};
    uint8_t small[64];
    EXPECT(SURTITLE_INVALID_UTF8, surtitle_to_webvtt(SURTITLE_FORMAT_SUBRIP, latin, sizeof latin - 1, small, sizeof small, &written, &error));
    CHECK(error.status == SURTITLE_INVALID_UTF8 && error.position == 32 && written == 0);
    CHECK(strcmp(error.message, "not UTF-8 but an 8-bit or East Asian encoding; find out which, and convert it first") == 0);
    EXPECT(SURTITLE_INVALID_UTF8, surtitle_to_webvtt(SURTITLE_FORMAT_SUBRIP, wide, sizeof wide, small, sizeof small, &written, &error));
    CHECK(error.position == 0);
    CHECK(strcmp(error.message, "not UTF-8; looks like UTF-16LE; convert it first, for example with iconv -f UTF-16LE -t UTF-8") == 0);

    // Its name, its type, its first bytes tell what a file is.
    static const struct { const char *name; int status, format; } names[] = {
        {"srt", SURTITLE_OK, SURTITLE_FORMAT_SUBRIP}, {"a.b/film.sv.SRT", SURTITLE_OK, SURTITLE_FORMAT_SUBRIP},
        {"application/x-subrip; a=b", SURTITLE_OK, SURTITLE_FORMAT_SUBRIP}, {"a.vtt", SURTITLE_OK, SURTITLE_FORMAT_WEBVTT},
        {"a.m3u8", SURTITLE_OK, SURTITLE_FORMAT_PLAYLIST}, {"a.srt.txt", SURTITLE_NOT_FOUND, 9}, {"", SURTITLE_NOT_FOUND, 9},
        {"a.", SURTITLE_NOT_FOUND, 9},
    };
    for (size_t i = 0; i < sizeof names / sizeof *names; i++) {
        int32_t format = 9;
        EXPECT(names[i].status, surtitle_format_of(names[i].name, strlen(names[i].name), &format));
        CHECK(format == names[i].format);
    }
    static const struct { int32_t format; const char *file, *made; } files[] = {
        {SURTITLE_FORMAT_UNKNOWN, "1\n0:0:1,0 --> 0:0:2,0\na\n", "WEBVTT\n\n1\n00:00:01.000 --> 00:00:02.000\na\n"},
        {SURTITLE_FORMAT_UNKNOWN, "WEBVTT\n\na", "WEBVTT\n\na"}, {SURTITLE_FORMAT_SUBRIP, "WEBVTT\n\na", "WEBVTT\n\na"},
        {SURTITLE_FORMAT_UNKNOWN, "hello", NULL}, {SURTITLE_FORMAT_WEBVTT, "1\n0:0:1,0 --> 0:0:2,0\na\n", NULL},
    };
    for (size_t i = 0; i < sizeof files / sizeof *files; i++) {
        const char *made = files[i].made, *text = files[i].file;
        EXPECT(made == NULL ? SURTITLE_NOT_WEBVTT : SURTITLE_OK,
            surtitle_to_webvtt(files[i].format, text, strlen(text), small, sizeof small, &written, NULL));
        CHECK(made == NULL ? written == 0 : written == strlen(made) && memcmp(small, made, written) == 0);
    }

    // The first 256 bytes tell, if the arrow of 18 bytes with what is before it is among them.
    for (size_t blank = 200; blank < 300; blank++) {
        char late[400], made[400];
        memset(late, '\n', blank);
        strcpy(late + blank, "1\n00:00:01,000 --> 00:00:02,000\na\n");
        EXPECT(blank + 18 <= 256 ? SURTITLE_OK : SURTITLE_NOT_WEBVTT,
            surtitle_to_webvtt(SURTITLE_FORMAT_UNKNOWN, late, strlen(late), made, sizeof made, &written, NULL));
        CHECK((written == 0) == (blank + 18 > 256));
        EXPECT(SURTITLE_OK, surtitle_to_webvtt(SURTITLE_FORMAT_SUBRIP, late, strlen(late), made, sizeof made, &written, NULL));
    }

    // An empty file has no cue, and is WebVTT all the same.
    EXPECT(SURTITLE_OK, surtitle_to_webvtt(SURTITLE_FORMAT_SUBRIP, NULL, 0, small, sizeof small, &written, NULL));
    CHECK(written >= 7 && memcmp(small, "WEBVTT\n", 7) == 0);
    free(file.start);
    return 0;
}
