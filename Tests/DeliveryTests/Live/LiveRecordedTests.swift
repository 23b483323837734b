import Foundation
import Support
import Testing

@testable import Delivery
@testable import WebVTT

/// Versions as ffmpeg 5.1 wrote them, in real time, and the first time stamp of each segment.
///
///     # r0_0.ts 126000            a segment's name, and its first time stamp
///     =
///     #EXTM3U                     a version, then a line `=`, and the next
struct LiveRecordedTests {
    private static let folder = URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
        .deletingLastPathComponent().appending(path: "Fixtures/live")

    private struct Recording {
        var ticks: [String: UInt64] = [:]
        var versions: [String]

        init(_ name: String) throws {
            let text = try String(contentsOf: folder.appending(path: "\(name).txt"), encoding: .utf8)
            var parts = text.components(separatedBy: "=\n#EXTM3U")
            for line in parts.removeFirst().split(separator: "\n") {
                let words = line.split(separator: " ")
                ticks[String(words[1])] = UInt64(words[2])
            }
            versions = parts.map { "#EXTM3U\($0)" }
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
            while let want = channel.next() {
                channel.take(
                    mediaStart: try #require(recording.ticks["\(String(decoding: want.media.uri, as: UTF8.self))"]),
                    of: want.segment)
            }
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
                let map = try #require(span.map)
                let shown = Int64(map.mpegTS) + 90 * (span.start / 1_000_000 - map.local.milliseconds)
                let late = (shown - Int64(try #require(recording.ticks[segment.uri]))) / 90
                #expect(abs(late) <= 50, "\(segment.uri) is \(late) ms late")
                compared += 1
            }
        }
        #expect(compared > 10)
    }

    private static func nanoseconds(_ date: String) -> Int64? {
        let formatter = ISO8601DateFormatter()
        formatter.formatOptions = [.withInternetDateTime, .withFractionalSeconds]
        return formatter.date(from: date).map { Int64(($0.timeIntervalSince1970 * 1000).rounded()) * 1_000_000 }
    }
}
