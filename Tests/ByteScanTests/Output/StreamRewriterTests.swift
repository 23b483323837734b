import ByteScan
import Support
import Testing

/// The forms of a rewriter that are made of others: where output goes, how much room there has to be, what chunks are.
@Suite struct StreamRewriterTests {
    private struct Refused: Error, Equatable {}

    /// Passes on all but the last byte, which it holds, writes `a` twice, and ends with a period. From an exclamation
    /// mark on it takes nothing.
    private struct Doubler: StreamRewriter, ~Copyable {
        private var held: UInt8?
        var heldBytes: Int { held == nil ? 0 : 1 }
        var isSettled: Bool { false }

        mutating func write(_ chunk: UnsafeRawBufferPointer, _ body: (OutputSlice) -> Void) throws(Refused) {
            for (offset, byte) in chunk.enumerated() {
                if let held { hand(held, to: body) }
                held = nil
                if byte == UInt8(ascii: "!") { throw Refused() }
                if byte == UInt8(ascii: "-") {
                    // A slice of the chunk.
                    body(OutputSlice(chunkAt: offset, ByteView(chunk)[offset..<offset + 1]))
                } else {
                    held = byte
                }
            }
        }

        mutating func finish(_ body: (OutputSlice) -> Void) {
            if let held { hand(held, to: body) }
            held = nil
            body(OutputSlice(library: ByteView(".")))
        }

        mutating func abandon(_ body: (OutputSlice) -> Void) {
            if let held { [held].withView { body(OutputSlice(library: $0)) } }
            held = nil
        }

        mutating func reset() { held = nil }

        func outputBound(forChunkOf count: Int) -> Int { 2 * (count + heldBytes) + 1 }

        private func hand(_ byte: UInt8, to body: (OutputSlice) -> Void) {
            [byte].withView { byte in
                body(OutputSlice(library: byte))
                if byte == "a" { body(OutputSlice(library: byte)) }
            }
        }
    }

    /// What is written in each form, call by call, for chunks of each kind.
    private static func pieces(_ output: OutputPieces, of chunk: [UInt8] = []) -> String {
        String(decoding: output.flatMap { $0.bytes(in: chunk) }, as: UTF8.self)
    }

    @Test func inPieces() throws {
        let (text, other) = (Array("xa-b".utf8), Array("a!a".utf8))
        for kind in 0..<4 {
            var rewriter = Doubler()
            var output = OutputPieces(mergingThreshold: 0)
            func write(_ chunk: [UInt8]) throws(Refused) {
                switch kind {
                case 0: try rewriter.write(chunk.span.bytes, into: &output)
                case 1: try rewriter.write(chunk, into: &output)
                case 2: try rewriter.write(AnyCollection(chunk), into: &output)
                default: try rewriter.write(([0] + chunk)[1...], into: &output)
                }
            }
            try write(text)
            #expect(Self.pieces(output, of: text) == "xaa-" && output.count == 4)
            #expect(throws: Refused()) { try write(other) }
            #expect(Self.pieces(output) == "baa")
            rewriter.finish(into: &output)
            #expect(Self.pieces(output) == "." && output.count == 1)
            try write([0x61])
            #expect(output.isEmpty)
            rewriter.abandon(into: &output)
            #expect(Self.pieces(output) == "a")
        }
    }

    @Test func inSlices() throws {
        let text = Array("a-ab".utf8)
        for kind in 0..<3 {
            var rewriter = Doubler()
            var bytes: [UInt8] = []
            let body: (OutputSlice) -> Void = { bytes += $0.view }
            switch kind {
            case 0: try rewriter.write(text.span.bytes, body)
            case 1: try rewriter.write(text, body)
            default: try rewriter.write(AnyCollection(text), body)
            }
            #expect(bytes == Array("aa-aa".utf8))
            rewriter.finish(body)
            #expect(bytes == Array("aa-aab.".utf8))
        }
    }

