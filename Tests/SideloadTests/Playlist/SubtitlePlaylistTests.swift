import ByteScan
import M3U8
import Sideload
import Testing

@Suite struct SubtitlePlaylistTests {
    @Test func oneFile() throws {
        let playlist = try SubtitlePlaylist(
            uri: "https://example.com/en.vtt", duration: MediaDuration(milliseconds: 634_567))
        try expect(
            playlist,
            """
            #EXTM3U
            #EXT-X-VERSION:3
            #EXT-X-TARGETDURATION:635
            #EXT-X-MEDIA-SEQUENCE:0
            #EXT-X-PLAYLIST-TYPE:VOD
            #EXTINF:634.567,
            https://example.com/en.vtt
            #EXT-X-ENDLIST

            """)
    }

    @Test func segmentsWithoutCommasBesideALiveVideo() throws {
        let segments = [(6000, "en-0.vtt"), (6006, "en-1.vtt"), (1, "en-2.vtt")].map {
            SubtitlePlaylist.Segment(uri: $1, duration: MediaDuration(milliseconds: $0))
        }
        let options = SubtitlePlaylist.Options(
            omitsComma: true, programDateTime: Array("2024-02-29T23:59:59.999+01:00".utf8), discontinuitySequence: .max)
        try expect(
            SubtitlePlaylist(segments: segments, options: options),
            """
            #EXTM3U
            #EXT-X-VERSION:3
            #EXT-X-TARGETDURATION:7
            #EXT-X-MEDIA-SEQUENCE:0
            #EXT-X-DISCONTINUITY-SEQUENCE:18446744073709551615
            #EXT-X-PLAYLIST-TYPE:VOD
            #EXT-X-PROGRAM-DATE-TIME:2024-02-29T23:59:59.999+01:00
            #EXTINF:6.000
            en-0.vtt
            #EXTINF:6.006
            en-1.vtt
            #EXTINF:0.001
            en-2.vtt
            #EXT-X-ENDLIST

            """)
    }

    @Test func besideAnEventWithTwoTimelines() throws {
        var segments = (0..<3).map {
            SubtitlePlaylist.Segment(uri: "en-\($0).vtt", duration: MediaDuration(milliseconds: 6006))
        }
        segments[1].isDiscontinuous = true
        var options = SubtitlePlaylist.Options()
        options.playlistType = .event
        options.targetDuration = 6
        try expect(
            SubtitlePlaylist(segments: segments, options: options),
            """
            #EXTM3U
            #EXT-X-VERSION:3
            #EXT-X-TARGETDURATION:6
            #EXT-X-MEDIA-SEQUENCE:0
            #EXT-X-PLAYLIST-TYPE:EVENT
            #EXTINF:6.006,
            en-0.vtt
            #EXT-X-DISCONTINUITY
            #EXTINF:6.006,
            en-1.vtt
            #EXTINF:6.006,
            en-2.vtt
            #EXT-X-ENDLIST

            """)
        options.playlistType = nil
        let text = try String(decoding: SubtitlePlaylist(segments: segments, options: options).bytes, as: UTF8.self)
        #expect(!text.contains("PLAYLIST-TYPE"))
    }

