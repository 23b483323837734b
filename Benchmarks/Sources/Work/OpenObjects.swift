import CHeapBlocks
import Inputs
import M3U8
import Sideload
import WebVTT

/// How much memory objects take that are in the middle of a file: one of a kind, and 10,000 at once.
public struct OpenObjects {
    /// What they do.
    public let words: String
    /// Has so many open at once, each after half of its input in chunks of 1,021 bytes, and returns the bytes of the
    /// heap that they have.
    public let measure: (_ count: Int) -> Int
}

extension OpenObjects {
    /// Every kind.
    public static var table: [OpenObjects] {
        [
            kind(.smallMaster) { Sideloader() },
            kind(.fieldMaster, ", a group of its own") { Sideloader() },
            kind(.lowLatencyMedia) { Mapper() },
            kind(.smallMaster) { Filtering(keeping: "RESOLUTION<=720") },
            kind(.smallCues) { Shifting(byMilliseconds: 1_400) },
            kind(Input(name: "srt", .subRip(byteCount: 10_000, .plain))) { Transcoder() },
        ]
    }

    private static func kind<Job: ChunkedJob & ~Copyable>(
        _ input: Input, _ note: String = "", by make: @escaping () -> Job
    ) -> OpenObjects {
        let half = UnsafeRawBufferPointer(rebasing: input.bytes.prefix(input.bytes.count / 2))
        return OpenObjects(words: Job.words + note) { count in
            // What is made once for all.
            var first = make()
            for chunk in half.chunks(of: UnsafeRawBufferPointer.countedChunk) { try? first.write(chunk) { _ in } }
            let before = Int(HeapBlocks.bytes())
            let jobs = UnsafeMutablePointer<Job>.allocate(capacity: count)
            for index in 0..<count {
                (jobs + index).initialize(to: make())
                for chunk in half.chunks(of: UnsafeRawBufferPointer.countedChunk) {
                    try? jobs[index].write(chunk) { _ in }
                }
            }
            let taken = Int(HeapBlocks.bytes()) - before
            jobs.deinitialize(count: count)
            jobs.deallocate()
            return taken
        }
    }
}
