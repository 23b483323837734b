import Delivery
import Foundation
import Sideload
import Testing

@testable import SurtitleProxy

/// Named pipes, and what is kept of what has come out of them.
@Suite struct CuesPipeTests {
    @Test(arguments: [
        ("{\"a\":1}\n{\"a\":2}\n{\"a\":3}\n", 20, "{\"a\":2}\n{\"a\":3}\n", "from a line's beginning"),
        ("{\"a\":1}\n{\"a\":2}\n{\"a\":3}", 9, "{\"a\":3}", "a line that is not whole"),
        ("1\n00:01,0 --> 00:02,0\na\n\n2\n00:03,0 --> 00:04,0\nb\n", 40, "\n2\n00:03,0 --> 00:04,0\nb\n", "SubRip"),
        ("1\r\n00:01,0 --> 00:02,0\r\na\r\n\r\n2\r\n00:03,0", 20, "\r\n2\r\n00:03,0", "CRLF"),
        (
            "WEBVTT\n\n00:01.0 --> 00:02.0\na\n\n00:03.0 --> 00:04.0\nb\n", 30, "WEBVTT\n\n\n00:03.0 --> 00:04.0\nb\n",
            "WebVTT"
        ),
        ("WEBVTT\n\n00:01.0 --> 00:02.0\nabcdefgh", 10, "WEBVTT\n\n", "no block begins"),
        ("1\n2\n3\n", 2, "", "nothing begins"),
        ("\n{\"a\":1}\n", 100, "{\"a\":1}\n", "fewer than so many bytes"),
        (" {\"a\":1}\n{\"a\":2}\n", 12, "{\"a\":2}\n", "white space before the first line"),
        ("\u{FEFF}WEBVTT\n\n00:01.0 --> 00:02.0\na\n\nb\n", 4, "WEBVTT\n\n\nb\n", "WebVTT with a byte order mark"),
        ("\u{F1}\n\nb\n", 4, "\nb\n", "no byte order mark"),
    ]) func theEndOfCues(_ cues: String, _ count: Int, _ expected: Substring, _ why: String) {
        let end = CuesPipe.end(of: Array(cues.utf8), count)
        #expect(String(decoding: end, as: UTF8.self) == expected, Comment(rawValue: why))
    }

    private static func track(_ path: String) throws -> (Router, LiveTracks) {
        var configuration = Configuration()
        configuration.master = Array("http://origin.example/m.m3u8".utf8)
        configuration.tracks = [try TrackConfiguration(spec: "cues=\(path),uri=en.vtt,language=en,at=media")]
        let router = try Router(configuration)
        return (router, LiveTracks(router, LiveConfiguration(anchor: .media)))
    }

