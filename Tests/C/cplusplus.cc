// The header in C++: a rewriter that destroys itself, and the playlist with two tracks on standard output.
#include <surtitle.h>

#include <cstring>
#include <fstream>
#include <iostream>
#include <iterator>
#include <memory>
#include <stdexcept>
#include <string>

namespace {
void require(int status) {
    if (status != SURTITLE_OK) throw std::runtime_error(surtitle_status_text(status));
}

surtitle_text text(const std::string &string) { return {string.data(), string.size()}; }

struct Destroy {
    void operator()(surtitle_rewriter *rewriter) const { surtitle_rewriter_destroy(rewriter); }
    void operator()(surtitle_configuration *configuration) const { surtitle_configuration_destroy(configuration); }
};
}  // namespace

int main(int count, char **arguments) {
    if (count != 2) return 2;
    std::ifstream file(arguments[1], std::ios::binary);
    const std::string playlist((std::istreambuf_iterator<char>(file)), std::istreambuf_iterator<char>());
    const std::string uris[] = {"subs/en.m3u8", "subs/sv.m3u8"}, names[] = {"English", "Svenska"}, languages[] = {"en", "sv"};
    const std::string keys[] = {"uri", "name", "language", "default"};
    surtitle_track_key values[2][4] = {};
    surtitle_track tracks[2] = {};
    for (int i = 0; i < 2; i++) {
        const surtitle_text texts[] = {text(uris[i]), text(names[i]), text(languages[i]), {}};
        for (int j = 0; j < 4; j++) values[i][j] = {text(keys[j]), texts[j]};
        tracks[i] = {sizeof tracks[i], values[i], i == 0 ? size_t(4) : size_t(3)};
    }
    surtitle_settings settings = {};
    settings.size = sizeof settings;
    settings.tracks = tracks;
    settings.track_count = 2;
    surtitle_configuration *made;
    require(surtitle_configuration_create(&settings, &made, nullptr));
    const std::unique_ptr<surtitle_configuration, Destroy> configuration(made);
    surtitle_rewriter *used;
    require(surtitle_rewriter_create(configuration.get(), nullptr, &used));
    const std::unique_ptr<surtitle_rewriter, Destroy> rewriter(used);
    const surtitle_piece *pieces;
    size_t number;
    require(surtitle_rewriter_write(
        rewriter.get(), reinterpret_cast<const uint8_t *>(playlist.data()), playlist.size(), &pieces, &number));
    for (size_t i = 0; i < number; i++) std::cout.write(reinterpret_cast<const char *>(pieces[i].bytes), std::streamsize(pieces[i].count));
    require(surtitle_rewriter_finish(rewriter.get(), &pieces, &number));
    for (size_t i = 0; i < number; i++) std::cout.write(reinterpret_cast<const char *>(pieces[i].bytes), std::streamsize(pieces[i].count));
}
