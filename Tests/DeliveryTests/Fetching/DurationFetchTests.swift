import Delivery
import Drivers
import M3U8
import Support
import Testing

/// How long a track lasts: the tail where that is enough, else the whole (RFC 9110 14).
@Suite struct DurationFetchTests {
    private static let file = FetchFiles.cues
    private static let tail = "20500 of tail, final 20500"
    private static let all = "20500 of file, final 20500"

    private static func row(
        _ reason: String, _ origins: [NaiveOrigin], asks asked: [String], _ result: String
    ) -> FetchCase {
        FetchCase(reason, .duration(FetchCase.track("a.vtt")), ["/a.vtt": origins], asks: asked, result)
    }

    private static func row(
        _ reason: String, _ habit: NaiveOrigin.Habit, asks asked: [String], _ result: String
    ) -> FetchCase { row(reason, [NaiveOrigin(file, habit)], asks: asked, result) }

    /// Files whose end tells, or does not.
    private static let files: [FetchCase] = [
        row("the final cue is in the tail", .honest, asks: ["/a.vtt -64"], tail),
        row(
            "a file of no more than the tail is known whole", [NaiveOrigin(FetchFiles.vtt(1))],
            asks: ["/a.vtt -64"], "1500 of file, final 1500"),
        row(
            "earlier bytes are asked for with the tag", [NaiveOrigin(FetchFiles.noted(100))],
            asks: ["/a.vtt -64", "/a.vtt 448-703 if \"v1\""], tail),
        row(
            "a weak tag is no condition", [NaiveOrigin(FetchFiles.noted(100), tag: "W/\"v1\"")],
            asks: ["/a.vtt -64", "/a.vtt 448-703"], tail),
        row(
            "what is no tag is no condition", [NaiveOrigin(FetchFiles.noted(100), tag: "v1")],
            asks: ["/a.vtt -64", "/a.vtt 448-703"], tail),
        row(
            "no tag, no condition", [NaiveOrigin(FetchFiles.noted(100), .bare)],
            asks: ["/a.vtt -64", "/a.vtt 448-703"], tail),
        row(
            "after three parts the whole", [NaiveOrigin(FetchFiles.noted(1500))],
            asks: ["/a.vtt -64", "/a.vtt 1848-2103 if \"v1\"", "/a.vtt 824-1847 if \"v1\"", "/a.vtt"], all),
        row(
            "the earlier part reaches the file's beginning",
            [
                NaiveOrigin(
                    FetchFiles.vtt(1)
                        + Array("NOTE zzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzz\n".utf8))
            ],
            asks: ["/a.vtt -64", "/a.vtt 0-45 if \"v1\""], "1500 of file, final 1500"),
        row(
            "the latest of the cues that came counts",
            [NaiveOrigin(Array("WEBVTT\n\n00:01.000 --> 00:09.000\na\n\n00:02.000 --> 00:04.500\n".utf8))],
            asks: ["/a.vtt -64"], "9000 of file, final 4500"),
        row("no cue", [NaiveOrigin(Array("WEBVTT\n\nNOTE x\n".utf8))], asks: ["/a.vtt -64"], "unusable: no cue"),
        row(
            "a cue that ends at 0 makes no duration",
            [NaiveOrigin(Array("WEBVTT\n\n00:00.000 --> 00:00.000\nx\n".utf8))],
            asks: ["/a.vtt -64"], "unusable: no cue"),
        row(
            "an earlier part too short for a signature is not the whole file",
            [NaiveOrigin(Array("WEBVTT\n\nNOTE ".utf8) + [UInt8](repeating: UInt8(ascii: "z"), count: 56))],
            asks: ["/a.vtt -64", "/a.vtt 0-4 if \"v1\""], "unusable: no cue"),
        row("no WebVTT", [NaiveOrigin(Array("<html>\n".utf8))], asks: ["/a.vtt -64"], "unusable: no subtitles"),
        row(
            "SubRip under the name of WebVTT", [NaiveOrigin(FetchFiles.subRip)],
            asks: ["/a.vtt -64", "/a.vtt 0-11 if \"v1\""], "unusable: no subtitles"),
        row("an empty file has no part", [NaiveOrigin([])], asks: ["/a.vtt -64", "/a.vtt"], "unusable: no subtitles"),
    ]

    /// "The VTT is downloaded whole to find its duration": what is asked for instead.
    @Test(arguments: files) func theTailTellsTheDuration(_ row: FetchCase) { row.check() }

