import Delivery
import Foundation
import NIOCore
import Sideload
import Testing

@testable import SurtitleProxy

/// Files of cues that grow.
@Suite struct CuesFileTests {
    private static let cue = "{\"start\":1,\"end\":2,\"text\":\"a\"}\n"

    private struct Following {
        let path = FileManager.default.temporaryDirectory.appendingPathComponent("\(UUID()).jsonl").path
        let tracks: LiveTracks
        let file: CuesFile

        init(_ anchor: String) throws {
            var configuration = Configuration()
            configuration.master = Array("http://origin.example/m.m3u8".utf8)
            configuration.tracks = [try TrackConfiguration(spec: "cues=\(path),uri=en.vtt,language=en\(anchor)")]
            let router = try Router(configuration)
            tracks = LiveTracks(router, LiveConfiguration())
            file = try #require(CuesFile(0, of: router, for: tracks, CuesPipes()))
        }

        /// How many bytes have come of the file that is there.
        var position: Int {
            var position = 0
            tracks.followFile(of: 0) { position = $0.position }
            return position
        }

        func append(_ text: String) throws {
            let number = open(path, O_WRONLY | O_APPEND | O_CREAT, 0o600)
            try #require(number >= 0)
            defer { close(number) }
            #expect(text.utf8.count == text.withCString { Foundation.write(number, $0, strlen($0)) })
        }
    }

    @Test func aFileThatIsNotThereYet() throws {
        let following = try Following("")
        defer { unlink(following.path) }
        following.file.read()
        try following.append("")
        following.file.read()
        #expect(following.position == 0 && !following.file.isComing(at: .now()), "it is empty")
        for number in 1...3 {
            try following.append(Self.cue)
            following.file.read()
            following.file.read()
            #expect(following.position == number * Self.cue.utf8.count && following.file.isComing(at: .now()))
        }
    }

    /// One that takes the place of another is read from its beginning, as is one that has been made shorter.
    @Test func aFileThatIsReplaced() throws {
        let following = try Following(",at=media")
        defer { unlink(following.path) }
        try following.append(Self.cue + Self.cue)
        following.file.read()
        let old = following.path + ".old"
        defer { unlink(old) }
        try #require(rename(following.path, old) == 0)
        following.file.read()
        #expect(following.position == 2 * Self.cue.utf8.count, "there is no other yet")
        try following.append("{")
        following.file.read()
        #expect(following.position == 1)
        try following.append(Self.cue)
        following.file.read()
        try #require(truncate(following.path, 3) == 0)
        following.file.read()
        #expect(following.position == 3)
    }

    /// For a minute after something has come more is expected.
    @Test func aMinute() throws {
        let following = try Following(",at=media")
        defer { unlink(following.path) }
        try following.append("{")
        let before = NIODeadline.now()
        following.file.read()
        let after = NIODeadline.now()
        following.file.read()
        #expect(following.file.isComing(at: before + .seconds(60) - .nanoseconds(1)))
        #expect(!following.file.isComing(at: after + .seconds(60)))
    }
}
