import Delivery
import Sideload
import Testing

/// What the entry calls the tracks.
struct ListingTests {
    @Test func aTrackHasTheNameThatIsLeftForIt() throws {
        let tracks = [
            TrackConfiguration(SubtitleTrack(uri: "en.vtt", language: "en", name: "English"), format: .webVTT)
        ]
        let text = """
            #EXTM3U
            #EXT-X-MEDIA:TYPE=SUBTITLES,GROUP-ID="a",NAME="English",URI="1.m3u8"
            #EXT-X-MEDIA:TYPE=SUBTITLES,GROUP-ID="b",NAME="Suomi",URI="2.m3u8"
            #EXT-X-STREAM-INF:BANDWIDTH=1,SUBTITLES="a"
            1.m3u8
            #EXT-X-STREAM-INF:BANDWIDTH=2,SUBTITLES="b"
            2.m3u8

            """
        let router = try Routes.router(tracks)
        let entry = try router.master(Array(text.utf8), from: router.master).resource.bytes
        #expect(router.listedNames(in: entry).map { $0.map(Routes.text) } == [["English 2"]])
        #expect(router.listedNames(in: Array(text.utf8)) == [[]], "not in it")
    }

    /// Files of other people's playlists and the tracks' own; not what is not ours, and what a variable is in.
    @Test func theFilesOfASubtitlePlaylist() throws {
        let router = try Routes.router([])
        let text = "#EXTM3U\r\n#EXTINF:4,\r\nFIRST\r\n\r\nhttps://example.com/1.vtt\n{$v}.vtt\nSECOND/{$v}.vtt\nSECOND"
        let playlist = text.replacing("FIRST", with: "surtitle-track://subtitles/en.vtt")
            .replacing("SECOND", with: "surtitle-cues-https://example.com/2")
        let bytes = Array(playlist.utf8)
        let files = router.filePlaces(in: bytes).map { Routes.text(Array(bytes[$0])) }
        #expect(files == ["surtitle-track://subtitles/en.vtt", "surtitle-cues-https://example.com/2"])
    }
}
