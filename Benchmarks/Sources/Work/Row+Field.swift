import CReference
import Inputs
import M3U8
import Sideload

// What the field sends: small playlists, some with subtitles already.
extension Row {
    static let field: [Entry] = [
        ("master-small-new", { sideloadAnew("master-small-new", .smallMaster) }),
        ("master-field", { sideload("master-field", .fieldMaster, isCopied: false, limit: nil) }),
        ("master-field-new", { sideloadAnew("master-field-new", .fieldMaster) }),
        (
            "field-masters",
            { many("field-masters", .fieldMasters, areSpoiled: false, Sideloader()) { Expected.sideloaded($0) } }
        ),
        (
            "field-masters-spoiled",
            {
                many("field-masters-spoiled", .fieldMasters, areSpoiled: true, Sideloader()) { Expected.sideloaded($0) }
            }
        ),
        (
            "field-media",
            { many("field-media", .fieldMedia, areSpoiled: false, Mapper()) { Expected.mapped($0, .baseAndHost) } }
        ),
        (
            "field-media-spoiled",
            {
                many("field-media-spoiled", .fieldMedia, areSpoiled: true, Mapper()) {
                    Expected.mapped($0, .baseAndHost)
                }
            }
        ),
    ]

    /// Two tracks put beside a master playlist by a rewriter that is made for it.
    private static func sideloadAnew(_ key: String, _ input: Input) -> Row {
        let bytes = input.bytes
        let run = { (times: Int) -> UInt64 in
            var sum = 0
            for _ in 0..<times {
                var rewriter = MasterRewriter(Sideloading.tracks)
                try? rewriter.write(bytes) { sum &+= $0.count }
                rewriter.finish { sum &+= $0.count }
            }
            return UInt64(sum)
        }
        return Row(
            key: key, work: "Sideload, a new rewriter", input: input, reference: "blind edit, counted", limit: nil,
            makesOutput: true, run: run, runInChunks: run,
            runReference: repeating { Reference.lines(bytes.baseAddress, bytes.count) },
            fault: { run(1) == Expected.sideloaded(bytes).count ? nil : "the output has another length" })
    }

    /// 200 playlists, one after the other, by one object that is reset for each.
    ///
    /// From memory each time gets others, and so its buffers may grow: heap blocks are not gated then. With small
    /// inputs they are in the caches.
    private static func many<Job: ChunkedJob & ~Copyable>(
        _ key: String, _ input: Input, areSpoiled: Bool, _ make: @autoclosure @escaping () -> Job,
        expected: @escaping (UnsafeRawBufferPointer) -> [UInt8]
    ) -> Row {
        let playlists = Playlists(input, areSpoiled: areSpoiled && Input.largest == .max)
        let run = { (times: Int) -> UInt64 in
            var job = make()
            var sum = 0
            for _ in 0..<times {
                playlists.visit { bytes in
                    job.reset()
                    try? job.write(bytes) { sum &+= $0.count }
                    job.finish { sum &+= $0.count }
                }
            }
            return UInt64(sum)
        }
        return Row(
            key: key, work: "\(Job.words), \(playlists.count)\(areSpoiled ? ", from memory" : "")", input: input,
            reference: "memchr, line by line", limit: nil, bytesEach: playlists.bytesEach, isCounted: !areSpoiled,
            makesOutput: areSpoiled,
            run: run, runInChunks: run,
            runReference: repeating {
                var sum: UInt64 = 0
                playlists.visit { sum &+= Reference.lines($0.baseAddress, $0.count) }
                return sum
            },
            fault: {
                var job = make()
                var fault: String?
                playlists.visit { bytes in
                    let wanted = expected(bytes)
                    for size in [bytes.count, 1, 7, 64]
                    where fault == nil && job.output(of: bytes, inChunksOf: size) != wanted {
                        fault =
                            "in chunks of \(size) bytes: \(String(decoding: bytes, as: UTF8.self)) becomes something else"
                    }
                }
                return fault
            })
    }
}
