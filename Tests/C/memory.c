// memory CHUNK CAPACITY FILE: writes the playlist with two tracks to standard output, by way of memory of that size.
#include "check.h"

static uint8_t *memory;
static size_t capacity;
static surtitle_rewriter *rewriter;

// Prints what a call has written, and takes what it has left.
static void print(int status, size_t written) {
    while (1) {
        CHECK(written <= capacity && fwrite(memory, 1, written, stdout) == written);
        if (status == SURTITLE_OK) return;
        EXPECT(SURTITLE_MORE_OUTPUT, status);
        size_t none = 1;
        EXPECT(SURTITLE_OUTPUT_LEFT, surtitle_rewriter_write_to(rewriter, NULL, 0, memory, capacity, &none));
        CHECK(none == 0);
        surtitle_report report = {.size = sizeof report};
        EXPECT(SURTITLE_OK, surtitle_rewriter_report(rewriter, &report));
        uint64_t left = report.output_left;
        CHECK(left > 0);
        status = surtitle_rewriter_take(rewriter, memory, capacity, &written);
        EXPECT(SURTITLE_OK, surtitle_rewriter_report(rewriter, &report));
        CHECK(report.output_left + written == left);
    }
}

int main(int count, char **arguments) {
    CHECK(count == 4);
    size_t chunk_size = strtoul(arguments[1], NULL, 10);
    capacity = strtoul(arguments[2], NULL, 10);
    bytes file = read_file(arguments[3]);
    memory = malloc(capacity);
    CHECK(memory != NULL);
    surtitle_configuration *configuration = two_tracks();
    EXPECT(SURTITLE_OK, surtitle_rewriter_create(configuration, NULL, &rewriter));
    for (size_t offset = 0; offset < file.count; offset += chunk_size) {
        size_t left = file.count - offset, written;
        int status = surtitle_rewriter_write_to(
            rewriter, file.start + offset, left < chunk_size ? left : chunk_size, memory, capacity, &written);
        print(status, written);
    }
    size_t written;
    int status = surtitle_rewriter_finish_to(rewriter, memory, capacity, &written);
    print(status, written);
    EXPECT(SURTITLE_ENDED, surtitle_rewriter_finish_to(rewriter, memory, capacity, &written));

    // What is held comes back as it was.
    const char torn[] = "#EXTM3U\n#EXT-X-STREAM-INF:BANDW";
    EXPECT(SURTITLE_OK, surtitle_rewriter_reset(rewriter));
    uint8_t out[64];
    size_t first, second;
    EXPECT(SURTITLE_OK, surtitle_rewriter_write_to(
        rewriter, (const uint8_t *)torn, sizeof torn - 1, out, sizeof out, &first));
    EXPECT(SURTITLE_OK, surtitle_rewriter_abandon_to(rewriter, out + first, sizeof out - first, &second));
    CHECK(first + second == sizeof torn - 1 && memcmp(out, torn, first + second) == 0);
    surtitle_rewriter_destroy(rewriter);
    surtitle_configuration_destroy(configuration);
    free(memory);
    free(file.start);
    return 0;
}
