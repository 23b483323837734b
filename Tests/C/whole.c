// whole CAPACITY FILE: writes the playlist with two tracks to standard output by one call, and by a second if the memory was too small.
#include "check.h"

int main(int count, char **arguments) {
    CHECK(count == 3);
    size_t capacity = strtoul(arguments[1], NULL, 10);
    bytes file = read_file(arguments[2]);
    surtitle_configuration *configuration = two_tracks();
    surtitle_rewriter *rewriter;
    EXPECT(SURTITLE_OK, surtitle_rewriter_create(configuration, NULL, &rewriter));
    uint8_t *memory = malloc(capacity + 1);
    CHECK(memory != NULL);
    memory[capacity] = 0xA5;
    size_t needed;
    int status = surtitle_rewriter_whole(rewriter, file.start, file.count, memory, capacity, &needed);
    CHECK(memory[capacity] == 0xA5);
    if (status == SURTITLE_TOO_SMALL) {
        CHECK(needed > capacity);
        memory = realloc(memory, needed);
        CHECK(memory != NULL);
        size_t again;
        status = surtitle_rewriter_whole(rewriter, file.start, file.count, memory, needed, &again);
        CHECK(again == needed);
    }
    EXPECT(SURTITLE_OK, status);
    CHECK(fwrite(memory, 1, needed, stdout) == needed);
    surtitle_rewriter_destroy(rewriter);
    surtitle_configuration_destroy(configuration);
    free(memory);
    free(file.start);
    return 0;
}
