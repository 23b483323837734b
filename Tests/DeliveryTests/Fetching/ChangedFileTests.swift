import Delivery
import Drivers
import Sideload
import Support
import Testing
import WebVTT

/// Files whose cues are shifted, and files that are not UTF-8.
@Suite struct ChangedFileTests {
    private static let vtt = "WEBVTT\n\n00:01.000 --> 00:02.000\na\n"
    private static let given = TimestampMap(mpegTS: 5)

    private static func track(_ path: String, _ format: SubtitleFormat = .webVTT, shift: Int64) -> FetchTrack {
        var track = FetchCase.track(path, format)
        track.shift = shift
        return track
    }

    private static func row(
        _ reason: String, _ job: FetchJob, _ file: [UInt8], asks asked: [String] = ["/a"], _ result: String
    ) -> FetchCase { FetchCase(reason, job, ["/a": [NaiveOrigin(file)]], asks: asked, result) }

    private static func wide(_ text: String, bigEndian: Bool = false) -> [UInt8] {
        ("\u{FEFF}" + text).utf16.flatMap { unit -> [UInt8] in
            let bytes = [UInt8(unit >> 8), UInt8(unit & 255)]
            return bigEndian ? bytes : bytes.reversed()
        }
    }

    private static let shiftedFiles: [FetchCase] = [
        row(
            "later", .content(track("a", shift: 1500), map: .own), Array(vtt.utf8),
            "WEBVTT\n\n00:02.500 --> 00:03.500\na\n"),
        row(
            "earlier, and a cue that would end before 0 is left out", .content(track("a", shift: -2000), map: .own),
            Array((vtt + "\n00:03.000 --> 00:04.000\nb\n").utf8), "WEBVTT\n\n\n00:01.000 --> 00:02.000\nb\n"),
        row(
            "with a map", .content(track("a", shift: 1500), map: .ifNone(given)), Array(vtt.utf8),
            "WEBVTT\nX-TIMESTAMP-MAP=LOCAL:00:00:00.000,MPEGTS:5\n\n00:02.500 --> 00:03.500\na\n"),
        row(
            "SubRip", .content(track("a", .subRip, shift: 1000), map: .own), FetchFiles.subRip,
            "converted WEBVTT\n\n1\n00:00:02.000 --> 00:00:03.250\n<i>a</i>\n\n2\n00:00:04.000 --> 00:00:03.000\nb\n"),
        row(
            "UTF-16", .content(track("a", shift: 1500), map: .own), wide(vtt),
            "WEBVTT\n\n00:02.500 --> 00:03.500\na\n"),
        row(
            "a duration, from the tail", .duration(track("a", shift: 1500)), FetchFiles.cues, asks: ["/a -64"],
            "22000 of tail, final 22000"),
        row(
            "a duration, from all", .duration(track("a", .subRip, shift: -1000)), FetchFiles.subRip,
            "1250 of file, final 1000"),
        row(
            "a final cue that is left out", .duration(track("a", .subRip, shift: -2100)), FetchFiles.subRip,
            "150 of file, final 0"),
        row(
            "nothing is left", .duration(track("a", shift: -20_500)), FetchFiles.cues, asks: ["/a -64"],
            "unusable: no cue"),
    ]

    @Test(arguments: shiftedFiles) func shifted(_ row: FetchCase) { row.check() }

    /// Whoever would send a player to the file itself must know that it would read something else there.
    @Test func whatIsReadInAnotherWayIsChanged() {
        func isChanged(_ track: FetchTrack, _ file: [UInt8]) -> Bool? {
            let run = FetchCase.run(.content(track, map: .own), ["/a": [NaiveOrigin(file)]]) { [0..<$0] }
            guard case .answer(.text(let text)) = run.result else { return nil }
            return text.isChanged
        }
        #expect(isChanged(Self.track("a", shift: 0), Array(Self.vtt.utf8)) == false)
        #expect(isChanged(Self.track("a", shift: 1), Array(Self.vtt.utf8)) == true)
        #expect(isChanged(Self.track("a", shift: 0), Self.wide(Self.vtt)) == true)
        var named = Self.track("a", shift: 0)
        named.encoding = Array("windows-1252".utf8)
        #expect(isChanged(named, Array(Self.vtt.utf8)) == true)
    }

