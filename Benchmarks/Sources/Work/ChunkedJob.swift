import CReference
import Inputs

/// A job of the library's that takes a file in chunks and hands out slices. One object does all files, reset for each.
protocol ChunkedJob: ~Copyable {
    /// What it does, for the table.
    static var words: String { get }

    typealias Sink = (UnsafeRawBufferPointer) -> Void

    mutating func reset()
    mutating func write(_ chunk: UnsafeRawBufferPointer, _ sink: Sink) throws
    mutating func finish(_ sink: Sink)
}

extension ChunkedJob where Self: ~Copyable {
    /// Does the job with `bytes`, and notes the slices; 0 if the file is refused.
    @inline(__always)
    mutating func sliced(
        _ bytes: UnsafeRawBufferPointer, inChunksOf size: Int, to slices: SliceList, times: Int
    ) -> UInt64 {
        var slices = slices
        var sum: UInt64 = 0
        for _ in 0..<times {
            slices.removeAll()
            reset()
            for chunk in bytes.chunks(of: size) {
                guard (try? write(chunk) { slices.append($0) }) != nil else { return 0 }
            }
            finish { slices.append($0) }
            sum &+= UInt64(slices.byteCount)
        }
        return sum
    }

    /// All that comes out, or nil if the file is refused.
    mutating func output(of bytes: UnsafeRawBufferPointer, inChunksOf size: Int) -> [UInt8]? {
        var output: [UInt8] = []
        reset()
        for chunk in bytes.chunks(of: size) {
            guard (try? write(chunk) { output += $0 }) != nil else { return nil }
        }
        finish { output += $0 }
        return output
    }
}

extension Row {
    /// A job that hands out slices, against finding the lines of its input.
    static func slices<Job: ChunkedJob & ~Copyable>(
        _ key: String, _ input: Input, _ note: String = "", by make: @escaping () -> Job,
        expected: @escaping (UnsafeRawBufferPointer) -> [UInt8]
    ) -> Row {
        let bytes = input.bytes
        let slices = SliceList()
        func run(inChunksOf size: Int, times: Int) -> UInt64 {
            var job = make()
            return job.sliced(bytes, inChunksOf: size, to: slices, times: times)
        }
        return Row(
            key: key, work: Job.words + note, input: input, reference: "memchr, line by line", limit: nil,
            run: { run(inChunksOf: bytes.count, times: $0) },
            runInChunks: { run(inChunksOf: UnsafeRawBufferPointer.countedChunk, times: $0) },
            runReference: repeating { Reference.lines(bytes.baseAddress, bytes.count) },
            fault: {
                let expected = expected(bytes)
                var job = make()
                for size in [bytes.count] + UnsafeRawBufferPointer.checkedChunks
                where job.output(of: bytes, inChunksOf: size) != expected {
                    return "in chunks of \(size) bytes: the output is not the expected one"
                }
                return run(inChunksOf: bytes.count, times: 1) == expected.count ? nil : "what is timed is cut short"
            }
        )
    }
}
