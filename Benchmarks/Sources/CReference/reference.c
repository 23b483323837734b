#define _GNU_SOURCE
#include "reference.h"

#include <string.h>

void reference_keep(const void *bytes) { __asm__ volatile("" : : "r"(bytes) : "memory"); }

// Appends `count` bytes at `written`, or says that they do not fit.
static int append(const char *bytes, size_t count, char *output, size_t capacity, size_t *written) {
    if (count > capacity - *written) return 0;
    memcpy(output + *written, bytes, count);
    *written += count;
    return 1;
}

size_t reference_blind_edit(const void *bytes, size_t count, void *output, size_t capacity) {
    static const char tag[] = "#EXT-X-STREAM-INF:";
    static const char attribute[] = ",SUBTITLES=\"subs\"";
    const char *end = (const char *)bytes + count;
    const char *copied = bytes;
    size_t written = 0;
    const char *line = bytes;
    while ((line = memmem(line, (size_t)(end - line), tag, sizeof tag - 1)) != NULL) {
        const char *lineEnd = memchr(line, '\n', (size_t)(end - line));
        if (lineEnd == NULL) lineEnd = end;
        const char *next = lineEnd;
        if (lineEnd[-1] == '\r') lineEnd--;
        if (!append(copied, (size_t)(lineEnd - copied), output, capacity, &written)) return 0;
        if (!append(attribute, sizeof attribute - 1, output, capacity, &written)) return 0;
        copied = lineEnd;
        line = next;
    }
    if (!append(copied, (size_t)(end - copied), output, capacity, &written)) return 0;
    reference_keep(output);
    return written;
}

uint64_t reference_lines(const void *bytes, size_t count) {
    const char *start = bytes;
    const char *end = start + count;
    const char *line = start;
    uint64_t lines = 0;
    uint64_t ends = 0;
    while (line < end) {
        const char *lineEnd = memchr(line, '\n', (size_t)(end - line));
        if (lineEnd == NULL) lineEnd = end;
        lines++;
        ends ^= (uint64_t)(lineEnd - start);
        line = lineEnd + 1;
    }
    return lines ^ ends << 32;
}

uint64_t reference_copy(const void *bytes, size_t count, void *output) {
    if (count == 0) return 0;
    memcpy(output, bytes, count);
    reference_keep(output);
    return ((const unsigned char *)output)[count - 1];
}