    /// What somebody is given who begins to follow a pipe: what each writer has written, the last one perhaps not all.
    private static func kept(_ pipes: CuesPipes, _ path: String, _ file: CuesFile) throws -> [String] {
        var status = stat()
        try #require(stat(path, &status) == 0)
        let identity = FollowedCues.Identity(
            device: UInt64(truncatingIfNeeded: status.st_dev), number: UInt64(status.st_ino))
        var kept: [String] = []
        try #require(pipes.pipe(at: path, identity)).add(file) { bytes, isWhole in
            kept.append(String(decoding: bytes, as: UTF8.self) + (isWhole ? "|" : ""))
        }
        return kept
    }

    /// A pipe for as long as `body` takes, and somebody who writes to it, until `end` is called.
    private static func withPipe(
        _ body: (_ path: String, _ write: (String) throws -> Void, _ end: () -> Void) throws -> Void
    ) throws {
        let path = FileManager.default.temporaryDirectory.appendingPathComponent("\(UUID()).jsonl").path
        defer { unlink(path) }
        try #require(mkfifo(path, 0o600) == 0)
        let holder = open(path, O_RDONLY | O_NONBLOCK)
        defer { close(holder) }
        var writer: Int32?
        defer { if let writer { close(writer) } }
        try body(
            path,
            { text in
                if writer == nil { writer = open(path, O_WRONLY | O_NONBLOCK) }
                let number = try #require(writer)
                #expect(text.utf8.count == text.withCString { Foundation.write(number, $0, strlen($0)) })
            },
            {
                if let writer { close(writer) }
                writer = nil
            })
    }

    private static func line(_ byteCount: Int) -> String {
        let start = "{\"start\":5,\"end\":6,\"text\":\""
        return start + String(repeating: "c", count: byteCount - start.utf8.count - 3) + "\"}\n"
    }

    /// Of what one writer has written, which is all that is there, the latter half is kept from where there is too much;
    /// of several, what came first goes.
    @Test func aMebibyteIsKept() throws {
        try Self.withPipe { path, write, end in
            let pipes = CuesPipes()
            let (router, tracks) = try Self.track(path)
            let file = try #require(CuesFile(0, of: router, for: tracks, pipes))
            file.read()
            func come(_ byteCounts: Int...) throws -> [Int] {
                for count in byteCounts {
                    try write(Self.line(count))
                    pipes.read()
                }
                return try Self.kept(pipes, path, file).map(\.utf8.count)
            }
            let block = 1 << 16
            for _ in 0..<15 { _ = try come(block) }
            #expect(try come(block) == [16 * block], "1 MiB")
            #expect(try come(100) == [7 * block + 100], "the last 512 KiB, from the beginning of a cue")
            for _ in 0..<8 { _ = try come(block) }
            #expect(try come(block - 100) == [16 * block])
            end()
            pipes.read()
            pipes.read()
            #expect(try come() == [16 * block + 1, 0])
            #expect(try come(50) == [50])
            end()
            pipes.read()
            for _ in 0..<14 { _ = try come(block) }
            #expect(try come(block, block - 50) == [51, 16 * block - 50], "no more than there is room for")
            #expect(try come(40) == [16 * block - 10])
        }
    }

    /// All who follow a pipe get what comes, whenever they have begun to.
    @Test func whoFollowsAPipe() throws {
        try Self.withPipe { path, write, _ in
            let pipes = CuesPipes()
            func follower() throws -> (file: CuesFile, tracks: LiveTracks) {
                let (router, tracks) = try Self.track(path)
                let file = try #require(CuesFile(0, of: router, for: tracks, pipes))
                file.read()
                return (file, tracks)
            }
            func positions(_ followers: [(file: CuesFile, tracks: LiveTracks)]) -> [Int] {
                followers.map { follower in
                    var position = 0
                    follower.tracks.followFile(of: 0) { position = $0.position }
                    return position
                }
            }
            var followers = [try follower(), try follower()]
            try write(Self.line(50))
            pipes.read()
            #expect(positions(followers) == [50, 50] && followers.allSatisfy { $0.file.isComing(at: .now()) })
            followers.append(try follower())
            #expect(positions(followers) == [50, 50, 50] && !followers[2].file.isComing(at: .now()))
            try write(Self.line(60))
            for follower in followers { follower.file.read() }
            #expect(positions(followers) == [110, 110, 110])
        }
    }

    /// A pipe at a path is the same until there is another.
    @Test func aPipeIsOpenedOnce() throws {
        try Self.withPipe { path, _, _ in
            let pipes = CuesPipes()
            let (one, other) = (
                FollowedCues.Identity(device: 1, number: 1), FollowedCues.Identity(device: 1, number: 2)
            )
            let pipe = try #require(pipes.pipe(at: path, one))
            #expect(pipes.pipe(at: path, one) === pipe && pipes.pipe(at: path, other) !== pipe)
            #expect(pipes.pipe(at: "/nonexistent", one) == nil && !pipes.isEmpty)
        }
    }

    @Test func oneReadsForAllAndWhatCameIsKept() throws {
        let path = FileManager.default.temporaryDirectory.appendingPathComponent("\(UUID()).jsonl").path
        defer { unlink(path) }
        try #require(mkfifo(path, 0o600) == 0)
        let pipes = CuesPipes()
        let (router, tracks) = try Self.track(path)
        let file = try #require(CuesFile(0, of: router, for: tracks, pipes))
        file.read()
        func write(_ text: String) throws {
            let writer = open(path, O_WRONLY | O_NONBLOCK)
            try #require(writer >= 0, "the pipe is read")
            defer { close(writer) }
            #expect(text.utf8.count == text.withCString { Foundation.write(writer, $0, strlen($0)) })
            pipes.read()
        }
        #expect(!file.isComing(at: .now()) && !pipes.isEmpty)
        try write("{\"start\":1,\"end\":2,\"text\":\"a\"}\n")
        #expect(file.isComing(at: .now()), "whoever reads it, it has come to this one")
        pipes.read()
        try write("{\"start\":3,\"end\":4,\"text\":\"b\"}\n")
        #expect(
            try Self.kept(pipes, path, file).joined()
                == "{\"start\":1,\"end\":2,\"text\":\"a\"}\n|{\"start\":3,\"end\":4,\"text\":\"b\"}\n")
        let line = "{\"start\":5,\"end\":6,\"text\":\"" + String(repeating: "c", count: 50_000) + "\"}\n"
        for _ in 0..<60 { try write(line) }
        let kept = try Self.kept(pipes, path, file).joined()
        #expect(kept.utf8.count <= CuesPipe.mostBytes + 60 && kept.hasPrefix("{\"start\":5"))
        // A configuration that names another path, or the same one.
        pipes.keep([path])
        #expect(!pipes.isEmpty)
        pipes.keep([path + "x"])
        #expect(pipes.isEmpty)
    }
}
