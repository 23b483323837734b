// rewrite FORM TIMES FILE: what the C interface takes to rewrite a playlist with two tracks, one after the other with one rewriter.
//
// FORM is `into`, by surtitle_rewriter_write_to and _finish_to into the caller's memory; `whole`, by surtitle_rewriter_whole; or `pieces`, where
// the pieces are only counted. It prints the nanoseconds of processor time a playlist, the best of 20 rounds. To count instructions, run it
// under callgrind once with TIMES 1 and once with TIMES 11: a tenth of the difference.
#define _POSIX_C_SOURCE 200809L
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <surtitle.h>
#include <time.h>

static void require(int status) {
    if (status == SURTITLE_OK) return;
    fprintf(stderr, "%s\n", surtitle_status_text(status));
    exit(1);
}

static uint8_t playlist[4 << 20], output[8 << 20];
static size_t count, sink;

static void rewrite(surtitle_rewriter *rewriter, const char *form) {
    size_t first, second;
    if (strcmp(form, "whole") == 0) {
        require(surtitle_rewriter_whole(rewriter, playlist, count, output, sizeof output, &first));
        sink += first;
        return;
    }
    require(surtitle_rewriter_reset(rewriter));
    if (strcmp(form, "into") == 0) {
        require(surtitle_rewriter_write_to(rewriter, playlist, count, output, sizeof output, &first));
        require(surtitle_rewriter_finish_to(rewriter, output + first, sizeof output - first, &second));
        sink += first + second;
    } else {
        const surtitle_piece *pieces;
        require(surtitle_rewriter_write(rewriter, playlist, count, &pieces, &first));
        require(surtitle_rewriter_finish(rewriter, &pieces, &second));
        sink += first + second;
    }
}

static double seconds(void) {
    struct timespec now;
    clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &now);
    return (double)now.tv_sec + 1e-9 * (double)now.tv_nsec;
}

int main(int argument_count, char **arguments) {
    if (argument_count != 4) return 2;
    FILE *file = fopen(arguments[3], "rb");
    if (file == NULL) return 2;
    count = fread(playlist, 1, sizeof playlist, file);
    fclose(file);
    surtitle_track_key english[] = {
        {{"uri", 3}, {"subs/en.m3u8", 12}}, {{"name", 4}, {"English", 7}}, {{"language", 8}, {"en", 2}}, {{"default", 7}, {NULL, 0}}};
    surtitle_track_key swedish[] = {{{"uri", 3}, {"subs/sv.m3u8", 12}}, {{"name", 4}, {"Svenska", 7}}, {{"language", 8}, {"sv", 2}}};
    surtitle_track tracks[] = {{sizeof tracks[0], english, 4}, {sizeof tracks[0], swedish, 3}};
    surtitle_settings settings = {.size = sizeof settings, .tracks = tracks, .track_count = 2};
    surtitle_configuration *configuration;
    surtitle_rewriter *rewriter;
    require(surtitle_configuration_create(&settings, &configuration, NULL));
    require(surtitle_rewriter_create(configuration, NULL, &rewriter));
    long times = strtol(arguments[2], NULL, 10);
    double best = 1e9;
    for (int round = 0; round < (times > 1000 ? 20 : 1); round++) {
        double start = seconds();
        for (long time = 0; time < times; time++) rewrite(rewriter, arguments[1]);
        double taken = (seconds() - start) / (double)times;
        if (taken < best) best = taken;
    }
    printf("%s: %.0f ns a playlist of %zu bytes\n", arguments[1], best * 1e9, count);
    surtitle_rewriter_destroy(rewriter);
    surtitle_configuration_destroy(configuration);
    return sink == 0;
}
