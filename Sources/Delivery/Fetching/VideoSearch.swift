internal import ByteScan
internal import M3U8

/// The way to a video's first time stamp.
struct VideoSearch {
    /// The first segment, and what its references are relative to.
    struct Found {
        let segment: MediaSegment
        let base: [UInt8]
    }

    /// Where on the way it is.
    enum Place {
        /// A playlist, multivariant or media.
        case playlist
        /// The media playlist of a variant.
        case variant
        /// The media initialization section of the first segment.
        case initialization(Found)
        /// The first segment.
        case segment(Found)
    }

    var place = Place.playlist
    /// Whether the playlist says that its first segment stays the first.
    var startStays = false

    /// The key that came last, and where it is.
    var key: (uri: [UInt8], bytes: [UInt8])?
    /// The part that is read in blocks, since it is encrypted; nil for one that is read as it comes.
    var sealed: SealedPart?
    /// What is held of a key or of a block.
    var held: [UInt8] = []

    /// Whether of a segment its first bytes are asked for, which tell its time stamp nearly always.
    var isProbing = false
    /// Whether the part of a resource that came last ends before the resource does, or nobody knows.
    var isCut = false

    /// How many bytes these are: a program's tables and its first frame, or the boxes before the media.
    static var probeByteCount: Int { 64 << 10 }

    /// The part of a resource that is being read.
    var part: MediaPart? {
        switch place {
        case .playlist, .variant: nil
        case .initialization(let found): found.segment.initialization
        case .segment(let found): found.segment.part
        }
    }

    /// What the part's reference is relative to.
    var base: [UInt8] {
        switch place {
        case .playlist, .variant: []
        case .initialization(let found), .segment(let found): found.base
        }
    }

    /// Which bytes of a resource are wanted; nil for all.
    var range: Range<Int>? { sealed?.block ?? part?.range }

    /// Which bytes are wanted of a whole resource of `length` bytes, if that is known.
    func window(ofWhole length: Int?, _ request: FetchRequest, _ limits: FetchLimits) -> BodyWindow? {
        switch request.purpose {
        case .videoPlaylist: return BodyWindow(length: length, limit: limits.playlist)
        case .segmentKey: return BodyWindow(length: length, limit: request.byteLimit)
        default:
            // The scanner has its own limit.
            guard let range else { return BodyWindow(length: length, limit: nil) }
            return BodyWindow(range, length: length)
        }
    }

    /// How many bytes come before the part where the whole is sent.
    var skippedBytes: Int { range?.lowerBound ?? 0 }
}

/// A part of a resource that is encrypted, block after block.
///
///     resource   ····│ first 64 KiB │ 256 KiB │ 256 KiB │ …
///                    └ vector: IV   └ vector: the last 16 bytes before, as they came
///
/// Any number of whole AES blocks can be decrypted once the 16 bytes before them are known, so no more is asked for
/// than shows a time stamp.
struct SealedPart {
    let key: [UInt8]
    /// What chains the next block to what is before it.
    private(set) var vector: [UInt8]
    /// The bytes of the resource that are asked for.
    private(set) var block: Range<Int>
    /// Where the part ends, once that is known.
    private(set) var end: Int?

    private let longestBlock: Int

    /// The part that has these bytes of its resource, or all of it.
    init(_ range: Range<Int>?, key: [UInt8], vector: [UInt8], _ limits: FetchLimits) {
        self.key = key
        self.vector = vector
        longestBlock = max(limits.block & ~15, 16)
        end = range?.upperBound
        let start = range?.lowerBound ?? 0
        block = start..<start
        extend(to: min(64 << 10, longestBlock))
    }

    /// Notes how long the resource is.
    mutating func note(total: Int?) { if let total { end = min(end ?? total, total) } }

    /// Whether nothing comes behind the block, of which `count` bytes have come.
    func isLast(_ count: Int) -> Bool { count < block.count || end.map { $0 <= block.upperBound } ?? false }

    /// Goes on to the next block, behind one that was `bytes`.
    mutating func advance(behind bytes: [UInt8]) {
        vector = Array(bytes.suffix(16))
        block = block.upperBound..<block.upperBound
        extend(to: longestBlock)
    }

    private mutating func extend(to count: Int) {
        let (sum, isTooLarge) = block.lowerBound.addingReportingOverflow(count)
        block = block.lowerBound..<max(block.lowerBound, min(isTooLarge ? .max : sum, end ?? .max))
    }
}
