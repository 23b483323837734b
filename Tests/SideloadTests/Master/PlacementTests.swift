import M3U8
import Sideload
import Support
import Testing

/// Rules 8 to 11: where the tags go, what stays as it is, and what is no multivariant playlist.
@Suite struct PlacementTests {
    static func check(_ text: String, _ expected: String, sourceLocation: SourceLocation = #_sourceLocation) throws {
        try Sideloading([Track.english]).check(text, expected, sourceLocation: sourceLocation)
    }

    static let variant = "#EXT-X-STREAM-INF:A=1"
    static let edited = "#EXT-X-STREAM-INF:A=1,SUBTITLES=\"subs\""

    // MARK: Rule 8

    @Test func theLineEndingIsThePlaylistsOwn() throws {
        try Self.check(
            "#EXTM3U\r\n\(Self.variant)\r\nv\r\n", "#EXTM3U\r\n\(Self.edited)\r\nv\r\n\(Track.english())\r\n")
        try Self.check("#EXTM3U\n\(Self.variant)\r\nv\r\n", "#EXTM3U\n\(Self.edited)\r\nv\r\n\(Track.english())\n")
        try Self.check("#EXTM3U\r\n\(Self.variant)\nv\n", "#EXTM3U\r\n\(Self.edited)\nv\n\(Track.english())\r\n")
    }

    @Test func aLastLineWithoutAnEndingGetsOneFirst() throws {
        try Self.check("#EXTM3U\n\(Self.variant)\nv", "#EXTM3U\n\(Self.edited)\nv\n\(Track.english())\n")
        try Self.check("#EXTM3U\r\n\(Self.variant)\r\nv", "#EXTM3U\r\n\(Self.edited)\r\nv\r\n\(Track.english())\r\n")
        try Self.check("#EXTM3U\n\(Self.variant)", "#EXTM3U\n\(Self.edited)\n\(Track.english())\n")
        try Self.check("#EXTM3U\r\n\(Self.variant)\r", "#EXTM3U\r\n\(Self.edited)\r\n\(Track.english())\r\n")
        let media = "#EXT-X-MEDIA:TYPE=SUBTITLES,GROUP-ID=\"g\",NAME=\"x\",URI=\"x\""
        try Self.check("#EXTM3U\n\(media)", "#EXTM3U\n\(media)\n\(Track.english(group: "g"))\n")
        // Nothing to add, nothing added.
        let done = "#EXTM3U\n\(Track.english())"
        try Self.check(done, done)
    }

    @Test func nothingIsReordered() throws {
        let head = "#EXTM3U\n\n# a\n#EXT-X-UNKNOWN\n"
        let tail = "\nv\n#EXT-X-SESSION-DATA:DATA-ID=\"x\"\n \n#EXT-X-MEDIA:TYPE=AUDIO,GROUP-ID=\"a\"\n"
        try Self.check("\(head)\(Self.variant)\(tail)", "\(head)\(Self.edited)\(tail)\(Track.english())\n")
    }

    // MARK: Rule 9

    @Test func everythingElseStaysAsItIs() throws {
        let list =
            "BANDWIDTH=0128000, FRAME-RATE=29.970 ,CODECS=\"avc1,mp4a\",VIDEO-RANGE=PQ,CLOSED-CAPTIONS=NONE,X=1.50"
        let head = "#EXTM3U  x\n#EXT-X-VERSION:3\n#EXT-X-CONTENT-STEERING:SERVER-URI=\"/s\"\n#EXT-X-STREAM-INF:\(list)"
        try Self.check("\(head)\nv\n", "\(head),SUBTITLES=\"subs\"\nv\n\(Track.english())\n")
    }

