import CReference
import Inputs

// What it costs to collect output, beside the closure that only counts it, and a copy of it all: short slices are copied
// into pieces, and most slices of a multivariant playlist are short.
extension Row {
    private static let countedAndCopied = "closure that counts, and memcpy"

    /// The reference: counts what comes out, and copies `output`, which is that, to `room`.
    private static func countingAndCopying(
        _ bytes: UnsafeRawBufferPointer, _ output: [UInt8], to room: UnsafeMutableRawBufferPointer
    ) -> (Int) -> UInt64 {
        let source = UnsafeMutableRawBufferPointer.allocate(byteCount: output.count, alignment: 64)
        source.copyBytes(from: output)
        return { (try? Collecting.countedAndCopied(bytes, UnsafeRawBufferPointer(source), to: room, times: $0)) ?? 0 }
    }

    /// Two tracks sideloaded and the output collected in pieces, against the closure that counts and a copy of the output.
    static func collect(_ key: String, _ input: Input, limit: Double) -> Row {
        let bytes = input.bytes
        let expected = Expected.sideloaded(bytes)
        func collect(inChunksOf size: Int, times: Int) -> UInt64 {
            (try? Collecting.collected(bytes, inChunksOf: size, times: times)) ?? 0
        }
        return Row(
            key: key, work: "Sideload, in pieces", input: input, reference: countedAndCopied, limit: limit,
            run: { collect(inChunksOf: bytes.count, times: $0) },
            runInChunks: { collect(inChunksOf: UnsafeRawBufferPointer.countedChunk, times: $0) },
            runReference: countingAndCopying(
                bytes, expected, to: OutputBuffer(capacity: expected.count).room),
            fault: {
                if let fault = Collecting.fault(in: bytes, expected: expected) { return fault }
                let counts = [
                    collect(inChunksOf: bytes.count, times: 1), (try? Collecting.counted(bytes, times: 1)) ?? 0,
                ]
                return counts.allSatisfy { $0 == expected.count } ? nil : "what is timed is cut short"
            }
        )
    }

    /// Two tracks sideloaded into memory of the caller's, against the closure that counts and a copy of the output.
    static func buffer(_ key: String, _ input: Input, limit: Double) -> Row {
        let bytes = input.bytes
        let expected = Expected.sideloaded(bytes)
        // As much as the bound for any chunk of that length asks for.
        let room = OutputBuffer(capacity: 16 * bytes.count + 8192).room
        func buffer(inChunksOf size: Int, times: Int) -> UInt64 {
            (try? Collecting.buffered(bytes, inChunksOf: size, to: room, times: times)) ?? 0
        }
        return Row(
            key: key, work: "Sideload, into memory", input: input, reference: countedAndCopied, limit: limit,
            run: { buffer(inChunksOf: bytes.count, times: $0) },
            runInChunks: { buffer(inChunksOf: UnsafeRawBufferPointer.countedChunk, times: $0) },
            runReference: countingAndCopying(bytes, expected, to: room),
            fault: {
                for size in [bytes.count] + UnsafeRawBufferPointer.checkedChunks {
                    let isRight =
                        buffer(inChunksOf: size, times: 1) == expected.count
                        && room.prefix(expected.count).elementsEqual(expected)
                    if !isRight { return "in chunks of \(size) bytes: the copy is not the expected one" }
                }
                return nil
            }
        )
    }
}
