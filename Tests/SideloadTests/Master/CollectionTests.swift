import ByteScan
import Foundation
import M3U8
import Sideload
import Testing

/// Whatever holds the bytes of a playlist, the output is that of a buffer; and so it is if they come one by one.
@Suite struct CollectionTests {
    private static let text = Array(
        "#EXTM3U\n#EXT-X-STREAM-INF:BANDWIDTH=1\nv1.m3u8\n#EXT-X-STREAM-INF:BANDWIDTH=2\nv2.m3u8\n".utf8)

    private static func tracks() throws -> SubtitleTracks {
        try SubtitleTracks([SubtitleTrack(uri: "en.m3u8", language: "en", name: "English")])
    }

    private static func forms(of bytes: [UInt8]) -> [any Collection<UInt8> & Sendable] {
        let padded = [0x41, 0x42, 0x43] + bytes + [0x44]
        return [
            bytes, padded[3..<(3 + bytes.count)], Data(bytes), Data(padded)[3..<(3 + bytes.count)],
            Array(bytes.reversed()).reversed(),
        ]
    }

    @Test func anyCollectionIsAPlaylist() throws {
        let tracks = try Self.tracks()
        let whole = try tracks.sideloaded(into: Self.text)
        var rewriter = MasterRewriter(tracks)
        #expect(try rewriter.outputLength(of: Self.text.span.bytes) == whole.bytes.count)
        for form in Self.forms(of: Self.text) {
            #expect(try tracks.sideloaded(into: form) == whole)
            #expect(try rewriter.outputLength(of: form) == whole.bytes.count)
            var output = OutputPieces(mergingThreshold: 0)
            try rewriter.write(form, into: &output)
            var bytes = output.flatMap { $0.bytes(in: form) }
            rewriter.finish(into: &output)
            bytes += output.flatMap { $0.bytes(in: [UInt8]()) }
            #expect(bytes == whole.bytes)
            rewriter.reset()
            bytes = []
            try rewriter.write(form) { bytes.append(contentsOf: $0.view) }
            rewriter.finish { bytes.append(contentsOf: $0.view) }
            #expect(bytes == whole.bytes)
            rewriter.reset()
            let reusable = ReusableRewriter(tracks)
            try reusable.write(form)
            #expect(reusable.output.flatMap { $0.bytes(in: form) } + Array(bytes.suffix(whole.addedBytes)) == bytes)
            var lines = 0
            var scanner = LineScanner()
            try scanner.scan(form) { _ in lines += 1 }
            #expect(lines == 5)
            var media = MediaStartScanner()
            #expect(media.write(form) != .needsMoreBytes || media.finish() != .needsMoreBytes)
        }
    }

    /// A limit's error comes through every form, with its position.
    @Test func aLimitIsThrownThroughEveryForm() throws {
        var limits = SideloadLimits(lines: LineLimits(longestLine: 5))
        limits.lines.policy = .fail
        for form in Self.forms(of: Self.text) {
            #expect(throws: LimitError.self) { try Self.tracks().sideloaded(into: form, limits: limits) }
            var rewriter = MasterRewriter(try Self.tracks(), limits: limits)
            #expect(throws: LimitError.self) { try rewriter.outputLength(of: form) }
        }
    }

    private static func stream(_ bytes: [UInt8], failing: Bool = false) -> AsyncThrowingStream<UInt8, any Error> {
        AsyncThrowingStream { stream in
            for byte in bytes { stream.yield(byte) }
            stream.finish(throwing: failing ? CocoaError(.fileReadUnknown) : nil)
        }
    }

    @Test(arguments: [1, 200])
    func bytesOneByOneAreAPlaylist(repeated count: Int) async throws {
        let tracks = try Self.tracks()
        let text = Self.text + [[UInt8]](repeating: Array(Self.text.dropFirst(8)), count: count - 1).joined()
        var output: [UInt8] = []
        for try await part in Self.stream(text).sideloading(tracks) { output += part }
        #expect(try output == tracks.sideloaded(into: text).bytes)
        var chunks: [Int] = []
        let byChunks = Self.stream(text).sideloading(tracks)
        for try await part in byChunks { chunks.append(part.count) }
        #expect(chunks.count == (text.count + 4095) / 4096 + 1)
    }

    @Test func whatIsTornGetsNoTracks() async throws {
        var output: [UInt8] = []
        await #expect(throws: CocoaError.self) {
            for try await part in Self.stream(Self.text, failing: true).sideloading(try Self.tracks()) {
                output += part
            }
        }
        #expect(!String(decoding: output, as: UTF8.self).contains("EXT-X-MEDIA"))
    }
}
