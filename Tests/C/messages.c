// messages FILE: what a router says of each line of the file, which is a configuration that is refused, with its place before it.
//
//     at byte 64: tracks[0]: unknown key "languag"; did you mean language?
#include "check.h"

static void refused(const uint8_t *json, size_t count) {
    surtitle_router *none = (surtitle_router *)1;
    surtitle_error error = {.size = sizeof error};
    CHECK(surtitle_router_create(json, count, &none, &error) >= SURTITLE_INVALID_UTF8 && none == NULL);
    size_t length = strlen(error.message);
    // What is longer is cut short, and told to be.
    CHECK(length == (size_t)error.message_count || (length < sizeof error.message && (size_t)error.message_count >= sizeof error.message));
    if (error.position >= 0) printf("at byte %lld: ", (long long)error.position);
    if (error.field[0] != '\0') printf("%s: ", error.field);
    printf("%s\n", error.message);
}

int main(int count, char **arguments) {
    CHECK(count == 2);
    bytes file = read_file(arguments[1]);
    for (size_t start = 0, end; start < file.count; start = end + 1) {
        for (end = start; end < file.count && file.start[end] != '\n';) end++;
        refused(file.start + start, end - start);
    }
    free(file.start);
    return 0;
}
