import Support
import Testing

@testable import ByteScan

/// Memory of the caller's: what is written to it, and what has no room.
@Suite struct OutputBufferTests {
    private struct Refused: Error, Equatable {}

    @Test func writesFollowOneAnother() {
        let memory = WritableMemory(count: 6)
        var output = OutputBuffer(memory.buffer)
        expect(output, "", room: 6)
        output.append(ByteView("ab"))
        output.append(ByteView())
        expect(output, "ab", room: 4)
        var writer = output.begin()
        writer.append(OutputSlice(library: ByteView("c")))
        writer.append(OutputSlice(chunkAt: 7, ByteView("de")))
        output.end(writer)
        expect(output, "abcde", room: 1)
        output.append(ByteView("f"))
        expect(output, "abcdef", room: 0)
        output.append(ByteView())
        expect(output, "abcdef", room: 0)
        output.removeAll()
        expect(output, "", room: 6)
        output.append(ByteView("xy"))
        expect(output, "xy", room: 4)
        #expect(Array(memory.buffer) == Array("xycdef".utf8))
    }

    @Test func memoryOfNoBytesHasNoRoom() {
        var output = OutputBuffer(UnsafeMutableRawBufferPointer(start: nil, count: 0))
        output.append(ByteView())
        output.end(output.begin())
        expect(output, "", room: 0)
    }

    @Test(arguments: [(-1, false), (0, false), (3, false), (4, false), (5, true), (Int.max, true)])
    func whatMayNotFitIsRefused(_ needed: Int, _ isRefused: Bool) {
        let memory = WritableMemory(count: 6)
        var output = OutputBuffer(memory.buffer)
        output.append(ByteView("ab"))
        let error: OutputError<Refused>? = fault(of: try output.require(needed, or: Refused.self))
        #expect(error == (isRefused ? .tooSmall(needed: needed, available: 4) : nil))
    }

    @Test func aWriteThatPassesTheEndTraps() async {
        await #expect(processExitsWith: .failure) {
            var output = OutputBuffer(.allocate(byteCount: 2, alignment: 1))
            output.append(ByteView("abc"))
        }
    }

    @Test func errorsInWords() {
        #expect(
            OutputError<Refused>.tooSmall(needed: 9, available: 4).description
                == "the output may need 9 bytes, and there is room for 4; make room, or send what is there first")
        #expect(OutputError.failed(Refused()).description == "Refused()")
    }

    /// A plain function, because the macro copies what it looks into.
    private func expect(_ output: borrowing OutputBuffer, _ text: String, room: Int) {
        let (bytes, count, available) = (Array(output.bytes), output.count, output.available)
        #expect(bytes == Array(text.utf8) && count == text.utf8.count && available == room)
    }
}
