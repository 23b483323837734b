import ByteScan
import Support
import Testing

/// What is written of literals, bytes and numbers, to a buffer and to the output of a call.
@Suite struct ByteSinkTests {
    @Test(
        arguments: [
            (0, 1, "0"), (9, 1, "9"), (10, 1, "10"), (99, 2, "99"), (100, 2, "100"), (7, 3, "007"), (0, 2, "00"),
            (5, 0, "5"), (5, -1, "5"), (0, 0, "0"), (1, 19, "0000000000000000001"), (1, 20, "0000000000000000001"),
            (1_000_000_000_000_000_000, 19, "1000000000000000000"), (.max, 1, "18446744073709551615"),
            (.max, 99, "18446744073709551615"),
        ] as [(UInt64, Int, String)])
    func digits(_ number: UInt64, _ minimumCount: Int, _ text: String) {
        #expect(Self.written { $0.append(digits: number, minimumCount: minimumCount) } == [text, text])
        if minimumCount == 1 { #expect(Self.written { $0.append(digits: number) } == [text, text]) }
    }

    @Test func literalsAndBytes() {
        let written = Self.written {
            $0.append("a-")
            $0.append(UInt8(ascii: "b"))
            $0.append(ByteView())
            $0.append(ByteView("é"))
        }
        #expect(written == ["a-bé", "a-bé"])
    }

    /// What `body` writes to either kind of sink.
    private static func written(_ body: (inout any Sink) -> Void) -> [String] {
        var sinks: [any Sink] = [BufferSink(), PieceSink()]
        for index in sinks.indices { body(&sinks[index]) }
        return sinks.map(\.text)
    }
}

/// A sink that tells what has been written to it.
private protocol Sink: ByteSink {
    var text: String { get }
}

private final class BufferSink: Sink {
    private var buffer = ReusableBuffer<UInt8>()
    var text: String { "\(buffer.view)" }

    func append(_ byte: UInt8) { buffer.append(byte) }
    func append(_ bytes: ByteView) { buffer.append(bytes) }
}

private final class PieceSink: Sink {
    private var output = OutputPieces()
    private var writer: PieceWriter
    init() { writer = output.begin() }
    var text: String {
        writer.end()
        return String(decoding: output.flatMap { $0.bytes(in: []) }, as: UTF8.self)
    }

    func append(_ byte: UInt8) { writer.append(byte) }
    func append(_ bytes: ByteView) { writer.append(bytes) }
}
