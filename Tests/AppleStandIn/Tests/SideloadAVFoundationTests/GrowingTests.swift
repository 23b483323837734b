import AVFoundation
import Delivery
import Foundation
import Support
import Testing

@testable import SideloadAVFoundation

/// Cues that the app writes while a live video plays.
@Suite(.timeLimit(.minutes(3)))
struct GrowingTests {
    /// A track of files, and one that grows; its time 0 is when the stream began, or it has none.
    private static func tracks(at anchor: TrackAnchor? = .date(LiveStage.begin)) throws -> [ExternalSubtitle] {
        [
            ExternalSubtitle(try url(Stage.english), language: "en", name: "English", at: .date(LiveStage.begin)),
            ExternalSubtitle(growing: "Said", language: "sv", at: anchor),
        ]
    }

    private static let forms: [(GrowingConfiguration.Format, [String])] = [
        (
            .jsonLines,
            [#"{"start":49,"end":51,"text":"cue 1"}"# + "\n", #"{"start":50,"end":53.5,"te"#, #"xt":"cue 2"}"# + "\n"]
        ),
        (.webVTT, ["WEBVTT\n\n00:49.000 --> 00:51.000\ncue 1\n\n", "00:50.000 --> 00:53.500\nc", "ue 2\n\n"]),
        (.subRip, ["1\n00:00:49,000 --> 00:00:51,000\ncue 1\n\n", "2\n00:00:50,000 --> 00:00:53,500\nc", "ue 2\n\n"]),
    ]

    private func cues(_ live: LiveStage) async throws -> [UInt64: [Int]] {
        let listing = try await live.listing("sv")
        live.expectSame(listing)
        var found: [UInt64: [Int]] = [:]
        for segment in listing.segments {
            found[segment.number] = LiveStage.cues(in: try await live.stage.text(try url(segment.uri)))
        }
        return found
    }

    /// A cue that is whole is in the next answer in which it shows, whatever form it has.
    @Test(arguments: forms)
    func aCueIsInTheNextAnswer(_ format: GrowingConfiguration.Format, _ pieces: [String]) async throws {
        let live = try LiveStage(subtitles: Self.tracks())
        #expect(try await cues(live).values.allSatisfy(\.isEmpty))
        let writer = try live.loader.writer(of: 1, as: format)
        // Segment 8 goes from 48.048 s to 54.054 s.
        try writer.append(pieces[0])
        try writer.append(Data(pieces[1].utf8))
        live.script.withLock { $0.advance() }
        live.pass(6006)
        live.publish()
        #expect(try await cues(live)[8] == [1], "half a cue is none")
        try writer.append(pieces[2])
        // What is listed is sealed. It comes late for its segment: the next one has it.
        #expect(try await cues(live)[8] == [1])
        live.advance()
        let found = try await cues(live)
        #expect(found[8] == [1] && found[9] == [2])
        try writer.finish()
        #expect(live.loader.subtitles[1].delivery?.means == .loopback)
        live.stage.expectNoMisuse()
    }

    /// There is no file that could go as it is, whatever the way is.
    @Test(arguments: [SubtitleWay.direct, .redirect, .bytes])
    func byEveryWay(_ way: SubtitleWay) async throws {
        let live = try LiveStage(subtitles: [Self.tracks()[1]]) { $0.webVTT = way }
        _ = try await cues(live)
        try live.loader.writer(of: 0).append(#"{"start":49,"end":51,"text":"cue 1"}"# + "\n")
        live.advance()
        #expect(try await cues(live)[8] == [1])
    }

    /// Without times of its own a cue shows when it comes.
    @Test func cuesThatShowWhenTheyCome() async throws {
        let live = try LiveStage(subtitles: Self.tracks(at: nil))
        _ = try await cues(live)
        let writer = try live.loader.writer(of: 1)
        for number in 1...4 {
            try writer.append(#"{"start":0,"end":3,"text":"cue \#(number)"}"# + "\n")
            live.advance()
            #expect(try await cues(live)[UInt64(7 + number)] == [number])
        }
    }

    /// Versions are followed while somebody writes, so that cues are sealed though the player asks for nothing.
    @Test func versionsAreFollowedWhileCuesCome() async throws {
        let live = try LiveStage(subtitles: Self.tracks(at: nil))
        #expect(live.origin.asked.isEmpty)
        let writer = try live.loader.writer(of: 1)
        /// Time passes until so many versions have been asked for, and the last has come.
        func come(to count: Int) async {
            await wait {
                live.pass(50)
                return live.origin.count(LiveStage.media) >= count
            }
        }
        await come(to: 2)
        // What a segment's clock says is known before anybody asks for it.
        await wait { live.origin.asked.contains { $0.url.contains("/seg") } }
        try writer.append(#"{"start":0,"end":3,"text":"cue 1"}"# + "\n")
        live.advance()
        // The one that was under way may be the old one.
        await come(to: live.origin.count(LiveStage.media) + 2)
        live.advance()
        await come(to: live.origin.count(LiveStage.media) + 2)
        #expect(try await cues(live)[8] == [1])
        try writer.finish()
    }

    /// Nobody writes any more, and then somebody does: versions are followed again.
    @Test func anotherWriterIsFollowedToo() async throws {
        let live = try LiveStage(subtitles: Self.tracks(at: nil))
        func come(to count: Int) async {
            await wait {
                live.pass(50)
                return live.origin.count(LiveStage.media) >= count
            }
        }
        for _ in 0..<2 {
            let writer = try live.loader.writer(of: 1)
            let group = try #require(live.loader.live.groups.first)
            #expect(group.follower != nil)
            await come(to: live.origin.count(LiveStage.media) + 2)
            try writer.finish()
            await wait { live.loader.live.locked { group.follower == nil } }
            #expect(live.loader.live.locked { group.follower == nil })
        }
    }

    /// Errors are typed, say where, and end the writer; the cues before count.
    @Test func whatIsNoCueIsRefused() async throws {
        let live = try LiveStage(subtitles: Self.tracks())
        _ = try await cues(live)
        let first = try live.loader.writer(of: 1)
        let line = #"{"start":49,"end":51,"text":"cue 1"}"# + "\n"
        let error = #expect(throws: SubtitleLoaderError.self) { try first.append(line + "nonsense\n") }
        #expect(
            error?.code == .cues && error?.cues?.reason == .malformedLine && error?.cues?.position == line.utf8.count)
        #expect("\(String(describing: error))".contains("track sv: at byte 37"))
        let late = #expect(throws: SubtitleLoaderError.self) { try first.append(line) }
        #expect(late?.code == .writer && late?.description == "the writer has ended; begin another one")
        #expect(throws: SubtitleLoaderError.self) { try first.finish() }
        // Another may begin.
        let second = try live.loader.writer(of: 1, as: .webVTT)
        let encoding = #expect(throws: SubtitleLoaderError.self) { try second.append(Data([0xFF, 0xFE, 0x0A, 0x0A])) }
        #expect(encoding?.code == .cues)
        let third = try live.loader.writer(of: 1)
        try third.append(#"{"start":52,"end":53,"text":"cue 3"}"#)
        try third.finish()
        live.advance()
        #expect(try await cues(live)[8] == [1, 3])
    }

    @Test func oneWriterATrack() async throws {
        let live = try LiveStage(subtitles: Self.tracks())
        var writer: SubtitleWriter? = try live.loader.writer(of: 1)
        #expect(writer?.track == 1)
        for track in [-1, 0, 1, 2] {
            let error = #expect(throws: SubtitleLoaderError.self) { try live.loader.writer(of: track) }
            #expect(error?.code == .writer, "\(track)")
        }
        // One that goes away leaves out what is not whole.
        try writer?.append(#"{"start":49,"end":51,"text":"cue"#)
        writer = nil
        let next = try live.loader.writer(of: 1)
        try next.append(#"{"start":49,"end":51,"text":"cue 2"}"# + "\n")
        _ = try await live.listing("sv")
        live.advance()
        #expect(try await cues(live)[8] == [2])
    }

    /// Any thread may append; the lines are whole, so that their order does not matter.
    @Test func anyThreadMayAppend() async throws {
        let live = try LiveStage(subtitles: Self.tracks())
        _ = try await cues(live)
        let writer = try live.loader.writer(of: 1)
        try await withThrowingTaskGroup(of: Void.self) { group in
            for number in 0..<64 {
                group.addTask { try writer.append(#"{"start":49,"end":51,"text":"cue \#(number)"}"# + "\n") }
            }
            for _ in 0..<8 { group.addTask { _ = try await live.listing("sv") } }
            try await group.waitForAll()
        }
        live.advance()
        #expect(try await cues(live)[8]?.sorted() == Array(0..<64))
    }

    /// Beside a complete video nothing can grow: the track is there, empty, and says why.
    @Test func aCompleteVideo() async throws {
        let live = try LiveStage(subtitles: Self.tracks())
        live.origin.put(.whole(live.version + "#EXT-X-ENDLIST\n"), at: LiveStage.media)
        #expect(MediaTags.subtitles(in: try await live.stage.masterText()).count == 2)
        let playlist = try await live.stage.text(try LiveStage.playlist("sv"))
        #expect(playlist.hasSuffix("#EXT-X-ENDLIST\n"))
        #expect(live.loader.subtitles[1].error?.route?.isNotLive == true)
        live.stage.expectNoMisuse()
    }

    /// The keys of a configuration.
    @Test func tracksOfACatalogue() throws {
        let text = #"""
            [{"cues": "http", "language": "sv"}, {"uri": "en.vtt", "at": "2026-11-23T20:00:00Z"},
             {"uri": "fi.vtt", "live": false}]
            """#
        let tracks = try JSONDecoder().decode([ExternalSubtitle].self, from: Data(text.utf8))
        #expect(tracks.map(\.isGrowing) == [true, false, false])
        #expect(tracks.map(\.followsLiveVideo) == [true, true, false])
        #expect(tracks[1].anchor == .date(Date(timeIntervalSince1970: 1_795_464_000)))
        let file = Data(#"[{"cues": "said.jsonl", "language": "sv"}]"#.utf8)
        #expect(throws: (any Error).self) { try JSONDecoder().decode([ExternalSubtitle].self, from: file) }
        let configuration = #"{"master": "\#(Stage.master)", "tracks": [{"cues": "said.jsonl", "language": "sv"}]}"#
        let error = #expect(throws: SubtitleLoaderError.self) { try SubtitleLoader(json: Data(configuration.utf8)) }
        #expect(error?.code == .configuration && error?.description.contains("said.jsonl") == true)
    }

    /// A track that is being written keeps what it has, and knows nothing more of the video for the others.
    @Test func theLoaderForgetsWhileSomebodyWrites() async throws {
        let live = try LiveStage(subtitles: Self.tracks(at: nil))
        let writer = try live.loader.writer(of: 1)
        func counts() -> [Int] { [LiveStage.media, Stage.master].map(live.origin.count) }
        for language in ["en", "sv"] { live.expectSame(try await live.listing(language)) }
        let before = counts()
        live.loader.forget()
        for language in ["en", "sv"] { live.expectSame(try await live.listing(language)) }
        #expect(counts() == before.map { $0 + 1 })
        try writer.finish()
    }

    /// What is written then would be shown by nobody, and would be kept.
    @Test func theLoaderGoesBeforeTheWriter() async throws {
        weak var loader: SubtitleLoader?
        let writer: SubtitleWriter
        do {
            let live = try LiveStage(subtitles: Self.tracks())
            _ = try await live.listing("sv")
            writer = try live.loader.writer(of: 1, as: .webVTT)
            loader = live.loader
        }
        await wait { loader == nil }
        let error = #expect(throws: SubtitleLoaderError.self) {
            try writer.append("WEBVTT\n\n00:49.000 --> 00:51.000\ncue 1\n\n")
        }
        #expect(error?.code == .released)
        #expect(throws: SubtitleLoaderError.self) { try writer.finish() }
    }
}
