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

    /// What is checked of a subtitle file's URI is that of no file, and as unlike others as the URI itself.
    @Test(
        arguments: [
            ("a.vtt", .webVTT, "a.vtt "), ("a.srt?b.vtt#c", .subRip, "a.srt ?b.vtt#c"),
            ("a.vtt#c?d", .webVTT, "a.vtt #c?d"),
            ("a.m3u8?b", .playlist, "a.m3u8?b"),
        ] as [(String, SubtitleFormat, String)])
    func whatIsChecked(_ uri: String, _ format: SubtitleFormat, _ checked: String) throws {
        let track = SubtitleTrack(uri: uri, language: "sv", name: "n", isForced: true)
        let made = TrackConfiguration(track, format: format).checked
        #expect(made.uri == checked && made.language == "sv" && made.name == "n" && made.isForced)
        #expect(throws: Never.self) { try SubtitleTracks.check([made]) }
    }

    /// Words are the same if their letters are, wherever those stand.
    @Test func spellings() {
        #expect(Spelling("on") == "on" && Spelling("on") != "of" && Spelling("on") != "one" && Spelling("") == "")
        #expect("\(Spelling("on"))" == "on")
    }
}
