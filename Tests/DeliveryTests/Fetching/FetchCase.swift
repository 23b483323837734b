import ByteScan
import Delivery
import Drivers
import M3U8
import Sideload
import Support
import Testing
import WebVTT

/// A job, the origins that it asks, what it asks of them, and what comes of it; in words.
///
/// Origins are by path. Each request for a path gets the next of its list, and the last of them again.
struct FetchCase: Sendable, CustomTestStringConvertible {
    let reason: String
    let job: FetchJob
    let origins: [String: [NaiveOrigin]]
    let asked: [String]
    let result: String
    var limits = Self.limits
    /// What decrypts, if anything does.
    var decrypt: (@Sendable (Decryption) -> [UInt8]?)?

    /// Limits so small that a few hundred bytes reach them.
    static let limits = FetchLimits(
        tail: 64, block: 1024, file: 4096, playlist: 2048, segment: 8192, requests: 10)

    init(
        _ reason: String, _ job: FetchJob, _ origins: [String: [NaiveOrigin]], asks asked: [String], _ result: String
    ) {
        self.reason = reason
        self.job = job
        self.origins = origins
        self.asked = asked
        self.result = result
    }

    var testDescription: String { reason }

    /// Drives the job with bodies whole, byte by byte and at random; all must come to the same.
    func check(_ sourceLocation: SourceLocation = #_sourceLocation) {
        for (number, split) in Self.splits.enumerated() {
            let run = Self.run(job, origins, limits, decrypt: decrypt, split)
            #expect(
                run.requests.map(Self.words) == asked, "\(reason), split \(number)", sourceLocation: sourceLocation)
            #expect(Self.words(run.result) == result, "\(reason), split \(number)", sourceLocation: sourceLocation)
        }
    }

    static let splits: [@Sendable (Int) -> [Range<Int>]] = [
        { [0..<$0] }, { Splits.even(of: $0, size: 1) }, { Splits.random(of: $0, times: 1, seed: 7)[0] },
        { [0..<0] + Splits.even(of: $0, size: 13) },
    ]

    static func run(
        _ job: FetchJob, _ origins: [String: [NaiveOrigin]], _ limits: FetchLimits = limits,
        seen: (NaiveOrigin.Response) -> NaiveOrigin.Response = { $0 }, decrypt: ((Decryption) -> [UInt8]?)? = nil,
        learnsWhatStays: Bool = false, _ split: (Int) -> [Range<Int>]
    ) -> FetchRun {
        var counts: [String: Int] = [:]
        return FetchRun(
            job, limits: limits,
            reply: { request in
                let path = path(of: request.url)
                let list = origins[path] ?? [NaiveOrigin([], .missing)]
                let number = counts[path, default: 0]
                counts[path] = number + 1
                let origin = list[min(number, list.count - 1)]
                let field = { (name: String) in
                    request.fields.first { "\($0.name)" == name }.map { String(decoding: $0.value, as: UTF8.self) }
                }
                return FetchRun.Reply(origin.respond(range: field("Range"), ifRange: field("If-Range")).map(seen))
            }, split: split, decrypt: decrypt, learnsWhatStays: learnsWhatStays)
    }

    /// What comes after the host.
    static func path(of url: [UInt8]) -> String {
        let text = String(decoding: url, as: UTF8.self)
        return text.hasPrefix(host) ? String(text.dropFirst(host.count - 1)) : text
    }

    static let host = "https://o.example/"

    static func url(_ path: String) -> [UInt8] { Array((host + path).utf8) }

    static func track(
        _ path: String, _ format: SubtitleFormat = .webVTT, duration: DecimalSeconds? = nil
    ) -> FetchTrack {
        FetchTrack(url: url(path), format: format, duration: duration)
    }

    /// A request in words: `/a.vtt -64`, `/a.vtt 0-15 if "v1"`, `/a.vtt`.
    static func words(_ request: FetchRequest) -> String {
        let range = request.range.map { " " + String(decoding: $0.value.dropFirst(6), as: UTF8.self) } ?? ""
        let tag = request.ifRange.map { " if " + String(decoding: $0, as: UTF8.self) } ?? ""
        return path(of: request.url) + range + tag
    }

    static func words(_ step: Fetch.Step) -> String {
        switch step {
        case .request(let request): return "asks \(words(request))"
        case .decrypt(let decryption): return "decrypts \(decryption.bytes.count) bytes"
        case .failure(let error): return "\(error.reason.category): \(words(error.reason))"
        case .answer(.present): return "present"
        case .answer(.duration(let found)):
            let final = found.finalCueEnd.map { ", final \($0.milliseconds)" } ?? ""
            return "\(found.duration.milliseconds) of \(found.source)\(final)"
        case .answer(.text(let text)):
            return (text.isConverted ? "converted " : "") + String(decoding: text.bytes, as: UTF8.self)
                + (text.mapFailure.map { " without map, \(words($0.reason)) of \(path(of: $0.url))" } ?? "")
        case .answer(.playlist(let playlist)):
            return "\(playlist.bytes.count) bytes from \(path(of: playlist.url))"
        case .answer(.mediaStart(let start)):
            return "tick \(start.map.mpegTS) at \(start.map.local.milliseconds)"
        case .answer(.key(let bytes)): return "key of \(bytes.count) bytes"
        }
    }

    private static func words(_ reason: FetchError.Reason) -> String {
        switch reason {
        case .network: "network"
        case .partNotAskedFor: "part not asked for"
        case .wrongLength: "wrong length"
        case .tooManyRequests: "too many requests"
        case .notSubtitles: "no subtitles"
        case .notPlaylist: "no playlist"
        case .noCue: "no cue"
        case .noVariant: "no variant"
        case .noSegment: "no segment"
        case .malformedPlaylist: "malformed playlist"
        case .variable: "variable"
        case .notHTTP: "not HTTP"
        case .fieldsTooLong: "fields too long"
        default: reason.description
        }
    }
}

