import AVFoundation
import Foundation
import Support
import Testing

@testable import SideloadAVFoundation

/// A live video with tracks: an origin that publishes when it is told to, and a clock that stands until it is moved.
struct LiveStage {
    /// When the first segment is, in nanoseconds after 1970.
    static let begin: Int64 = 1_795_000_000_000_000_000
    static let media = "https://example.com/a/v.m3u8"
    static let master = "#EXTM3U\n#EXT-X-STREAM-INF:BANDWIDTH=1000\nv.m3u8\n"
    /// A cue from every fifth second on, 4 s long.
    static let cues =
        "WEBVTT\n\n"
        + (0..<400).map { number in
            func two(_ value: Int) -> String { value < 10 ? "0\(value)" : "\(value)" }
            func time(_ seconds: Int) -> String { "\(two(seconds / 60)):\(two(seconds % 60)).000" }
            return "\(time(number * 5)) --> \(time(number * 5 + 4))\ncue \(number)\n\n"
        }.joined()

    let script: Locked<LiveOrigin>
    let clock = Locked<Int64>(1_000_000)
    let stage: Stage
    var origin: FakeOrigin { stage.origin }
    var loader: SubtitleLoader { stage.loader }

    /// Eight segments have been made.
    init(
        _ kind: LiveOrigin.Kind = LiveOrigin.Kind(), subtitles: [ExternalSubtitle]? = nil,
        master: FakeOrigin.Page = .file(LiveStage.master), segments: Int = 8,
        _ options: (inout SubtitleLoaderOptions) throws -> Void = { _ in }
    ) throws {
        var script = LiveOrigin(kind, at: Self.begin)
        for _ in 0..<segments { script.advance() }
        self.script = Locked(script)
        let origin = FakeOrigin([
            Stage.master: master, Stage.english: .file(Self.cues), Stage.swedish: .file(Self.cues),
        ])
        let clock = clock
        stage = try Stage(origin, subtitles: subtitles ?? Self.tracks()) {
            $0.now = { clock.withLock { $0 } }
            try options(&$0)
        }
        publish()
    }

    /// A kind of stream.
    static func kind(_ change: (inout LiveOrigin.Kind) -> Void) -> LiveOrigin.Kind {
        var kind = LiveOrigin.Kind()
        change(&kind)
        return kind
    }

    /// Two files whose time 0 is when the stream began.
    static func tracks(at anchor: TrackAnchor? = .date(begin)) throws -> [ExternalSubtitle] {
        [
            ExternalSubtitle(try url(Stage.english), language: "en", name: "English", at: anchor),
            ExternalSubtitle(try url(Stage.swedish), language: "sv", name: "Svenska", format: .webVTT, at: anchor),
        ]
    }

    var version: String { script.withLock { $0.version() } }

    /// Puts the present version, and the segments that it has.
    func publish() {
        origin.put(.whole(version), at: Self.media)
        for segment in script.withLock({ $0.segments }) {
            origin.put(.bytes(Self.transport(at: segment.ticks)), at: segment.uri)
        }
    }

    /// The origin goes on, in time, and publishes.
    func advance(_ count: Int = 1) {
        for _ in 0..<count {
            script.withLock { $0.advance() }
            pass(6006)
        }
        publish()
    }

    /// So many milliseconds pass.
    func pass(_ milliseconds: Int64) { clock.withLock { $0 += milliseconds } }

    static func transport(at ticks: Int64) -> [UInt8] {
        let start = UInt64(ticks) & ((1 << 33) - 1)
        var stream = TransportStreamBytes()
        stream.tables([.init(type: 0x1B, pid: 0x100)])
        for picture in 0..<12 as Range<UInt64> {
            stream.pes(pid: 0x100, streamID: 0xE0, pts: start + picture * 3600, dts: start + picture * 3600)
        }
        return stream.bytes
    }

    // MARK: What the player has

    /// The address of a track's playlist.
    static func playlist(_ language: String, _ query: String = "") throws -> URL {
        try url("surtitle-track://subtitles/\(language).m3u8\(query)")
    }

    func listing(_ language: String = "en") async throws -> LiveListing {
        LiveListing(try await stage.text(try Self.playlist(language)))
    }

    /// The rendition is the video's playlist, number for number, with names that hold the number alone.
    func expectSame(_ listing: LiveListing, _ place: SourceLocation = #_sourceLocation) {
        var (mine, video) = (listing, LiveListing(version))
        for segment in mine.segments {
            #expect(segment.uri.hasSuffix("/\(segment.number).vtt"), sourceLocation: place)
        }
        (mine.others, video.others) = ([], [])
        for index in mine.segments.indices { mine.segments[index].uri = "" }
        for index in video.segments.indices { video.segments[index].uri = "" }
        #expect(mine == video, sourceLocation: place)
    }

    /// Each segment has the cues that show in it, and the map of its clock.
    func expectCues(
        of listing: LiveListing, each: @escaping (String) async throws -> String,
        _ place: SourceLocation = #_sourceLocation
    ) async throws {
        #expect(!listing.segments.isEmpty, sourceLocation: place)
        for listed in listing.segments {
            let text = try await each(listed.uri)
            let segment = try #require(script.withLock { $0.segment(listed.number) })
            let (start, end) = (segment.start - Self.begin, segment.start + segment.duration - Self.begin)
            let shown = (0..<400 as Range<Int>).filter { number in
                Int64(number) * 5_000_000_000 < end && Int64(number * 5 + 4) * 1_000_000_000 > start
            }
            #expect(Self.cues(in: text) == shown, "segment \(listed.number)", sourceLocation: place)
            let map = try #require(Self.map(in: text), sourceLocation: place)
            let turn: Int64 = 1 << 33
            let off = (map - (segment.ticks - 90 * start / 1_000_000)) % turn
            #expect(min(abs(off), turn - abs(off)) <= 90, "segment \(listed.number)", sourceLocation: place)
        }
    }

    func expectCues(of listing: LiveListing, _ place: SourceLocation = #_sourceLocation) async throws {
        try await expectCues(of: listing, each: { try await stage.text(try url($0)) }, place)
    }

    static func cues(in text: String) -> [Int] {
        text.split(separator: "\n").compactMap { $0.hasPrefix("cue ") ? Int($0.dropFirst(4)) : nil }
    }

    /// The ticks of cue time 0.
    static func map(in text: String) -> Int64? {
        guard let line = text.split(separator: "\n").first(where: { $0.hasPrefix("X-TIMESTAMP-MAP=") }),
            let ticks = line.range(of: "MPEGTS:"), let local = line.range(of: "LOCAL:")
        else { return nil }
        let time = line[local.upperBound...].prefix { $0 != "," }.split { $0 == ":" || $0 == "." }.compactMap {
            Int64($0)
        }
        guard time.count == 4, let number = Int64(line[ticks.upperBound...].prefix { $0 != "," }) else { return nil }
        return number - 90 * (((time[0] * 60 + time[1]) * 60 + time[2]) * 1000 + time[3])
    }
}
