internal import Delivery
internal import M3U8
internal import Sideload
internal import WebVTT

/// Why the first time stamp of a segment is not known, for a message.
struct UnknownMediaStart: Error {
    let reason: String
    /// What helps, for a note on a map that is missing.
    private(set) var advice = "give --map-from SEGMENT or --map MPEGTS, or --map none"

    init(reason: String) { self.reason = reason }

    /// The segment called `name` is encrypted as a whole, and keys are not fetched.
    init(encrypted name: String) {
        reason = "\(name) is encrypted (METHOD=AES-128)"
        advice =
            "decrypt it and give that as --map-from SEGMENT, or give the video's first time stamp, in 90 kHz ticks, as --map "
            + "MPEGTS, or --map none"
    }

    /// What is wrong in the playlist at `path` with what leads to the segment.
    init(_ fault: PlaylistFacts.Fault, in path: String) {
        reason =
            switch fault {
            case .malformed: "\(path): a line that leads to the first segment cannot be read"
            case .variable(let uri): "\(path): the URI \(String(decoding: uri, as: UTF8.self)) holds a variable"
            }
    }
}

/// Reads the first time stamp of media segments, local ones and fetched ones.
struct MediaStartReading: ~Copyable {
    private var scanner = MediaStartScanner()

    /// Which tick of the video is which time of the content: what `segment` of the media playlist at `playlist` tells.
    static func map(of segment: MediaSegment, in playlist: String) throws(UnknownMediaStart) -> TimestampMap {
        let parts = [segment.initialization, segment.part].compactMap { $0 }
        return FetchedMediaStart(ticks: try ticks(of: parts, in: playlist), start: segment.start).map
    }

    /// The first time stamp of what `parts` of the playlist at `playlist` are together, in ticks of 1/90000 s.
    static func ticks(of parts: [MediaPart], in playlist: String) throws(UnknownMediaStart) -> UInt64 {
        var reading = MediaStartReading()
        let names = parts.map { String(decoding: $0.uri, as: UTF8.self) }
        for (part, name) in zip(parts, names) {
            if part.encryption != .none { throw UnknownMediaStart(encrypted: name) }
            if try reading.read(PlaylistReference.operand(name, in: playlist), part.range) { break }
        }
        return try reading.ticks(of: names.last ?? "")
    }

    /// The map of time 0 that the local files called `names` tell, read one after the other.
    static func map(of names: [String]) throws(UnknownMediaStart) -> TimestampMap {
        var reading = MediaStartReading()
        for name in names where try reading.read(name, nil) { break }
        return FetchedMediaStart(ticks: try reading.ticks(of: names.last ?? ""), start: .zero).map
    }

    /// Reads the file at `path`, or a range of it, and returns whether the time stamp is known, or will never be.
    private mutating func read(_ path: String, _ range: Range<Int>?) throws(UnknownMediaStart) -> Bool {
        do throws(Failure) {
            if Web.isURL(path) { return try readFetched(path, range) }
            let file = try InputFile(path)
            guard let fileSize = file.size else { throw .refused(path, "is no regular file") }
            guard range?.upperBound ?? 0 <= fileSize else {
                throw .refused(path, "has \(fileSize) bytes, fewer than EXT-X-BYTERANGE says")
            }
            var isKnown = false
            try unsafe file.forEachChunk(in: range ?? 0..<fileSize) { bytes in
                isKnown = unsafe scanner.write(bytes) != .needsMoreBytes
                return !isKnown
            }
            return isKnown
        } catch {
            throw UnknownMediaStart(reason: error.message ?? path)
        }
    }

    /// How much of a segment is asked for first: its time stamps are nearly always in that.
    private static let firstBytes = 256 << 10
    /// How much there may be of one that the server sends whole, although a part was asked for.
    private static let mostBytes = 16 << 20

    /// Reads what `url` names, or a range of it, as far as the scanner wants it: by ranges, each four times as long as
    /// the one before.
    private mutating func readFetched(_ url: String, _ range: Range<Int>?) throws(Failure) -> Bool {
        let end = range?.upperBound ?? .max
        var (start, length) = (range?.lowerBound ?? 0, Self.firstBytes)
        while start < end {
            let part = start..<(start + min(length, end - start))
            var isKnown = false
            let answer = try unsafe Web.fetch(url, part, upTo: Self.mostBytes) { bytes in
                isKnown = unsafe scanner.write(bytes) != .needsMoreBytes
                return !isKnown
            }
            if isKnown || answer.isAtEnd { return isKnown }
            (start, length) = (part.upperBound, length * 4)
        }
        return false
    }

    /// The first time stamp of what has been read.
    private mutating func ticks(of name: String) throws(UnknownMediaStart) -> UInt64 {
        switch scanner.finish() {
        case .found(let ticks): return ticks
        case .unsupported(let error): throw UnknownMediaStart(reason: "\(name): \(error)")
        case .needsMoreBytes: throw UnknownMediaStart(reason: "\(name): ends before a time stamp")
        }
    }
}