    @Test func bytesOfAnyKindPassThrough() throws {
        var text = Array("#EXTM3U\n#".utf8) + (0...255).filter { $0 != 0x0A }
        text +=
            Array("\n#EXT-X-STREAM-INF:NAME=\"".utf8) + (0...255).filter { $0 != 0x0A && $0 != 0x22 } + Array("\"".utf8)
        let expected = text + Array(",SUBTITLES=\"subs\"\n\(Track.english())\n".utf8)
        let answer = try Sideloading([Track.english]).answer(to: text + [0x0A])
        #expect(answer.bytes == expected)
        let head = [0xEF, 0xBB, 0xBF] + Array("#EXTM3U\n#EXT-X-STREAM-INF:SUBTITLES=\"".utf8) + [0xFF, 0xC0]
        let group = try Sideloading([Track.english]).answer(to: head + Array("\"\n".utf8)).bytes
        #expect(group.starts(with: head))
        // Even a name that is no UTF-8 is declared as it is used.
        #expect(
            group.split(separator: 0x0A).last?.starts(
                with: Array("#EXT-X-MEDIA:TYPE=SUBTITLES,GROUP-ID=\"".utf8) + [0xFF, 0xC0, 0x22]) == true)
    }

    // MARK: Rule 10 is part of every check: what comes out is sideloaded into again

    @Test func sideloadingAnotherListAddsOnlyThat() throws {
        let text = Array("#EXTM3U\n\(Self.variant)\nv\n".utf8)
        let first = try SubtitleTracks([Track.english]).sideloaded(into: text).bytes
        let second = try SubtitleTracks([Track.english, Track.swedish]).sideloaded(into: first).bytes
        #expect(second == first + Array("\(Track.tag("sv.m3u8", "sv", "Svenska"))\n".utf8))
    }

    // MARK: Rule 11

    @Test(
        arguments: [
            ("", .notPlaylist), ("\n", .notPlaylist), ("#EXTM3U", .undecided), ("#EXTM3U\r\n", .undecided),
            ("\0\u{1}", .notPlaylist),
            ("#EXTM3U\n#EXT-X-VERSION:3\nv\n", .undecided), ("#EXTM3U\n#EXTINF:4,\na\n#EXT-X-ENDLIST\n", .media),
            ("#EXT-X-STREAM-INF:A=1\nv\n", .notPlaylist), ("WEBVTT\n\n#EXT-X-STREAM-INF:A=1\n", .notPlaylist),
            ("#EXTM3U\n#EXT-X-DEFINE:NAME=\"a\",VALUE=\"b\"", .undecided),
            ("#EXTM3U\n#EXT-X-TARGETDURATION:4\n#EXT-X-DEFINE:NAME=\"a\",VALUE=\"b\"\n#EXTINF:4,\n", .media),
            ("#EXTM3U\n#EXT-X-SESSION-DATA:DATA-ID=\"SUBTITLES\"\n", .multivariant),
        ] as [(String, PlaylistVerdict)])
    func whatIsNoMultivariantPlaylistPassesThrough(text: String, verdict: PlaylistVerdict) throws {
        try Self.check(text, text)
        #expect(try Sideloading([Track.english]).answer(to: Array(text.utf8)).verdict == verdict)
    }

    @Test func arbitraryBytesPassThrough() throws {
        var generator = SeededGenerator(seed: 82)
        for count in [1, 7, 63, 64, 65, 500] {
            let bytes = (0..<count).map { _ in UInt8.random(in: 0...255, using: &generator) }
            #expect(try Sideloading([Track.english]).answer(to: bytes).bytes == bytes)
        }
    }

    /// A mixed playlist is read after the first tag of the other kind too, so that nothing is declared twice.
    @Test func theRestOfAMixedPlaylistIsRead() throws {
        let there = "#EXT-X-MEDIA:TYPE=SUBTITLES,GROUP-ID=\"subs\",NAME=\"English\",DEFAULT=YES,URI=\"x\"\n"
        let track = SubtitleTrack(uri: "en.m3u8", language: "en", name: "English", isDefault: true)
        for policy in [SubtitleTracks.DefaultPolicy.keepsExisting, .prefersTracks] {
            try Sideloading([track], policy: policy).check(
                "#EXTM3U\n\(Self.variant)\nv\n#EXTINF:4,\na\n\(there)",
                "#EXTM3U\n\(Self.edited)\nv\n#EXTINF:4,\na\n\(there)\(Track.english(name: "English 2"))\n")
        }
        let done = "#EXTM3U\n\(Self.edited)\nv\n#EXTINF:4,\na\n\(Track.english())\n#EXT-X-STREAM-INF:SUBTITLES=\"g\"\n"
        try Self.check(done, done)
    }

    @Test func aMixedPlaylistIsEditedUpToTheOtherKind() throws {
        let tail = "#EXTINF:4,\na\n#EXT-X-STREAM-INF:A=2\nw\n#EXT-X-MEDIA:TYPE=SUBTITLES,GROUP-ID=\"g\",NAME=\"x\"\n"
        let answer = try Sideloading([Track.english]).answer(to: Array("#EXTM3U\n\(Self.variant)\nv\n\(tail)".utf8))
        #expect(
            String(decoding: answer.bytes, as: UTF8.self) == "#EXTM3U\n\(Self.edited)\nv\n\(tail)\(Track.english())\n")
        #expect(answer.verdict == .mixed)
        let media = "#EXTM3U\n#EXTINF:4,\na\n\(Self.variant)\nv\n"
        try Self.check(media, media)
        #expect(try Sideloading([Track.english]).answer(to: Array(media.utf8)).verdict == .mixed)
    }
}