    /// With the room that the bound asks for a call is made; with a byte less nothing is taken.
    @Test(arguments: 0..<3) func inMemoryOfTheCallers(_ kind: Int) throws {
        let memory = WritableMemory(count: 64)
        var rewriter = Doubler()
        var written = ""
        func call(
            needing needed: Int, _ body: (inout OutputBuffer) throws(OutputError<Refused>) -> Void,
            writing text: String, _ failure: Refused? = nil
        ) {
            for room in [0, needed - 1, needed] {
                var output = OutputBuffer(UnsafeMutableRawBufferPointer(rebasing: memory.buffer[..<(room + 2)]))
                output.append(ByteView("__"))
                let error: OutputError<Refused>? = fault(of: try body(&output))
                let bytes = String(decoding: output.bytes, as: UTF8.self)
                if room < needed {
                    #expect(error == .tooSmall(needed: needed, available: room) && bytes == "__")
                } else {
                    #expect(error == failure.map(OutputError.failed) && bytes == "__\(text)")
                    written += text
                }
            }
        }
        func write(_ text: String, _ output: inout OutputBuffer) throws(OutputError<Refused>) {
            let chunk = Array(text.utf8)
            switch kind {
            case 0: try rewriter.write(chunk.span.bytes, into: &output)
            case 1: try rewriter.write(chunk, into: &output)
            default: try rewriter.write(AnyCollection(chunk), into: &output)
            }
        }
        call(needing: 9, { output throws(OutputError<Refused>) in try write("a-ab", &output) }, writing: "aa-aa")
        call(needing: 5, { output throws(OutputError<Refused>) in try write("a", &output) }, writing: "b")
        call(needing: 7, { output throws(OutputError<Refused>) in try write("!a", &output) }, writing: "aa", Refused())
        call(needing: 3, { output throws(OutputError<Refused>) in try write("a", &output) }, writing: "")
        call(needing: 3, { output throws(OutputError<Refused>) in try rewriter.finish(into: &output) }, writing: "aa.")
        call(needing: 3, { output throws(OutputError<Refused>) in try write("a", &output) }, writing: "")
        call(needing: 1, { output throws(OutputError<Refused>) in try rewriter.abandon(into: &output) }, writing: "a")
        #expect(written == "aa-aabaaaa.a")
    }

    /// A finer bound lets a call be made for which the coarse one says that there may not be room.
    @Test func theFinerBoundDecides() throws {
        struct Copier: StreamRewriter, ~Copyable {
            var heldBytes: Int { 0 }
            var isSettled: Bool { true }
            mutating func write(_ chunk: UnsafeRawBufferPointer, _ body: (OutputSlice) -> Void) {
                body(OutputSlice(chunkAt: 0, ByteView(chunk)))
            }
            mutating func finish(_ body: (OutputSlice) -> Void) {}
            mutating func abandon(_ body: (OutputSlice) -> Void) {}
            mutating func reset() {}
            func outputBound(forChunkOf count: Int) -> Int { 4 * count }
            func outputBound(for chunk: UnsafeRawBufferPointer) -> Int { chunk.count }
        }
        var rewriter = Copier()
        for (room, isRefused) in [(2, true), (3, false), (12, false)] {
            let memory = WritableMemory(count: room)
            var output = OutputBuffer(memory.buffer)
            let error: OutputError<Never>? = fault(of: try rewriter.write(Array("abc".utf8), into: &output))
            #expect(error.map { "\($0)".hasPrefix("the output may need 3 bytes") } == (isRefused ? true : nil))
            let count = output.count
            #expect(count == (isRefused ? 0 : 3))
        }
        // Without one of its own a rewriter's finer bound is the coarse one.
        #expect(Array("abc".utf8).withUnsafeBytes { Doubler().outputBound(for: $0) } == 7)
    }

    /// The rewriter is as new before and after.
    @Test func theLengthOfAWhole() throws {
        var rewriter = Doubler()
        try rewriter.write([0x61]) { _ in }
        let text = Array("a-ab".utf8)
        #expect(try rewriter.outputLength(of: text) == 7 && rewriter.heldBytes == 0)
        #expect(try rewriter.outputLength(of: text.span.bytes) == 7)
        #expect(try rewriter.outputLength(of: AnyCollection(text)) == 7)
        #expect(try rewriter.outputLength(of: []) == 1)
        #expect(throws: Refused()) { try rewriter.outputLength(of: Array("a!".utf8)) }
        try rewriter.write(text) { _ in }
        #expect(throws: Refused()) { try rewriter.outputLength(of: Array("!".utf8)) }
        let held = rewriter.heldBytes
        #expect(held == 0)
    }
}
