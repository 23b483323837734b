package import ByteScan

/// Which bytes of a body are wanted, and where it must end.
///
///     body      ··········▒▒▒▒▒▒▒▒▒▒▒▒▒▒▒▒··········
///               └─ skip ─┘└─── take ────┘         ▲ length
///
/// What is said of a body depends on its bytes alone, never on where its chunks end.
package struct BodyWindow {
    /// How many bytes come before those that are wanted.
    private let skip: Int
    /// How many are wanted; nil if all are, up to the end.
    private let take: Int?
    /// How many bytes the body must have; nil if nobody knows.
    private let length: Int?
    /// How many may be wanted; nil if there is no limit.
    private let limit: Int?

    /// How many bytes have come.
    private var position = 0

    /// All of a body of `length` bytes, of which there may be `limit`.
    package init(length: Int?, limit: Int?) {
        skip = 0
        take = nil
        self.length = length
        self.limit = limit
    }

    /// The bytes `range` of a body of `length` bytes, or as many as there are.
    package init(_ range: Range<Int>, length: Int?) {
        skip = range.lowerBound
        take = range.count
        self.length = length
        limit = nil
    }

    /// Whether all that is wanted has come, whatever follows.
    package var isFilled: Bool { take.map { position >= skip &+ $0 } ?? false }

    /// What is wrong at the body's end, if anything: it has ended too early.
    var faultAtEnd: FetchError.Reason? { length.map { position < $0 } ?? false ? .wrongLength : nil }

    /// Takes the next bytes of the body: those of them that are wanted, and what is wrong behind these.
    package mutating func cut(_ chunk: ByteView) -> (wanted: ByteView, fault: FetchError.Reason?) {
        let start = position
        position &+= chunk.count
        var end = chunk.count
        if let take { end = min(end, skip &+ take &- start) }
        if let length { end = min(end, length &- start) }
        if let limit { end = min(end, limit &- start) }
        let first = min(max(skip &- start, 0), chunk.count)
        let wanted = chunk[first..<max(first, end)]
        // Of the ends that were passed the first counts.
        let (most, enough) = (limit ?? .max, take.map { skip &+ $0 } ?? .max)
        if let length, position > length, length < enough, length <= most { return (wanted, .wrongLength) }
        if position > most, most < enough { return (wanted, .tooLong(limit: most)) }
        return (wanted, nil)
    }
}
