import ByteScan
import Sideload
import Support
import Testing
import WebVTT

/// A track that is described in code, and what is made of its file.
@Suite struct TrackConfigurationTests {
    /// A URI and a media type, and what the URI refers to; nil if neither tells.
    @Test(
        arguments: [
            ("a.vtt", nil, .webVTT), ("a.srt?b#c", nil, .subRip), ("a/b.m3u8", nil, .playlist), ("a", nil, nil),
            ("a", "text/vtt", .webVTT), ("a.vtt", "application/x-subrip; a=b", .subRip),
            ("a.vtt", "text/plain", .webVTT),
            ("a", "text/plain", nil),
        ] as [(String, String?, SubtitleFormat?)])
    func whatTheURIRefersTo(_ uri: String, _ type: String?, _ format: SubtitleFormat?) {
        let track = SubtitleTrack(uri: uri, language: "sv", name: "n")
        let configuration = TrackConfiguration(track, mediaType: type.map { Array($0.utf8) })
        #expect(configuration?.format == format)
        #expect(configuration?.track == (format == nil ? nil : track))
        #expect(configuration?.changesFile != true && configuration?.followsLiveStreams != false)
    }

    /// A local file that does not begin as WebVTT is what its name says, if that is converted, and else SubRip.
    @Test(
        arguments: [
            (nil, .subRip), ("a.srt", .subRip), ("a.vtt", .subRip), ("a.m3u8", .subRip), ("a", .subRip),
        ] as [(String?, SubtitleFormat)])
    func whatTheFileIs(_ file: String?, _ format: SubtitleFormat) {
        var configuration = TrackConfiguration(SubtitleTrack(uri: "a.vtt", name: "n"), format: .webVTT)
        configuration.file = file
        #expect(configuration.fileFormat == format)
    }

    @Test(
        arguments: [(nil, 0, false), ("latin1", 0, true), (nil, 1, true), (nil, -1, true), ("latin1", 1, true)]
            as [(String?, Int64, Bool)])
    func whatChangesTheFile(_ encoding: String?, _ shift: Int64, _ changes: Bool) {
        var configuration = TrackConfiguration(SubtitleTrack(uri: "a.vtt", name: "n"), format: .webVTT)
        (configuration.encoding, configuration.shift) = (encoding, shift)
        #expect(configuration.changesFile == changes)
    }

    /// A track that is made of a file may have its URI; one whose playlist is told may not.
    @Test(arguments: ["a.vtt", "a.srt?b.vtt#c", "a.vtt#c?d"])
    func aFileMayBeNamed(_ uri: String) {
        func check(_ format: SubtitleFormat) throws {
            try SubtitleTracks.check([TrackConfiguration(SubtitleTrack(uri: uri, name: "n"), format: format)])
        }
        #expect(throws: Never.self) { try check(.webVTT) }
        #expect(throws: Never.self) { try check(.subRip) }
        #expect(throws: SubtitleTrackError(.subtitleFile, track: 0, .uri)) { try check(.playlist) }
    }

    /// All else is checked as of any track, that no two have one URI too.
    @Test func filesAreCheckedTogether() {
        func check(_ uris: String...) throws {
            try SubtitleTracks.check(
                uris.map { TrackConfiguration(SubtitleTrack(uri: $0, name: "n"), format: .webVTT) })
        }
        #expect(throws: Never.self) { try check("a.vtt", "b.vtt", "a.vtt?b") }
        #expect(throws: SubtitleTrackError(.duplicateURI, track: 2)) { try check("a.vtt", "b.vtt", "a.vtt") }
        #expect(throws: SubtitleTrackError(.unquotable, track: 1, .uri)) { try check("a.vtt", "b\".vtt") }
    }

    /// Words are the same if their letters are, wherever those stand.
    @Test func spellings() {
        #expect(Spelling("on") == "on" && Spelling("on") != "of" && Spelling("on") != "one" && Spelling("") == "")
        #expect("\(Spelling("on"))" == "on")
    }
}
