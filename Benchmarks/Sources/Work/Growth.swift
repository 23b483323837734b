import CReference
public import Inputs
import M3U8
import Sideload
import WebVTT

/// How what a job takes grows with a size: of chunks, of the file, of the tracks or the groups.
public struct Growth {
    /// One size, and what is measured there.
    public struct Point {
        /// The size.
        public let size: Int
        /// How many bytes one time goes over; 0 if they do not matter.
        public let byteCount: Int
        /// Does the job so many times.
        public let run: (_ times: Int) -> UInt64
        /// What is wrong with what it returns, or nil.
        public let fault: () -> String?
    }

    /// What the plot is called.
    public let title: String
    /// What the line is called.
    public let line: String
    /// What sizes are sizes of.
    public let unit: String
    /// The sizes, each made only when it is measured.
    public let points: [() -> Point]
}

extension Growth {
    /// Every line of every plot.
    public static var table: [Growth] { chunks + files + [tracksMade, tracksWritten, groups] }

    private static let chunkSizes = [1, 4, 16, 64, 256, 1_024, 4_096, 16_384, 65_536]

    private static var chunks: [Growth] {
        [
            chunked("Sideload 1 MB", { .largeMaster }, Sideloader()),
            chunked("URIs mapped, low latency", { .lowLatencyMedia }, Mapper()),
            chunked(
                "Cues shifted", { Input(name: "cues", .cues(byteCount: 1_000_000)) }, Shifting(byMilliseconds: 1_400)),
            chunked("SubRip to WebVTT", { Input.subRip[2] }, Transcoder()),
        ]
    }

    private static func chunked<Job: ChunkedJob & ~Copyable>(
        _ line: String, _ input: @escaping () -> Input, _ make: @autoclosure @escaping () -> Job
    ) -> Growth {
        Growth(
            title: "Chunks", line: line, unit: "bytes a chunk",
            points: chunkSizes.map { size in { point(size, input().bytes, inChunksOf: size, make) } })
    }

    /// A job that takes all of `bytes`, which `owner` keeps, and whose output must be as long as if they came whole.
    private static func point<Job: ChunkedJob & ~Copyable>(
        _ size: Int, _ bytes: UnsafeRawBufferPointer, of owner: AnyObject? = nil, inChunksOf chunk: Int,
        _ make: @escaping () -> Job
    ) -> Point {
        let slices = SliceList()
        func run(inChunksOf chunk: Int, _ times: Int) -> UInt64 {
            var job = make()
            return withExtendedLifetime(owner) { job.sliced(bytes, inChunksOf: chunk, to: slices, times: times) }
        }
        return Point(
            size: size, byteCount: bytes.count, run: { run(inChunksOf: chunk, $0) },
            fault: {
                let (whole, found) = (run(inChunksOf: max(bytes.count, 1), 1), run(inChunksOf: chunk, 1))
                return whole > 0 && whole == found ? nil : "\(found) bytes of output, not \(whole)"
            })
    }

    // MARK: Files

    private static let fileSizes = [1 << 10, 1 << 15, 1 << 20, 1 << 25, 1 << 30]

    private static var files: [Growth] {
        [
            filed("Sideload", Sideloader()) { .largeMaster(byteCount: $0) },
            filed("Pass through", Sideloader()) { .media(byteCount: $0) },
            filed("URIs mapped", Mapper()) { .media(byteCount: $0) },
            filed("Cues shifted", Shifting(byMilliseconds: 1_400)) { .plainCues(byteCount: $0) },
        ]
    }

    /// Files of all sizes in chunks of 64 KiB. Above 1 MiB they are the same lines over and over.
    private static func filed<Job: ChunkedJob & ~Copyable>(
        _ line: String, _ make: @autoclosure @escaping () -> Job, text: @escaping (Int) -> InputText
    ) -> Growth {
        Growth(
            title: "Files", line: line, unit: "bytes a file",
            points: fileSizes.map { size in
                {
                    let file = Repeated(text(min(size, 1 << 20)).bytes, count: size)
                    return point(size, file.bytes, of: file, inChunksOf: 1 << 16, make)
                }
            })
    }

    // MARK: Tracks and groups

    private static let trackCounts = [1, 5, 20, 50, 100, 200]

    private static var tracksMade: Growth {
        Growth(
            title: "Tracks", line: "Tracks made", unit: "tracks",
            points: trackCounts.map { count in
                {
                    let list = Row.trackList(count)
                    return Point(
                        size: count, byteCount: 0,
                        run: { times in
                            (0..<times).reduce(0) { sum, _ in sum ^ ((try? SubtitleTracks(list))?.fingerprint ?? 0) }
                        },
                        fault: { (try? SubtitleTracks(list)) == nil ? "the tracks are refused" : nil })
                }
            })
    }

    private static var tracksWritten: Growth {
        Growth(
            title: "Tracks", line: "Sideload 2.8 KB", unit: "tracks",
            points: trackCounts.map { count in
                {
                    guard let tracks = try? SubtitleTracks(Row.trackList(count)) else {
                        fatalError("the tracks are refused")
                    }
                    return point(count, Input.smallMaster.bytes, inChunksOf: 1 << 16) { Sideloader(tracks) }
                }
            })
    }

    /// Two tracks for each of so many groups, one a variant.
    private static var groups: Growth {
        Growth(
            title: "Groups", line: "Sideload a master", unit: "groups",
            points: [1, 10, 100, 1_000].map { count in
                {
                    let input = Input(name: "groups", .groups(count: count))
                    let wanted = Expected.grouped(input.bytes, count: count)
                    let checked = point(count, input.bytes, inChunksOf: 1 << 16) { Sideloader(Sideloading.tracks) }
                    return Point(
                        size: count, byteCount: input.bytes.count, run: checked.run,
                        fault: { checked.run(1) == wanted.count ? nil : "the output is not as long as expected" })
                }
            })
    }
}

/// A file of so many bytes that says the same over and over.
private final class Repeated {
    let bytes: UnsafeRawBufferPointer

    init(_ text: [UInt8], count: Int) {
        let memory = UnsafeMutableRawBufferPointer.allocate(byteCount: max(count, text.count), alignment: 4096)
        var start = 0
        text.withUnsafeBytes { source in
            while start < memory.count {
                let part = UnsafeRawBufferPointer(rebasing: source.prefix(memory.count - start))
                UnsafeMutableRawBufferPointer(rebasing: memory[start...]).copyMemory(from: part)
                start += part.count
            }
        }
        bytes = UnsafeRawBufferPointer(memory)
    }

    deinit { bytes.deallocate() }
}