    /// Origins that do not serve ranges, or not right.
    private static let habits: [FetchCase] = [
        row("a 200 for a range is used, and not asked for again", .whole, asks: ["/a.vtt -64"], all),
        row("also without a length", .endless, asks: ["/a.vtt -64"], all),
        row("a part that begins later than asked for", .laterPart, asks: ["/a.vtt -64", "/a.vtt"], all),
        row("a part that is not the tail", .shorterPart, asks: ["/a.vtt -64", "/a.vtt"], all),
        row(
            "an earlier part that ends early, and not where the file does",
            [NaiveOrigin(noted), NaiveOrigin(noted, .shorterPart)],
            asks: ["/a.vtt -64", "/a.vtt 448-703 if \"v1\"", "/a.vtt"], all),
        row("a tail of nobody knows what", .unknownTotal, asks: ["/a.vtt -64", "/a.vtt"], all),
        row("several parts", .multipart, asks: ["/a.vtt -64", "/a.vtt"], all),
        row("a Content-Range that is none", .malformedRange, asks: ["/a.vtt -64", "/a.vtt"], all),
        row("a part longer than it says", .longerBody, asks: ["/a.vtt -64", "/a.vtt"], all),
        row("no range can be satisfied", .notSatisfiable, asks: ["/a.vtt -64", "/a.vtt"], all),
        row(
            "a part shorter than it says, and so is the whole", .shorterBody, asks: ["/a.vtt -64", "/a.vtt"],
            "unusable: wrong length"),
        row(
            "an encoded part, and an encoded whole", .gzip, asks: ["/a.vtt -64", "/a.vtt"],
            "unusable: encoded (gzip) although identity was asked for; look into the origin"),
        row("a part that breaks off", .brokenOff, asks: ["/a.vtt -64"], "network: network"),
        row("nobody answers", .silent, asks: ["/a.vtt -64"], "network: network"),
        row("not there", .missing, asks: ["/a.vtt -64"], "missing: status 404"),
        row("busy", .busy, asks: ["/a.vtt -64"], "refused: status 503"),
        row(
            "a redirect that nobody followed", .redirect, asks: ["/a.vtt -64"],
            "refused: status 302, a redirect to https://o.example/elsewhere that was not followed"),
        row("no content", .empty, asks: ["/a.vtt -64"], "refused: status 204"),
        row(
            "longer than the limit, by its length", [NaiveOrigin(FetchFiles.vtt(200), .whole)],
            asks: ["/a.vtt -64"], "limit: more than the limit of 4096 bytes; raise it"),
        row(
            "longer than the limit, by its bytes", [NaiveOrigin(FetchFiles.vtt(200), .endless)],
            asks: ["/a.vtt -64"], "limit: more than the limit of 4096 bytes; raise it"),
        row(
            "a long file is no longer than its tail", [NaiveOrigin(FetchFiles.vtt(200))],
            asks: ["/a.vtt -64"], "200500 of tail, final 200500"),
    ]

    @Test(arguments: habits) func habit(_ row: FetchCase) { row.check() }

    private static let noted = FetchFiles.noted(100)

    /// Files that change between requests.
    private static let changes: [FetchCase] = [
        row(
            "If-Range brings the whole new file",
            [NaiveOrigin(noted), NaiveOrigin(FetchFiles.vtt(3), tag: "\"v2\"")],
            asks: ["/a.vtt -64", "/a.vtt 448-703 if \"v1\""], "3500 of file, final 3500"),
        row(
            "another length: once again from the end",
            [NaiveOrigin(noted, .bare), NaiveOrigin(FetchFiles.noted(120), .bare)],
            asks: ["/a.vtt -64", "/a.vtt 448-703", "/a.vtt -64", "/a.vtt 468-723"], tail),
        row(
            "another time: once again",
            [
                NaiveOrigin(noted, tag: nil, modified: "Sun, 06 Nov 1994 08:49:37 GMT"),
                NaiveOrigin(noted, tag: nil, modified: "Sun, 06 Nov 1994 08:49:38 GMT"),
            ], asks: ["/a.vtt -64", "/a.vtt 448-703", "/a.vtt -64", "/a.vtt 448-703"], tail),
        row(
            "another weak tag: once again",
            [NaiveOrigin(noted, tag: "W/\"a\""), NaiveOrigin(noted, tag: "W/\"b\"")],
            asks: ["/a.vtt -64", "/a.vtt 448-703", "/a.vtt -64", "/a.vtt 448-703"], tail),
        row(
            "it changes each time: then the whole",
            [
                NaiveOrigin(noted, .bare), NaiveOrigin(FetchFiles.noted(110), .bare),
                NaiveOrigin(FetchFiles.noted(120), .bare), NaiveOrigin(FetchFiles.noted(130), .bare),
                NaiveOrigin(file, .bare),
            ], asks: ["/a.vtt -64", "/a.vtt 448-703", "/a.vtt -64", "/a.vtt 468-723", "/a.vtt"], all),
        row(
            "it is gone", [NaiveOrigin(noted), NaiveOrigin([], .missing)],
            asks: ["/a.vtt -64", "/a.vtt 448-703 if \"v1\""], "missing: status 404"),
        row(
            "it became too short for the part", [NaiveOrigin(noted, .bare), NaiveOrigin(FetchFiles.vtt(2), .bare)],
            asks: ["/a.vtt -64", "/a.vtt 448-703", "/a.vtt"], "2500 of file, final 2500"),
    ]