/// Files that the rows share.
enum FetchFiles {
    /// 20 cues of 33 bytes each behind a head of 8: 668 bytes. The last ends at 20.5 s.
    static let cues = vtt(20)

    static func vtt(_ count: Int) -> [UInt8] { Array("WEBVTT\n\n".utf8) + (1...count).flatMap(cue) }

    private static func cue(_ number: Int) -> [UInt8] {
        let minutes = number / 60 < 10 ? "0\(number / 60)" : "\(number / 60)"
        let seconds = number % 60 < 10 ? "0\(number % 60)" : "\(number % 60)"
        return Array("00:\(minutes):\(seconds).000 --> 00:\(minutes):\(seconds).500\na\n\n".utf8)
    }

    /// The cues, and behind them a note of so many bytes.
    static func noted(_ count: Int) -> [UInt8] {
        cues + Array("NOTE ".utf8) + [UInt8](repeating: UInt8(ascii: "z"), count: count - 6) + [0x0A]
    }

    static let subRip = Array(
        "1\n00:00:01,000 --> 00:00:02,250\n<i>a</i>\n\n2\n00:00:03,000 --> 00:00:02,000\nb\n".utf8)

    /// What the SubRip becomes.
    static let converted =
        "WEBVTT\n\n1\n00:00:01.000 --> 00:00:02.250\n<i>a</i>\n\n2\n00:00:03.000 --> 00:00:02.000\nb\n"

    static let media = "#EXTM3U\n#EXT-X-TARGETDURATION:6\n#EXTINF:6,\ns0.ts\n#EXTINF:5.5,\ns1.ts\n#EXT-X-ENDLIST\n"

    /// A segment of MPEG-TS whose first time stamp is 126000, and whose second picture settles it.
    static let transport: [UInt8] = {
        var stream = TransportStreamBytes()
        stream.tables([.init(type: 0x1B, pid: 0x100)])
        for picture in 0..<12 as Range<UInt64> {
            stream.pes(pid: 0x100, streamID: 0xE0, pts: 126_000 + picture * 3_600, dts: 126_000 + picture * 3_600)
        }
        return stream.bytes
    }()

    private static let movieTrack = FragmentedMP4Bytes.Track(id: 1, timescale: 90_000)
    static let initialization = FragmentedMP4Bytes.initSegment([movieTrack])
    static let fragment = FragmentedMP4Bytes.segment([.init(track: 1, decodeTime: 900_000)])
}