    /// What is too long to be held until it is known whether its times change: no half of a file is shifted.
    @Test func aLineThatIsTooLong() {
        let file = Array((Self.vtt + "\n").utf8) + [UInt8](repeating: 0x61, count: 1 << 20 + 1)
        let run = FetchCase.run(
            .content(Self.track("a", shift: 1), map: .own), ["/a": [NaiveOrigin(file)]], FetchLimits()
        ) { Splits.even(of: $0, size: 65_536) }
        guard case .failure(let error) = run.result else { return #expect(Bool(false), "\(run.result)") }
        let words = "the line is longer than the limit of 1048576 bytes; break it up"
        #expect("\(error.reason)" == "at byte \(Self.vtt.utf8.count + 1): \(words)")
        #expect(error.reason.category == .unusable)
    }

    private static let wideFiles: [FetchCase] = [
        row("low byte first", .content(FetchCase.track("a"), map: .own), wide(vtt + "é 🎬\n"), vtt + "é 🎬\n"),
        row(
            "high byte first", .content(FetchCase.track("a"), map: .ifNone(given)), wide(vtt, bigEndian: true),
            vtt.replacing("WEBVTT\n", with: "WEBVTT\nX-TIMESTAMP-MAP=LOCAL:00:00:00.000,MPEGTS:5\n")),
        row(
            "SubRip", .content(FetchCase.track("a", .subRip), map: .own),
            wide(String(decoding: FetchFiles.subRip, as: UTF8.self)), "converted " + FetchFiles.converted),
        row("half a unit", .content(FetchCase.track("a"), map: .own), wide(vtt) + [0x61], vtt + "\u{FFFD}"),
        row("what is none", .content(FetchCase.track("a"), map: .own), wide("hello, world"), "unusable: no subtitles"),
        row("a mark alone", .content(FetchCase.track("a"), map: .own), [0xFF, 0xFE], "unusable: no subtitles"),
        row(
            "it is there", .presence(FetchCase.track("a")), wide(vtt), asks: ["/a 0-15"], "present"),
        row(
            "it is not what it should be", .presence(FetchCase.track("a")), wide("hello, world"), asks: ["/a 0-15"],
            "unusable: no subtitles"),
        row(
            "a duration: what the tail does not tell the whole does", .duration(FetchCase.track("a")),
            wide("WEBVTT\n\n00:01.000 --> 00:02.500\n"), asks: ["/a -64", "/a 0-1 if \"v1\"", "/a"],
            "2500 of file, final 2500"),
        row(
            "a duration, where the tail is the whole", .duration(FetchCase.track("a")),
            wide("WEBVTT\n\n0:1 --> 0:2.500"), asks: ["/a -64", "/a"], "unusable: no cue"),
        row(
            "a longer file", .duration(FetchCase.track("a")), wide(String(decoding: FetchFiles.cues, as: UTF8.self)),
            asks: ["/a -64", "/a 1018-1273 if \"v1\"", "/a 0-1017 if \"v1\"", "/a"], "20500 of file, final 20500"),
        row(
            "a duration of SubRip", .duration(FetchCase.track("a", .subRip)),
            wide(String(decoding: FetchFiles.subRip, as: UTF8.self)), "2250 of file, final 2000"),
    ]

    @Test(arguments: wideFiles) func utf16(_ row: FetchCase) { row.check() }

    /// A named encoding is told with every request for the file, which is for all of it; whoever fetches decodes it, and
    /// its length is then another.
    @Test(arguments: [false, true])
    func whoeverFetchesDecodes(_ isDecoded: Bool) {
        let text = Self.vtt + "\u{E9}\n"
        let latin = Array(Self.vtt.utf8) + [0xE9, 0x0A]
        let content = isDecoded ? text : Self.vtt + "\u{FFFD}\n"
        for (kind, words) in [(0, content), (1, "2000 of file, final 2000"), (2, "present")] {
            var track = FetchCase.track("a")
            track.encoding = Array("windows-1252".utf8)
            let job: FetchJob =
                switch kind {
                case 0: .content(track, map: .own)
                case 1: .duration(track)
                default: .presence(track)
                }
            for split in FetchCase.splits {
                let run = FetchCase.run(
                    job, ["/a": [NaiveOrigin(latin)]],
                    seen: { response in
                        var response = response
                        if isDecoded { response.body = Array(text.utf8) }
                        return response
                    }, split)
                #expect(FetchCase.words(run.result) == words)
                #expect(run.requests.map { $0.encoding } == [track.encoding] && run.requests[0].range == nil)
            }
        }
    }

    /// The playlist of a video is asked for as it is.
    @Test func theEncodingIsThatOfTheFileAlone() {
        var track = FetchCase.track("a")
        track.encoding = Array("latin1".utf8)
        let run = FetchCase.run(
            .content(track, map: .fromVideo(FetchCase.url("v.m3u8"))),
            [
                "/a": [NaiveOrigin(Array(Self.vtt.utf8))], "/v.m3u8": [NaiveOrigin(Array(FetchFiles.media.utf8))],
                "/s0.ts": [NaiveOrigin(FetchFiles.transport)],
            ]
        ) { [0..<$0] }
        #expect(run.requests.map { $0.encoding != nil } == [true, false, false])
    }
}