    @Test(arguments: changes) func change(_ row: FetchCase) { row.check() }

    /// What is no WebVTT by its tail.
    private static let others: [FetchCase] = [
        FetchCase(
            "SubRip is read whole", .duration(FetchCase.track("a.srt", .subRip)),
            ["/a.srt": [NaiveOrigin(FetchFiles.subRip)]], asks: ["/a.srt"], "2250 of file, final 2000"),
        FetchCase(
            "WebVTT under the name of SubRip", .duration(FetchCase.track("a.srt", .subRip)),
            ["/a.srt": [NaiveOrigin(file)]], asks: ["/a.srt"], all),
        FetchCase(
            "no SubRip", .duration(FetchCase.track("a.srt", .subRip)), ["/a.srt": [NaiveOrigin(Array("hello\n".utf8))]],
            asks: ["/a.srt"], "unusable: no subtitles"),
        FetchCase(
            "SubRip in another encoding", .duration(FetchCase.track("a.srt", .subRip)),
            ["/a.srt": [NaiveOrigin(Array("1\n00:00:01,000 --> 00:00:02,250\n".utf8) + [0xE9, 0x0A])]],
            asks: ["/a.srt"],
            "unusable: at byte 32: not UTF-8 but an 8-bit or East Asian encoding; find out which, and convert it first"),
        FetchCase(
            "SubRip that is not there", .duration(FetchCase.track("a.srt", .subRip)), [:],
            asks: ["/a.srt"], "missing: status 404"),
        FetchCase(
            "a playlist's length", .duration(FetchCase.track("a.m3u8", .playlist)),
            ["/a.m3u8": [NaiveOrigin(Array(FetchFiles.media.utf8))]], asks: ["/a.m3u8"], "11500 of playlist"),
        FetchCase(
            "a playlist without segments", .duration(FetchCase.track("a.m3u8", .playlist)),
            ["/a.m3u8": [NaiveOrigin(Array("#EXTM3U\n#EXTINF:5,\n".utf8))]], asks: ["/a.m3u8"], "unusable: no cue"),
        FetchCase(
            "no playlist", .duration(FetchCase.track("a.m3u8", .playlist)), ["/a.m3u8": [NaiveOrigin(file)]],
            asks: ["/a.m3u8"], "unusable: no playlist"),
        FetchCase(
            "EXTINF that is no time", .duration(FetchCase.track("a.m3u8", .playlist)),
            ["/a.m3u8": [NaiveOrigin(Array("#EXTM3U\n#EXTINF:x,\na\n".utf8))]], asks: ["/a.m3u8"],
            "unusable: malformed playlist"),
        FetchCase(
            "a duration that is given",
            .duration(FetchCase.track("a.vtt", duration: .init(nanoseconds: 1_500_000_000))),
            [:], asks: [], "1500 of track"),
        FetchCase(
            "a given duration of 0 is none", .duration(FetchCase.track("a.vtt", duration: .zero)),
            ["/a.vtt": [NaiveOrigin(file)]], asks: ["/a.vtt -64"], tail),
    ]

    @Test(arguments: others) func other(_ row: FetchCase) { row.check() }

    /// Whoever fetches may have undone a coding: then the length is of the encoded bytes, and a part of nothing.
    @Test func decodedBodies() {
        let run = FetchCase.splits.map { split in
            FetchCase.runDecoded(.duration(FetchCase.track("a.vtt")), Self.file, split)
        }
        #expect(run == Array(repeating: ["/a.vtt -64", "/a.vtt", Self.all], count: run.count))
    }
}

extension FetchCase {
    /// A client that asks for gzip behind the machine's back, and hands over what it has decoded.
    fileprivate static func runDecoded(
        _ job: FetchJob, _ file: [UInt8], _ split: (Int) -> [Range<Int>]
    ) -> [String] {
        let run = FetchRun(
            job, limits: limits,
            reply: { request in
                let coding = [("Content-Encoding", "gzip"), ("Content-Length", "10")]
                if request.range == nil {
                    return .init(.init(status: 200, header: coding, body: file), isDecoded: true)
                }
                let header = coding + [("Content-Range", "bytes \(file.count - 64)-\(file.count - 1)/\(file.count)")]
                return .init(.init(status: 206, header: header, body: Array(file.suffix(64))), isDecoded: true)
            }, split: split)
        return run.requests.map(words) + [words(run.result)]
    }
}
