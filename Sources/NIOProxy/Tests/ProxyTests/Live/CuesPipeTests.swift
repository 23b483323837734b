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
        #expect(!file.isComing && !pipes.isEmpty)
        try write("{\"start\":1,\"end\":2,\"text\":\"a\"}\n")
        #expect(file.isComing, "whoever reads it, it has come to this one")
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
