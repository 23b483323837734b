import ByteScan
import Testing

@Suite struct OutputCursorTests {
    private let bytes = Array("0123456789".utf8)

    /// What an edit at the beginning, one in the middle and one at the end hand out.
    private func slices(_ cursor: OutputCursor) -> [(text: String, source: OutputSlice.Source)] {
        var cursor = cursor
        var slices: [(String, OutputSlice.Source)] = []
        let sink: (OutputSlice) -> Void = { slices.append((String(decoding: $0.bytes, as: UTF8.self), $0.source)) }
        cursor.replace(0..<1, with: ByteView("a"), sink)
        cursor.forward(upTo: 4, sink)
        cursor.forward(upTo: 3, sink)
        cursor.replace(5..<7, with: ByteView(), sink)
        cursor.skip(to: 6)
        cursor.insert(ByteView("b"), sink)
        cursor.forwardRest(sink)
        #expect(cursor.start == 10)
        return slices
    }

    @Test func slicesOfTheChunkHaveOffsets() {
        bytes.withUnsafeBytes { bytes in
            let slices = slices(OutputCursor(chunk: ByteView(bytes), position: 7))
            #expect(slices.map { $0.text } == ["a", "123", "4", "b", "789"])
            #expect(
                slices.map { $0.source } == [.library, .chunk(1..<4), .chunk(4..<5), .library, .chunk(7..<10)])
        }
    }

    @Test func positions() {
        let view = ByteView("0123456789")
        #expect(OutputCursor(chunk: view).position == 0 && OutputCursor(chunk: view, position: 7).position == 7)
        #expect(OutputCursor(carried: view).position == 0 && OutputCursor(carried: view, position: -7).position == -7)
        var cursor = OutputCursor(carried: view)
        cursor.skip(to: 10)
        cursor.skip(to: 0)
        cursor.forwardRest { _ in Issue.record("nothing is left") }
        #expect(cursor.start == 10)
    }

    @Test(arguments: 0...1) func anOffsetPastTheEndTraps(_ number: Int) async {
        await #expect(processExitsWith: .failure) { [number] in
            var cursor = OutputCursor(chunk: ByteView("0123456789"))
            if number == 0 { cursor.forward(upTo: 11) { _ in } } else { cursor.skip(to: 11) }
        }
    }

    @Test func carriedBytesHaveNone() {
        bytes.withUnsafeBytes { bytes in
            let slices = slices(OutputCursor(carried: ByteView(bytes)))
            #expect(slices.map { $0.text } == ["a", "123", "4", "b", "789"])
            #expect(slices.allSatisfy { $0.source == .library })
        }
    }
}
