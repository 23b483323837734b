import CReference
import Delivery
import Inputs
import Sideload

// What is found in the beginning, or the end, of a file that is much longer.
extension Row {
    static let probes: [Entry] = [
        ("start-ts", { mediaStart("start-ts", .transportStream) }),
        ("start-mp4", { mediaStart("start-mp4", .fragmentedMovie) }),
        ("fetch-duration", { fetchDuration("fetch-duration", .largeCues) }),
        ("fetch-content", { fetchContent("fetch-content", Input.subRip[2]) }),
    ]

    /// A segment's first time stamp, in chunks of 16 KiB as they come until it is known, against copying the first
    /// chunk.
    private static func mediaStart(_ key: String, _ input: Input) -> Row {
        let bytes = input.bytes
        let room = OutputBuffer(capacity: 16_384).room
        func start(inChunksOf size: Int, times: Int) -> UInt64 {
            var scanner = MediaStartScanner()
            var sum: UInt64 = 0
            for _ in 0..<times {
                scanner.reset()
                for chunk in bytes.chunks(of: size) {
                    if scanner.write(chunk) != .needsMoreBytes { break }
                }
                if case .found(let ticks) = scanner.finish() { sum &+= ticks }
            }
            return sum
        }
        return Row(
            key: key, work: "First time stamp", input: input, reference: "memcpy of 16 KiB", limit: nil, isLocal: true,
            run: { start(inChunksOf: 16_384, times: $0) },
            runInChunks: { start(inChunksOf: UnsafeRawBufferPointer.countedChunk, times: $0) },
            runReference: repeating {
                Reference.copy(bytes.baseAddress, min(bytes.count, 16_384), into: room.baseAddress)
            },
            fault: {
                for size in [16_384, bytes.count] + UnsafeRawBufferPointer.checkedChunks {
                    let found = start(inChunksOf: size, times: 1)
                    if found != Input.firstTimestamp {
                        return "in chunks of \(size) bytes: \(found), not \(Input.firstTimestamp)"
                    }
                }
                return nil
            })
    }

    /// How long a track lasts, by the tail of its file, against finding the lines of that.
    private static func fetchDuration(_ key: String, _ input: Input) -> Row {
        let bytes = input.bytes
        let tail = UnsafeRawBufferPointer(rebasing: bytes.suffix(16_384))
        let run = { (times: Int) -> UInt64 in
            (0..<times).reduce(0) { sum, _ in sum &+ Fetching.milliseconds(of: bytes) }
        }
        return Row(
            key: key, work: "Fetch: a duration", input: input, reference: "memchr, line by line", limit: nil,
            isLocal: true,
            makesOutput: true, run: run, runInChunks: run,
            runReference: repeating { Reference.lines(tail.baseAddress, tail.count) },
            fault: {
                let expected = UInt64(Expected.cues(of: bytes).map(\.end).max() ?? 0)
                return run(1) == expected ? nil : "\(run(1)) ms, not \(expected)"
            })
    }

    /// A file of SubRip brought as WebVTT in chunks of 16 KiB, against copying it.
    private static func fetchContent(_ key: String, _ input: Input) -> Row {
        let bytes = input.bytes
        let room = OutputBuffer(capacity: bytes.count).room
        let run = { (times: Int) -> UInt64 in
            (0..<times).reduce(0) { sum, _ in sum &+ UInt64(Fetching.content(of: bytes).count) }
        }
        return Row(
            key: key, work: "Fetch: SubRip as WebVTT", input: input, reference: "memcpy", limit: nil, makesOutput: true,
            run: run, runInChunks: run,
            runReference: repeating { Reference.copy(bytes.baseAddress, bytes.count, into: room.baseAddress) },
            fault: {
                Fetching.content(of: bytes) == Expected.transcoded(bytes) ? nil : "the file is not the expected one"
            })
    }
}

/// Jobs of fetching, answered from memory.
private enum Fetching {
    private static let url = Array("https://example.com/en".utf8)

    /// How long the file lasts, by its tail.
    static func milliseconds(of file: UnsafeRawBufferPointer) -> UInt64 {
        var fetch = Fetch(.duration(FetchTrack(url: url, format: .webVTT)))
        guard case .answer(.duration(let found)) = answer(&fetch, file) else { return 0 }
        return UInt64(truncatingIfNeeded: found.duration.milliseconds)
    }

    /// The file as WebVTT.
    static func content(of file: UnsafeRawBufferPointer) -> [UInt8] {
        var fetch = Fetch(.content(FetchTrack(url: url, format: .subRip), map: .own))
        guard case .answer(.text(let text)) = answer(&fetch, file) else { return [] }
        return text.bytes
    }

    /// Answers all requests from `file`.
    private static func answer(_ fetch: inout Fetch, _ file: UnsafeRawBufferPointer) -> Fetch.Step {
        while true {
            let step = fetch.next()
            guard case .request(let request) = step else { return step }
            var part = 0..<file.count
            switch request.range {
            case .suffix(let count): part = max(0, file.count - count)..<file.count
            case .bytes(let range): part = range.lowerBound..<min(range.upperBound + 1, file.count)
            case nil: break
            }
            let isPart = request.range != nil
            var need = respond(
                isPart ? 206 : 200, isPart ? "bytes \(part.lowerBound)-\(part.upperBound - 1)/\(file.count)" : nil,
                &fetch)
            for chunk in UnsafeRawBufferPointer(rebasing: file[part]).chunks(of: 16_384) where need == .more {
                need = fetch.write(chunk)
            }
            if need == .more { fetch.finish() }
        }
    }

    /// The head of a response.
    private static func respond(_ status: Int, _ range: String?, _ fetch: inout Fetch) -> Fetch.Need {
        var fields = HeaderFields()
        fields.append("Content-Type", "text/vtt")
        fields.append("ETag", "\"1\"")
        if let range { fields.append("Content-Range", range) }
        return fetch.begin(FetchResponse(status: status), fields)
    }
}
