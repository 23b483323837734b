// final_cue FILE: writes the end of the final cue and the latest end, in milliseconds, found whole and from the tail.
#include "check.h"

int main(int count, char **arguments) {
    CHECK(count == 2);
    bytes file = read_file(arguments[1]);
    int64_t whole = -1, latest = -1;
    EXPECT(SURTITLE_OK, surtitle_final_cue_end(file.start, file.count, &whole));
    EXPECT(0, surtitle_latest_cue_end(file.start, file.count, &latest));
    surtitle_final_cue_search *search;
    for (size_t block = 1; block < 200; block += 7) {
        EXPECT(SURTITLE_OK, surtitle_final_cue_search_create(SIZE_MAX, &search));
        size_t end = file.count;
        int64_t found = -1;
        int status = SURTITLE_NEEDS_MORE;
        while (status == SURTITLE_NEEDS_MORE) {
            size_t start = end > block ? end - block : 0;
            status = surtitle_final_cue_search_prepend(search, file.start + start, end - start, start == 0, &found);
            end = start;
        }
        EXPECT(SURTITLE_OK, status);
        CHECK(found == whole);
        EXPECT(SURTITLE_OK, surtitle_final_cue_search_reset(search));
        EXPECT(SURTITLE_NEEDS_MORE, surtitle_final_cue_search_prepend(search, NULL, 0, 0, &found));
        EXPECT(SURTITLE_NOT_FOUND, surtitle_final_cue_search_prepend(search, NULL, 0, 1, &found));
        surtitle_final_cue_search_destroy(search);
    }
    EXPECT(SURTITLE_OK, surtitle_final_cue_search_create(3, &search));
    EXPECT(SURTITLE_UNDECIDED, surtitle_final_cue_search_prepend(search, file.start, file.count, 1, &latest));
    surtitle_final_cue_search_destroy(search);
    // Memory for the whole file, and of one byte less, from the tail and at once; what was found is found again.
    static const char little[] = "WEBVTT\n\n00:01.000 --> 00:02.000\na\n\n";
    size_t least = 0;
    for (size_t budget = 0; budget < sizeof little + 2; budget++) {
        EXPECT(SURTITLE_OK, surtitle_final_cue_search_create(budget, &search));
        int64_t time = 42;
        int status = surtitle_final_cue_search_prepend(search, little, sizeof little - 1, 1, &time);
        CHECK(budget > 0 || status == SURTITLE_UNDECIDED);
        CHECK((status == SURTITLE_OK && time == 2000) || (status == SURTITLE_UNDECIDED && time == 42 && least == 0));
        if (status == SURTITLE_OK && least == 0) least = budget;
        for (int again = 0; again < 2; again++) {
            time = 42;
            EXPECT(status, surtitle_final_cue_search_prepend(search, "x", 1, 1, &time));
            CHECK(time == (status == SURTITLE_OK ? 2000 : 42));
            EXPECT(SURTITLE_OK, surtitle_final_cue_search_reset(search));
            EXPECT(status, surtitle_final_cue_search_prepend(search, little, sizeof little - 1, 1, &time));
        }
        surtitle_final_cue_search_destroy(search);
    }
    CHECK(least > 26 && least < sizeof little);
    EXPECT(SURTITLE_NOT_FOUND, surtitle_latest_cue_end("WEBVTT\n", 7, &latest));
    EXPECT(SURTITLE_OK, surtitle_latest_cue_end(file.start, file.count, &latest));
    int64_t untouched = 42;
    EXPECT(SURTITLE_NOT_FOUND, surtitle_final_cue_end((const uint8_t *)"WEBVTT\n", 7, &untouched));
    EXPECT(SURTITLE_NOT_FOUND, surtitle_final_cue_end((const uint8_t *)"00:00.000 --> 00:01.000\n", 24, &untouched));
    CHECK(untouched == 42);
    printf("%lld %lld\n", (long long)whole, (long long)latest);
    free(file.start);
    return 0;
}
