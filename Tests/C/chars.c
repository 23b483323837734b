// chars: text that is `char`, as most programs have theirs, goes in and comes out without a cast and without a warning.
#include "check.h"

int main(void) {
    const char subrip[] = "1\n00:00:01,000 --> 00:00:02,500\na\n";
    char webvtt[128];
    size_t written = 0;
    int64_t end = 0;
    EXPECT(SURTITLE_OK, surtitle_to_webvtt(SURTITLE_FORMAT_SUBRIP, subrip, sizeof subrip - 1, webvtt, sizeof webvtt, &written, NULL));
    EXPECT(SURTITLE_OK, surtitle_final_cue_end(webvtt, written, &end));
    CHECK(end == 2500);

    const char json[] = "{\"tracks\": [{\"uri\": \"en.m3u8\", \"language\": \"en_US\", \"sdh\": true}]}";
    const char master[] = "#EXTM3U\n#EXT-X-STREAM-INF:BANDWIDTH=1\nv\n";
    char output[512];
    surtitle_configuration *configuration;
    surtitle_rewriter *rewriter;
    EXPECT(SURTITLE_OK, surtitle_configuration_create_json(json, sizeof json - 1, &configuration, NULL));
    EXPECT(SURTITLE_OK, surtitle_rewriter_create(configuration, NULL, &rewriter));
    EXPECT(SURTITLE_OK, surtitle_rewriter_whole(rewriter, master, sizeof master - 1, output, sizeof output - 1, &written));
    output[written] = '\0';
    // A track without a name is called by its language, in every face.
    CHECK(strstr(output, ",NAME=\"English (US) (SDH)\",LANGUAGE=\"en-US\",") != NULL);
    surtitle_rewriter_destroy(rewriter);
    surtitle_configuration_destroy(configuration);
    return 0;
}
