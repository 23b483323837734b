// What the programs share: a check that ends the program, files, and the tracks that all of them put in.
#ifndef CHECK_H
#define CHECK_H

#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <surtitle.h>

// Ends the program if `condition` does not hold.
#define CHECK(condition)                                                                  \
    do {                                                                                  \
        if (!(condition)) {                                                               \
            fprintf(stderr, "%s:%d: does not hold: %s\n", __FILE__, __LINE__, #condition); \
            exit(1);                                                                      \
        }                                                                                 \
    } while (0)

// Ends the program if a call does not return `expected`.
#define EXPECT(expected, call)                                                                                       \
    do {                                                                                                             \
        int is = (call);                                                                                             \
        if (is != (expected)) {                                                                                      \
            fprintf(stderr, "%s:%d: %s is %d, %s\n", __FILE__, __LINE__, #call, is, surtitle_status_text(is));        \
            exit(1);                                                                                                 \
        }                                                                                                            \
    } while (0)

// A text from a literal.
#define TEXT(literal) {literal, sizeof(literal) - 1}
#define KEY(name, value) {TEXT(name), TEXT(value)}

typedef struct bytes {
    uint8_t *start;
    size_t count;
} bytes;

// Reads a whole file into memory of exactly its size, so that reading past it is noticed.
static inline bytes read_file(const char *path) {
    FILE *file = fopen(path, "rb");
    CHECK(file != NULL);
    CHECK(fseek(file, 0, SEEK_END) == 0);
    long count = ftell(file);
    CHECK(count >= 0);
    rewind(file);
    bytes all = {malloc((size_t)count + (count == 0)), (size_t)count};
    CHECK(all.start != NULL && fread(all.start, 1, all.count, file) == all.count);
    fclose(file);
    return all;
}

// A configuration of two tracks, those of run.sh.
static inline surtitle_configuration *two_tracks(void) {
    static const surtitle_track_key english[] = {
        KEY("uri", "subs/en.m3u8"), KEY("name", "English"), KEY("language", "en"), {TEXT("default"), {NULL, 0}}};
    static const surtitle_track_key swedish[] = {KEY("uri", "subs/sv.m3u8"), KEY("name", "Svenska"), KEY("language", "sv")};
    static const surtitle_track tracks[] = {{sizeof(surtitle_track), english, 4}, {sizeof(surtitle_track), swedish, 3}};
    surtitle_settings settings;
    memset(&settings, 0, sizeof settings);
    settings.size = sizeof settings;
    settings.tracks = tracks;
    settings.track_count = 2;
    surtitle_configuration *configuration;
    EXPECT(SURTITLE_OK, surtitle_configuration_create(&settings, &configuration, NULL));
    return configuration;
}

static inline void print_pieces(const surtitle_piece *pieces, size_t count, const uint8_t *chunk) {
    for (size_t i = 0; i < count; i++) {
        CHECK(pieces[i].count > 0);
        CHECK(pieces[i].chunk_offset == -1 || pieces[i].bytes == chunk + pieces[i].chunk_offset);
        CHECK(fwrite(pieces[i].bytes, 1, pieces[i].count, stdout) == pieces[i].count);
    }
}

#endif
