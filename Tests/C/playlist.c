// playlist CHUNK THRESHOLD FILE: writes the playlist with two tracks to standard output, in pieces, twice with one rewriter and once broken off
// to see that what it is used for first does not show.
#include "check.h"

int main(int count, char **arguments) {
    CHECK(count == 4);
    size_t chunk_size = strtoul(arguments[1], NULL, 10);
    bytes file = read_file(arguments[3]);
    surtitle_configuration *configuration = two_tracks();
    surtitle_rewriter_options options = {sizeof options, strtoul(arguments[2], NULL, 10), 0};
    surtitle_rewriter *rewriter;
    EXPECT(SURTITLE_OK, surtitle_rewriter_create(configuration, &options, &rewriter));
    surtitle_configuration_destroy(configuration);

    const surtitle_piece *pieces;
    size_t piece_count;
    EXPECT(SURTITLE_OK, surtitle_rewriter_write(rewriter, file.start, file.count / 2, &pieces, &piece_count));
    size_t handed_out = 0;
    for (size_t i = 0; i < piece_count; i++) handed_out += pieces[i].count;
    surtitle_report report = {.size = sizeof report};
    EXPECT(SURTITLE_OK, surtitle_rewriter_report(rewriter, &report));
    EXPECT(SURTITLE_OK, surtitle_rewriter_abandon(rewriter, &pieces, &piece_count));
    for (size_t i = 0; i < piece_count; i++) report.held_bytes -= pieces[i].count;
    CHECK(report.held_bytes == 0 && handed_out + 65536 > file.count / 2);
    EXPECT(SURTITLE_ENDED, surtitle_rewriter_write(rewriter, file.start, 1, &pieces, &piece_count));
    EXPECT(SURTITLE_OK, surtitle_rewriter_reset(rewriter));

    for (size_t offset = 0; offset < file.count; offset += chunk_size) {
        size_t left = file.count - offset;
        EXPECT(SURTITLE_OK, surtitle_rewriter_write(
            rewriter, file.start + offset, left < chunk_size ? left : chunk_size, &pieces, &piece_count));
        print_pieces(pieces, piece_count, file.start + offset);
    }
    EXPECT(SURTITLE_OK, surtitle_rewriter_finish(rewriter, &pieces, &piece_count));
    print_pieces(pieces, piece_count, NULL);
    EXPECT(SURTITLE_OK, surtitle_rewriter_report(rewriter, &report));
    CHECK(report.held_bytes == 0 && report.output_left == 0);
    CHECK(report.verdict == SURTITLE_VERDICT_MULTIVARIANT || report.added_bytes == 0 || report.verdict == SURTITLE_VERDICT_MIXED);
    surtitle_rewriter_destroy(rewriter);
    free(file.start);
    return 0;
}
