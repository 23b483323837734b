import Foundation
import Support
import Testing

@testable import Delivery
@testable import WebVTT

/// Versions as they were written in real time by ffmpeg 5.1, and by a low-latency origin before it
/// (Tests/Servers/low_latency.py), and the first time stamp of each segment.
///
///     # r0_0.ts 126000            a segment's name, and its first time stamp
///     =                           a version comes, after the query that it was asked for with
///     #EXTM3U
///     =?_HLS_msn=0&_HLS_part=1    the next
struct LiveRecordedTests {
    private static let folder = URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
        .deletingLastPathComponent().appending(path: "Fixtures/live")

    private struct Recording {
        var ticks: [String: UInt64] = [:]
        var versions: [String] = []
        var queries: [String] = []
        /// The lines of each segment as the version had them that came last.
        private var lines: [UInt64: String] = [:]

        init(_ name: String) throws {
            let text = try String(contentsOf: folder.appending(path: "\(name).txt"), encoding: .utf8)
            for line in text.split(separator: "\n") {
                let words = line.split(separator: " ")
                if line.hasPrefix("=") {
                    queries.append(String(line.dropFirst()))
                    versions.append("")
                } else if versions.isEmpty {
                    ticks[String(words[1])] = UInt64(words[2])
                    // With it its first part begins.
                    ticks["\(words[1])".replacing(".m4s", with: ".0.m4s")] = UInt64(words[2])
                } else {
                    versions[versions.count - 1] += "\(line)\n"
                }
            }
        }

        /// The version with the segments that a delta update leaves out.
        mutating func whole(_ version: String) -> String {
            let skipped = "#EXT-X-SKIP:SKIPPED-SEGMENTS="
            var (number, block, whole, isInBody) = (LiveListing(version).first, "", "", false)
            for line in version.split(separator: "\n") {
                if line.hasPrefix(skipped) {
                    for _ in 0..<(Int(line.dropFirst(skipped.count)) ?? 0) {
                        whole += lines[number] ?? "?"
                        number += 1
                    }
                    continue
                }
                whole += "\(line)\n"
                isInBody =
                    isInBody
                    || ["#EXTINF", "#EXT-X-PROG", "#EXT-X-PART:", "#EXT-X-DISCONTINUITY"].contains {
                        line.hasPrefix($0) && !line.hasPrefix("#EXT-X-DISCONTINUITY-")
                    }
                if isInBody { block += "\(line)\n" }
                guard !line.hasPrefix("#") else { continue }
                lines[number] = block
                (number, block) = (number + 1, "")
            }
            return whole
        }

        /// Tells the channel the time stamps that it wants.
        func probe(_ channel: inout LiveChannel) throws {
            while let want = channel.next() {
                let uri = String(decoding: want.media.uri, as: UTF8.self)
                channel.take(mediaStart: try #require(ticks[uri]), of: want.segment)
            }
        }
    }

    @Test(arguments: ["ffmpeg-sliding", "ffmpeg-event", "ffmpeg-append-list"])
    func whatFFmpegWrote(_ name: String) throws {
        let recording = try Recording(name)
        let first = try #require(LiveListing(recording.versions[0]).segments.first?.date)
        let date = try #require(Self.nanoseconds(first))
        var channel = LiveChannel(LiveConfiguration(anchor: .date(date - 60_000_000_000)))
        var (given, names): ([UInt64: Int64], [String: UInt64]) = ([:], [:])
        var compared = 0
        for version in recording.versions {
            let change = try channel.take(version)
            #expect(![.stale, .suspect, .needsFull, .restarted].contains(change), "\(change) \(version)")
            try recording.probe(&channel)
            let (video, made) = (LiveListing(version), LiveListing(channel.playlist()))
            #expect(made.segments.map(\.duration) == video.segments.map(\.duration))
            #expect(made.segments.map(\.date) == video.segments.map(\.date) && made.isEnded == video.isEnded)
            #expect(made.segments.map(\.discontinuities) == video.segments.map(\.discontinuities))
            #expect(made.discontinuitySequence == video.discontinuitySequence && made.first == video.first)
            for (segment, own) in zip(video.segments, made.segments) {
                #expect(own.uri == "\(segment.number).vtt" && names[segment.uri] ?? segment.number == segment.number)
                names[segment.uri] = segment.number
                let span = try #require(channel.span(segment.number)?.cues)
                #expect(given[segment.number] ?? span.start == span.start)
                given[segment.number] = span.start
                #expect(try Self.late(span, recording.ticks[segment.uri]) <= 50, "\(segment.uri)")
                compared += 1
            }
        }
        #expect(compared > 10)
    }

