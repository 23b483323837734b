import ByteScan
import M3U8
import Sideload
import Support
import Testing

/// What is sent after the call may come back to the rewriter: nothing traps, and no piece is overwritten while it is being sent.
@Suite struct ReusableRewriterTests {
    static let chunk = Array("#EXTM3U\n#EXT-X-STREAM-INF:A=1\nv\n#EXT-X-STREAM-INF:A=2\nw\n".utf8)

    /// A connection whose sending calls back, as a proxy's does whose buffer is full.
    final class Connection {
        let rewriter: ReusableRewriter
        var sent: [UInt8] = []
        var callbacks = 0

        init(_ tracks: SubtitleTracks) {
            rewriter = ReusableRewriter(tracks, output: OutputPieces(mergingThreshold: 0))
        }

        func send(_ piece: OutputPiece, of chunk: UnsafeRawBufferPointer) {
            if callbacks < 3 {
                callbacks += 1
                #expect(rewriter.verdict == .multivariant)
                // Even this changes nothing of what is being sent.
                rewriter.reset()
                rewriter.write(Array("#EXTM3U\n#EXT-X-STREAM-INF:B=1\n".utf8))
                rewriter.finish()
                rewriter.write(Array("#EXTM3U\n#EXT-X-STREAM-INF:".utf8))
            }
            sent += piece.bytes(in: chunk)
        }
    }

    @Test func sendingMayComeBack() throws {
        let tracks = try OutputFormTests.tracks()
        let connection = Connection(tracks)
        Self.chunk.withUnsafeBytes { chunk in
            try? connection.rewriter.write(chunk)
            for piece in connection.rewriter.output { connection.send(piece, of: chunk) }
        }
        #expect(connection.callbacks == 3)
        let whole = try tracks.sideloaded(into: Self.chunk).bytes
        #expect(whole.starts(with: connection.sent))
        #expect(connection.sent.count == Self.chunk.count + 2 * ",SUBTITLES=\"subs\"".utf8.count)
    }

    @Test func aCopyKeepsItsPieces() throws {
        var rewriter = MasterRewriter(try OutputFormTests.tracks())
        var output = OutputPieces(mergingThreshold: .max)
        Self.chunk.withUnsafeBytes { try? rewriter.write($0, into: &output) }
        let kept = output
        let before = bytes(of: kept)
        rewriter.finish(into: &output)
        #expect(bytes(of: kept) == before)
        #expect(bytes(of: output) != before)
        #expect(before + bytes(of: output) == (try OutputFormTests.tracks().sideloaded(into: Self.chunk).bytes))
        output.removeAll()
        #expect(output.isEmpty && output.byteCount == 0 && !kept.isEmpty)
    }

    @Test func aPoolIsAnArray() throws {
        let tracks = try OutputFormTests.tracks()
        var pool: [ReusableRewriter] = []
        let whole = try tracks.sideloaded(into: Self.chunk).bytes
        for _ in 0..<3 {
            let rewriter = pool.popLast() ?? ReusableRewriter(tracks)
            var log = PieceLog(longestPiece: 32 << 10)
            Self.chunk.withUnsafeBytes { chunk in
                try? rewriter.write(chunk)
                log.record(rewriter.output, of: chunk)
            }
            rewriter.finish()
            log.record(rewriter.output, of: UnsafeRawBufferPointer(start: nil, count: 0))
            #expect(log.bytes == whole)
            #expect(log.faults == [])
            #expect(rewriter.addedBytes > 0)
            rewriter.reset()
            #expect(rewriter.output.isEmpty && rewriter.verdict == .undecided)
            pool.append(rewriter)
            #expect(pool.count == 1)
        }
    }

    private func bytes(of output: OutputPieces) -> [UInt8] {
        output.flatMap { $0.bytes(in: UnsafeRawBufferPointer(start: nil, count: 0)) }
    }
}

extension ReusableRewriter {
    /// Writes bytes that exceed no limit.
    fileprivate func write(_ bytes: [UInt8]) { try? write(bytes.span.bytes) }
}