    /// No segment, rounded to whole seconds, is longer than the target duration that is given.
    @Test(
        arguments: [
            (6_000, 6, true), (6_499, 6, true), (6_500, 6, false), (7_000, 6, false), (.max, .max, true), (1, 0, true),
            (500, 0, false),
        ] as [(Int64, UInt64, Bool)])
    func theGivenTargetDuration(_ milliseconds: Int64, _ target: UInt64, _ fits: Bool) {
        var options = SubtitlePlaylist.Options()
        options.targetDuration = target
        let duration = MediaDuration(milliseconds: milliseconds)
        let segments = [1, milliseconds].map {
            SubtitlePlaylist.Segment(uri: "a", duration: MediaDuration(milliseconds: $0))
        }
        let made = try? SubtitlePlaylist(uri: "a", duration: duration, options: options)
        #expect((made != nil) == fits)
        guard !fits else { return }
        #expect(throws: SubtitlePlaylistError(.longerThanTarget, segment: 1)) {
            try SubtitlePlaylist(segments: segments, options: options)
        }
    }

    @Test(
        arguments: [
            (1, "1", "0.001"), (999, "1", "0.999"), (1000, "1", "1.000"), (1001, "2", "1.001"), (5999, "6", "5.999"),
            (6000, "6", "6.000"), (9999, "10", "9.999"), (10_000, "10", "10.000"), (634_001, "635", "634.001"),
            (.max, "18446744074", "18446744073.709551615"),
        ] as [(Int64, String, String)])
    func targetDurationCovers(_ milliseconds: Int64, _ target: String, _ seconds: String) throws {
        let playlist = try SubtitlePlaylist(uri: "a", duration: MediaDuration(milliseconds: milliseconds))
        let lines = String(decoding: playlist.bytes, as: UTF8.self).split(separator: "\n")
        #expect(lines[2] == "#EXT-X-TARGETDURATION:" + target)
        #expect(lines[5] == "#EXTINF:" + seconds + ",")
        #expect(playlist.bytes.count == playlist.byteCount)
    }

    /// Durations in nanoseconds, the target duration and how EXTINF writes them: exactly, with three decimals at least.
    @Test(
        arguments: [
            (1, "1", "0.000000001"), (999_999, "1", "0.000999999"), (1_000_000, "1", "0.001"),
            (5_966_633_000, "6", "5.966633"), (6_006_000_000, "7", "6.006"), (6_000_000_000, "6", "6.000"),
            (6_000_000_010, "7", "6.00000001"), (5_999_999_999, "6", "5.999999999"),
            (.max, "18446744074", "18446744073.709551615"),
        ] as [(UInt64, String, String)])
    func durationsAreExact(_ nanoseconds: UInt64, _ target: String, _ seconds: String) throws {
        let duration = MediaDuration(nanoseconds: nanoseconds)
        let lines = try String(decoding: SubtitlePlaylist(uri: "a", duration: duration).bytes, as: UTF8.self)
            .split(separator: "\n")
        #expect(lines[2] == "#EXT-X-TARGETDURATION:" + target)
        #expect(lines[5] == "#EXTINF:" + seconds + ",")
        let isLonger = nanoseconds.addingReportingOverflow(1)
        if !isLonger.overflow { #expect(duration < MediaDuration(nanoseconds: isLonger.partialValue)) }
        // What is written is read again as what it was.
        let read = Array(seconds.utf8).withUnsafeBytes { DecimalSeconds(ByteView($0)) }
        #expect(read == DecimalSeconds(nanoseconds: nanoseconds))
    }

    @Test func nothingLastsNoTime() {
        #expect(throws: SubtitlePlaylistError(.noDuration, segment: 0)) {
            try SubtitlePlaylist(uri: "a", duration: MediaDuration(nanoseconds: 0))
        }
    }

    @Test func theLongestSegmentCounts() throws {
        for longest in 0..<3 {
            let segments = (0..<3).map {
                SubtitlePlaylist.Segment(uri: "a", duration: MediaDuration(milliseconds: $0 == longest ? 9001 : 2000))
            }
            let text = try String(decoding: SubtitlePlaylist(segments: segments).bytes, as: UTF8.self)
            #expect(text.contains("#EXT-X-TARGETDURATION:10\n"))
        }
    }

    /// A video's own durations, summed and rounded up, are covered.
    @Test func coversTheVideo() {
        var sum = DecimalSeconds.zero
        for _ in 0..<3 { sum += DecimalSeconds(nanoseconds: 5_999_990_000) }
        #expect(MediaDuration(covering: sum) == MediaDuration(milliseconds: 18_000))
        #expect(MediaDuration(covering: .zero) == MediaDuration(milliseconds: 0))
        #expect(MediaDuration(milliseconds: 1) < MediaDuration(milliseconds: 2))
    }

    @Test(
        arguments: [
            ("a", 0, SubtitlePlaylistError(.noDuration, segment: 1)),
            ("a", -1, SubtitlePlaylistError(.noDuration, segment: 1)),
            ("a", .min, SubtitlePlaylistError(.noDuration, segment: 1)),
            ("", 1, SubtitlePlaylistError(.emptyURI, segment: 1)),
            ("#a", 1, SubtitlePlaylistError(.commentURI, segment: 1)),
            ("#", 1, SubtitlePlaylistError(.commentURI, segment: 1)),
            ("a\n", 1, SubtitlePlaylistError(.lineBreakInURI, segment: 1, position: 1)),
            ("\r", 1, SubtitlePlaylistError(.lineBreakInURI, segment: 1, position: 0)),
            ("a\r\nb", 1, SubtitlePlaylistError(.lineBreakInURI, segment: 1, position: 1)),
            ("ab\0", 1, SubtitlePlaylistError(.lineBreakInURI, segment: 1, position: 2)),
            ("{$a}", 1, SubtitlePlaylistError(.variableInURI, segment: 1, position: 0)),
            ("a/{{$", 1, SubtitlePlaylistError(.variableInURI, segment: 1, position: 3)),
        ] as [(String, Int64, SubtitlePlaylistError)])
    func refuses(_ uri: String, _ milliseconds: Int64, _ error: SubtitlePlaylistError) {
        let good = SubtitlePlaylist.Segment(uri: "a", duration: MediaDuration(milliseconds: 1))
        let bad = SubtitlePlaylist.Segment(uri: uri, duration: MediaDuration(milliseconds: milliseconds))
        #expect(throws: error) { try SubtitlePlaylist(segments: [good, bad, good]) }
        #expect(throws: SubtitlePlaylistError.self) { try SubtitlePlaylist(uri: uri, duration: bad.duration) }
        #expect(!error.description.isEmpty)
    }

    @Test(arguments: ["", "2024\n", "\r", "a\0"])
    func refusesDates(_ date: String) {
        let options = SubtitlePlaylist.Options(programDateTime: Array(date.utf8))
        #expect(throws: SubtitlePlaylistError(.programDateTime)) {
            try SubtitlePlaylist(uri: "a", duration: MediaDuration(milliseconds: 1), options: options)
        }
    }

    @Test func refusesNoSegments() {
        #expect(throws: SubtitlePlaylistError(.noSegments)) { try SubtitlePlaylist(segments: []) }
    }

    @Test(arguments: ["a#b", "{", "a{", "$", "a b", "é", " #a", "a\u{FEFF}"])
    func writesOtherURIsAsTheyAre(_ uri: String) throws {
        let playlist = try SubtitlePlaylist(uri: uri, duration: MediaDuration(milliseconds: 1))
        #expect(String(decoding: playlist.bytes, as: UTF8.self).contains(",\n" + uri + "\n#EXT-X-ENDLIST\n"))
    }

    private func expect(_ playlist: SubtitlePlaylist, _ text: String) throws {
        #expect(String(decoding: playlist.bytes, as: UTF8.self) == text)
        #expect(playlist.byteCount == text.utf8.count)
    }
}