    /// How many milliseconds what begins with the span shows before or after the media does.
    private static func late(_ span: CueSpan, _ ticks: UInt64?) throws -> Int64 {
        let map = try #require(span.map)
        let shown = Int64(map.mpegTS) + 90 * (span.start / 1_000_000 - map.local.milliseconds)
        return abs(shown - Int64(try #require(ticks))) / 90
    }

    /// Rules 8 to 11 beside a recorded origin with parts, delta updates, hints, reports and blocking reloads.
    @Test func whatALowLatencyOriginWrote() throws {
        var recording = try Recording("low-latency")
        let text = recording.versions.joined()
        for tag in ["PART:", "SKIP:", "PRELOAD-HINT:", "RENDITION-REPORT:", "DISCONTINUITY\n", "ENDLIST"] {
            #expect(text.contains("#EXT-X-\(tag)"), "\(tag)")
        }
        let date = try #require(LiveListing(recording.versions[0]).openDate.flatMap(Self.nanoseconds))
        var mirror = LiveRun(LiveOrigin.Kind(), anchor: .date(date), zero: date)
        var plain = LiveChannel(LiveConfiguration(anchor: .date(date), lowLatency: .strip))
        var (starts, hint) = ([String: Int64](), String?.none)
        for version in recording.versions {
            let whole = recording.whole(version)
            if let hint { #expect(Self.isAwaited(mirror.channel.find(hint))) }
            let change = try mirror.channel.take(version)
            #expect(change == .first || change == .ended || "\(change)".hasPrefix("advanced"), "\(change) \(version)")
            _ = try plain.take(version)
            try recording.probe(&mirror.channel)
            try recording.probe(&plain)
            mirror.checkPlaylist(whole)
            try checkSpans(mirror.channel, recording, &starts)
            let (made, stripped) = (LiveListing(mirror.channel.playlist()), LiveListing(plain.playlist()))
            hint = made.hint?.split(separator: "\"").dropFirst().first.map(String.init)
            var expected = made
            for index in expected.segments.indices { expected.segments[index].parts = [] }
            (expected.openParts, expected.openDate, expected.openDiscontinuities) = ([], nil, 0)
            expected.hint = nil
            expected.head.removeAll { $0.hasPrefix("#EXT-X-SERVER") || $0.hasPrefix("#EXT-X-PART") }
            #expect(stripped == expected, "\(plain.playlist())")
        }
        #expect(starts.count == 52 && hint == nil)
    }

    private static func isAwaited(_ place: LivePlace) -> Bool { if case .wait = place { true } else { false } }

    /// Spans lie one after the other, but for where the encoder began anew, those of parts in that of their segment, and
    /// none that was given changes.
    private func checkSpans(
        _ channel: borrowing LiveChannel, _ recording: Recording, _ starts: inout [String: Int64]
    ) throws {
        var before: Int64?
        for segment in LiveListing(channel.playlist()).segments {
            let cues = try #require(channel.span(segment.number)?.cues)
            if let before, segment.discontinuities == 0 { #expect(abs(cues.start - before) <= 1_000_000) }
            before = cues.end
            #expect(starts[segment.uri] ?? cues.start == cues.start)
            starts[segment.uri] = cues.start
            #expect(try Self.late(cues, recording.ticks["\(segment.number).m4s"]) <= 1, "\(segment.number)")
            let end = try checkParts(segment.parts.count, of: segment.number, from: cues.start, channel, &starts)
            #expect(segment.parts.isEmpty || end == cues.end)
        }
        let open = LiveListing(channel.playlist()).openParts.count
        let number = channel.listed.map { $0.upperBound + 1 } ?? 0
        if case .span(let first) = channel.find("\(number).0.vtt") {
            _ = try checkParts(open, of: number, from: first.cues.start, channel, &starts)
        } else {
            #expect(open == 0)
        }
    }

    private func checkParts(
        _ count: Int, of number: UInt64, from start: Int64, _ channel: borrowing LiveChannel,
        _ starts: inout [String: Int64]
    ) throws -> Int64 {
        var next = start
        for part in 0..<count {
            let name = "\(number).\(part).vtt"
            guard case .span(let span) = channel.find(name) else {
                Issue.record("no \(name)")
                return next
            }
            #expect(span.cues.start == next && starts[name] ?? next == next, "\(name)")
            starts[name] = next
            next = try #require(span.cues.end)
        }
        return next
    }

    /// What a player asks for goes to the origin as it was recorded, but for the delta update, and what it gets then has
    /// the part.
    @Test func aLowLatencyOriginIsAskedAsAPlayerAsks() throws {
        var recording = try Recording("low-latency")
        let url = "https://o.example/v.m3u8"
        var stream = LiveStream(playlist: Array(url.utf8))
        for (time, (query, version)) in zip(recording.queries, recording.versions).enumerated() {
            let directives = Array(query.dropFirst().utf8).withView { LiveDirectives(query: $0) }
            #expect((directives == nil) == query.isEmpty)
            var ask = LiveAsk(.playlist(directives), at: Int64(time) * 500)
            guard case .fetch(.livePlaylist(let asked), let fetch) = stream.step(&ask, at: Int64(time) * 500) else {
                Issue.record("nothing is fetched for \(query)")
                return
            }
            #expect(String(decoding: asked, as: UTF8.self) == url + query.replacing("&_HLS_skip=YES", with: ""))
            let playlist = FetchedPlaylist(bytes: Array(recording.whole(version).utf8), url: asked)
            stream.take(.answer(.playlist(playlist)), of: fetch, at: Int64(time) * 500)
            #expect(stream.step(&ask, at: Int64(time) * 500) == .playlist)
        }
        #expect(recording.queries.count == 42 && stream.channel.isEnded)
    }

    private static func nanoseconds(_ date: String) -> Int64? {
        let formatter = ISO8601DateFormatter()
        formatter.formatOptions = [.withInternetDateTime, .withFractionalSeconds]
        return formatter.date(from: date).map { Int64(($0.timeIntervalSince1970 * 1000).rounded()) * 1_000_000 }
    }
}
