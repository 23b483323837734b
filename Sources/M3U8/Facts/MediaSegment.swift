internal import ByteScan

/// A part of a media playlist whose time stamps go on: up to an EXT-X-DISCONTINUITY, after which they start anew.
package struct Timeline: Sendable {
    /// When it begins, on the content's clock.
    package let start: DecimalSeconds
    /// Whether an EXT-X-DISCONTINUITY stands before it; only the first may lack one.
    package let isDiscontinuous: Bool
    /// How many durations above 0 come before its first.
    package let firstDuration: Int
    /// Its first segment that is no gap, if it is asked for.
    package internal(set) var segment: Result<MediaSegment, PlaylistFacts.Fault>?
}

/// A media segment, and what is needed to read its time stamps.
package struct MediaSegment: Equatable, Sendable {
    /// When it begins, on the content's clock.
    package let start: DecimalSeconds
    package let part: MediaPart
    /// The media initialization section (EXT-X-MAP).
    package let initialization: MediaPart?

    /// A segment.
    package init(start: DecimalSeconds, part: MediaPart, initialization: MediaPart?) {
        self.start = start
        self.part = part
        self.initialization = initialization
    }

    /// Whether the whole of it is encrypted: nothing in it can be read as it is.
    package var isEncrypted: Bool { part.encryption != .none }
}

/// Bytes that a media playlist refers to.
package struct MediaPart: Equatable, Sendable {
    /// The reference as it stands in the playlist.
    package let uri: [UInt8]
    /// The range of bytes; nil for all of them. Never empty.
    package let range: Range<Int>?
    /// How these bytes are encrypted.
    package var encryption = MediaEncryption.none

    /// The bytes `range` of `uri`.
    package init(uri: [UInt8], range: Range<Int>?, encryption: MediaEncryption = .none) {
        self.uri = uri
        self.range = range
        self.encryption = encryption
    }
}

/// A range of bytes as playlists write it, `length[@offset]` (RFC 8216 4.3.2.2).
struct ByteRange: Equatable {
    let length: Int
    let offset: Int?

    /// Parses `text`; nil if it is no range, or has no byte.
    init?(_ text: ByteView) {
        let at = text.firstOffset(of: ASCII.at)
        guard let length = Int(decimal: text.prefix(upTo: at ?? text.count)), length > 0 else { return nil }
        self.length = length
        offset = at.flatMap { Int(decimal: text.suffix(from: $0 &+ 1)) }
        if at != nil, offset == nil { return nil }
    }

    /// The range, which begins at `next` if the text says nothing else; nil if nobody can have it.
    func range(after next: Int) -> Range<Int>? {
        let (end, isTooLarge) = (offset ?? next).addingReportingOverflow(length)
        return isTooLarge ? nil : (offset ?? next)..<end
    }
}

/// What EXT-X-BYTERANGE says of the next segment.
enum ByteRangeLine {
    /// There is none: the segment is the whole resource.
    case none
    case some(ByteRange)
    case malformed
}

/// Puts segments together: where their bytes are, by the lines that hold until they are said anew.
struct SegmentReader {
    typealias Fault = PlaylistFacts.Fault

    private var initialization: Result<MediaPart, Fault>?
    private var keys = KeyLines()
    /// The resource of which the segment before is a range, and where that ends if it is known.
    private var last: (uri: [UInt8], end: Int?) = ([], nil)

    /// Notes EXT-X-KEY.
    mutating func noteKey(_ line: PlaylistLine) { keys.note(line) }

    /// Notes EXT-X-MAP. Without an offset its range is the resource's beginning (RFC 8216 4.3.2.5).
    mutating func noteInitialization(_ line: PlaylistLine) {
        initialization = Result { () throws(Fault) in
            guard let text = line.content(of: "URI") else { throw .malformed }
            let uri = try line.reference(text.trimmed)
            let encryption = try keys.encryption(ofSegment: nil)
            let range = line.content(of: "BYTERANGE").map { ByteRange($0.trimmed)?.range(after: 0) }
            if case .some(nil) = range { throw .malformed }
            return MediaPart(uri: uri, range: range ?? nil, encryption: encryption)
        }
    }

    /// Which bytes of the resource `uri` the next segment is; nil for all of them.
    ///
    /// Where nothing is said, a range begins where that of the segment before has ended (RFC 8216 4.3.2.2).
    mutating func range(of uri: ByteView, _ line: ByteRangeLine) -> Result<Range<Int>?, Fault> {
        var range: Range<Int>?
        switch line {
        case .none:
            last.uri.removeAll(keepingCapacity: true)
            return .success(nil)
        case .some(let text):
            let next = uri.elementsEqual(last.uri) ? last.end : 0
            range = (text.offset ?? next).flatMap { text.range(after: $0) }
        case .malformed: break
        }
        last.uri.removeAll(keepingCapacity: true)
        last.uri.append(contentsOf: uri)
        last.end = range?.upperBound
        return range.map { .success($0) } ?? .failure(.malformed)
    }

    /// The segment with this number, of the bytes `range` of `uri`.
    func segment(
        _ number: UInt64, at start: DecimalSeconds, _ uri: [UInt8], _ range: Result<Range<Int>?, Fault>
    ) throws(Fault) -> MediaSegment {
        MediaSegment(
            start: start,
            part: MediaPart(
                uri: uri, range: try range.get(), encryption: try keys.encryption(ofSegment: number)),
            initialization: try initialization?.get())
    }
}
