import CReference
import Inputs

// What it costs to collect output, beside the closure that only counts it.
extension Row {
    /// Two tracks sideloaded and the output collected in pieces, against the closure that counts it.
    static func collect(_ key: String, _ input: Input, limit: Double) -> Row {
        let bytes = input.bytes
        func collect(inChunksOf size: Int, times: Int) -> UInt64 {
            (try? Collecting.collected(bytes, inChunksOf: size, times: times)) ?? 0
        }
        return Row(
            key: key, work: "Sideload, in pieces", input: input, reference: "closure that counts", limit: limit,
            run: { collect(inChunksOf: bytes.count, times: $0) },
            runInChunks: { collect(inChunksOf: UnsafeRawBufferPointer.countedChunk, times: $0) },
            runReference: { (try? Collecting.counted(bytes, times: $0)) ?? 0 },
            fault: {
                let expected = Expected.sideloaded(bytes)
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
        let source = UnsafeMutableRawBufferPointer.allocate(byteCount: expected.count, alignment: 64)
        source.copyBytes(from: expected)
        func buffer(inChunksOf size: Int, times: Int) -> UInt64 {
            (try? Collecting.buffered(bytes, inChunksOf: size, to: room, times: times)) ?? 0
        }
        return Row(
            key: key, work: "Sideload, into memory", input: input, reference: "closure that counts, and memcpy",
            limit: limit,
            run: { buffer(inChunksOf: bytes.count, times: $0) },
            runInChunks: { buffer(inChunksOf: UnsafeRawBufferPointer.countedChunk, times: $0) },
            runReference: { times in
                let output = UnsafeRawBufferPointer(source)
                return (try? Collecting.countedAndCopied(bytes, output, to: room, times: times)) ?? 0
            },
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
