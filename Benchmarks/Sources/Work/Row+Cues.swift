import CReference
import Inputs

extension Row {
    /// Every block of a file as an event, against finding its lines.
    static func cues(_ key: String, _ input: Input, limit: Double?) -> Row {
        let bytes = input.bytes
        return Row(
            key: key, work: "All cue events", input: input, reference: "memchr, line by line", limit: limit,
            run: { Cues.events(of: bytes, inChunksOf: bytes.count, times: $0) },
            runInChunks: { Cues.events(of: bytes, inChunksOf: UnsafeRawBufferPointer.countedChunk, times: $0) },
            runReference: repeating { Reference.lines(bytes.baseAddress, bytes.count) },
            fault: { Cues.fault(in: bytes, expected: Expected.cues(of: bytes)) }
        )
    }

    /// The times of all cues, against finding the lines.
    static func timings(_ key: String, _ input: Input, limit: Double?) -> Row {
        let bytes = input.bytes
        return Row(
            key: key, work: "All cues' times", input: input, reference: "memchr, line by line", limit: limit,
            run: { Cues.timings(of: bytes, inChunksOf: bytes.count, times: $0) },
            runInChunks: { Cues.timings(of: bytes, inChunksOf: UnsafeRawBufferPointer.countedChunk, times: $0) },
            runReference: repeating { Reference.lines(bytes.baseAddress, bytes.count) },
            fault: { Cues.timingFault(in: bytes, expected: Expected.cues(of: bytes)) }
        )
    }

    /// All cue events on two threads, against the same on one.
    static func twoThreads(_ key: String, _ input: Input, limit: Double?) -> Row {
        let bytes = input.bytes
        return Row(
            key: key, work: "All cue events, two threads", input: input, reference: "the same on one", limit: limit,
            isParallel: true, isCounted: false,
            run: { Cues.events(of: bytes, threads: 2, times: $0) },
            runInChunks: { Cues.events(of: bytes, threads: 3, times: $0) },
            runReference: { Cues.events(of: bytes, threads: 1, times: $0) },
            fault: { Cues.fault(in: bytes, expected: Expected.cues(of: bytes)) }
        )
    }

    /// A timestamp map put in and the output copied, against copying the file.
    static func map(_ key: String, _ input: Input, limit: Double?) -> Row {
        let bytes = input.bytes
        let output = OutputBuffer(capacity: 2 * bytes.count)
        let room = output.room
        func map(inChunksOf size: Int, times: Int) -> UInt64 {
            Cues.mapped(bytes, inChunksOf: size, into: output, times: times)
        }
        return Row(
            key: key, work: "Timestamp map, copied", input: input, reference: "memcpy", limit: limit,
            run: { map(inChunksOf: bytes.count, times: $0) },
            runInChunks: { map(inChunksOf: UnsafeRawBufferPointer.countedChunk, times: $0) },
            runReference: repeating { Reference.copy(bytes.baseAddress, bytes.count, into: room.baseAddress) },
            fault: {
                let expected = Expected.mapped(bytes)
                for size in [bytes.count] + UnsafeRawBufferPointer.checkedChunks {
                    let count = map(inChunksOf: size, times: 1)
                    guard count == expected.count, room.prefix(expected.count).elementsEqual(expected) else {
                        return "in chunks of \(size) bytes: the output is not the expected one"
                    }
                }
                return nil
            }
        )
    }
}
