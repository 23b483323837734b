import ByteScan

/// What one call of a segmenter has handed out, in few pieces, to be sent or stored after the call.
///
///     var output = SegmentPieces()                               // used again
///     try segmenter.write(chunk, into: &output)
///     for piece in output {
///         switch piece {
///         case .began(let index): file = storage.create("en-\(index).vtt")
///         case .bytes(let piece): file.append(piece.bytes(in: chunk))
///         case .ended(let segment): durations.append(segment.duration)
///         }
///     }
///
/// As with `OutputPieces`, **each call replaces what the one before it has left**, and a copy or an iterator keeps
/// what it has.
public struct SegmentPieces: Sendable {
    /// Where among the pieces a segment begins or ends.
    struct Mark: Sendable {
        /// How many pieces come before it.
        let pieces: Int
        let event: SegmentPart<Never>
    }

    private var pieces: OutputPieces
    private var marks: [Mark] = []

    /// An output in which slices of fewer than `mergingThreshold` bytes are copied together, into pieces of at most
    /// `longestPiece` bytes.
    public init(mergingThreshold: Int = 1024, longestPiece: Int = 32 << 10) {
        pieces = OutputPieces(mergingThreshold: mergingThreshold, longestPiece: longestPiece)
    }

    /// How many bytes the pieces have together.
    public var byteCount: Int { pieces.byteCount }

    /// Whether there is nothing.
    public var isEmpty: Bool { pieces.isEmpty && marks.isEmpty }

    /// Drops what is there, and keeps the memory.
    public mutating func removeAll() {
        pieces.removeAll()
        marks.removeAll(keepingCapacity: true)
    }

    /// Begins a call, which replaces what is there.
    mutating func begin() -> SegmentPieceWriter {
        var kept: [Mark] = []
        swap(&kept, &marks)
        kept.removeAll(keepingCapacity: true)
        return SegmentPieceWriter(pieces: pieces.begin(), marks: kept)
    }

    /// Ends the call that `writer` has been for.
    mutating func end(_ writer: inout SegmentPieceWriter) {
        writer.pieces.end()
        swap(&marks, &writer.marks)
    }
}

/// Appends what a segmenter hands out during one call.
struct SegmentPieceWriter {
    var pieces: PieceWriter
    var marks: [SegmentPieces.Mark]

    /// Appends `event`.
    @inline(__always)
    mutating func append(_ event: SegmentEvent) {
        switch event {
        case .bytes(let slice): pieces.append(slice)
        case .began(let index): marks.append(SegmentPieces.Mark(pieces: pieces.cut(), event: .began(index)))
        case .ended(let segment): marks.append(SegmentPieces.Mark(pieces: pieces.cut(), event: .ended(segment)))
        }
    }
}

extension SegmentPieces: Sequence {
    /// Goes over what has been handed out, in order, and keeps it as it is while it exists.
    public struct Iterator: IteratorProtocol {
        private var pieces: OutputPieces.Iterator
        private let marks: [Mark]
        private var (passedPieces, passedMarks) = (0, 0)

        init(_ pieces: OutputPieces.Iterator, _ marks: [Mark]) {
            self.pieces = pieces
            self.marks = marks
        }

        /// The next event, or nil after the last.
        public mutating func next() -> SegmentPiece? {
            if passedMarks < marks.count, marks[passedMarks].pieces == passedPieces {
                passedMarks += 1
                switch marks[passedMarks - 1].event {
                case .began(let index): return .began(index)
                case .ended(let segment): return .ended(segment)
                }
            }
            passedPieces += 1
            return pieces.next().map { .bytes($0) }
        }
    }

    /// An iterator over what has been handed out.
    public func makeIterator() -> Iterator { Iterator(pieces.makeIterator(), marks) }
}
