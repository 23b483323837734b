internal import ByteScan

// How the first time stamp is found.
//
// All that concerns chunks is here; a reader of a format never sees where one ends. It demands: so many bytes to skip,
// then so many in one piece. It reads the piece, and demands again or decides.
//
//     chunks      ▏47 40 00 10 … │ … 47 41 00 30 … │ … ▏
//     head        └── 2,048 bytes ──┘             by which MediaFormat chooses the reader
//     pieces      └─ 188 ─┘└─ 188 ─┘└─ 188 ─┘     TransportStreamReader: packets
//                 └ 8 ┘ skip └ 8 ┘└ fields ┘      FragmentedMovieReader: headers of boxes, the fields of a few
//                 └ 10 ┘└ 10 ┘ skip └ 10 ┘└ 53 ┘  AudioTagReader: headers of tags and frames, one frame
//
// So only how early the answer is known can depend on the chunks. To add a format: a case of MediaFormat and of Reader,
// and a reader with `begin`, `read`, `lowest` and `failure`.

/// Finds the first time stamp of a media segment: what `MPEGTS` of an X-TIMESTAMP-MAP must be for cues in sync with it.
///
/// It reads MPEG-TS, fragmented MP4, and packed audio with its ID3 tag (8216bis 3.1). Of fragmented MP4 write the init
/// segment's bytes first, then the media segment's, as one run.
///
///     var scanner = MediaStartScanner()
///     while let chunk = source.next(), scanner.write(chunk) == .needsMoreBytes {}
///     let start = scanner.finish()
///
/// The answer is the lowest time stamp of all audio and video streams, as presented. *Lowest* is circular: a time is
/// before another if it is less than 2 to the 32nd ticks to it, so a clock that wraps between two streams gives the
/// time before.
///
/// Where a chunk ends never changes the answer. A few KiB are remembered, and a scanner that is reset allocates nothing
/// more.
public struct MediaStartScanner: ~Copyable {
    private enum Reader {
        case transportStream, movie, tags
    }

    private enum State {
        /// The first bytes are collected, which tell the format.
        case head
        /// The reader wants what the demand says.
        case reading(Reader, Demand)
        case decided(Answer)
    }

    /// What is known of the segment: all that a reset forgets, besides what is collected.
    private struct Document {
        var state = State.head
        /// How many bytes may still be looked at.
        var bytesLeft: Int
        /// How many bytes of the demand have been skipped.
        var skipped = 0
    }

    private let limits: Limits
    private var document: Document
    private var head = ReusableBuffer<UInt8>()
    /// The beginning of a piece that goes on in the next chunk.
    private var carried = ReusableBuffer<UInt8>()
    private var transportStream = TransportStreamReader()
    private var movie = FragmentedMovieReader()
    private var tags = AudioTagReader()

    /// A scanner of one segment. Reset it to use it for another.
    public init(limits: Limits = Limits()) {
        self.limits = limits
        document = Document(bytesLeft: limits.bytes)
    }

    /// Makes the scanner as new; the memory it has is kept.
    public mutating func reset() {
        document = Document(bytesLeft: limits.bytes)
        head.removeAll()
        carried.removeAll()
    }

    /// Reads the next chunk, of any size, and tells what is now known. Once decided, the answer stays.
    ///
    /// - Complexity: O(*n*) until it is decided, then O(1).
    @discardableResult
    public mutating func write(_ bytes: UnsafeRawBufferPointer) -> Answer {
        let chunk = unsafe ByteView(bytes)
        if case .decided(let answer) = document.state { return answer }
        let affordable = chunk.prefix(upTo: min(chunk.count, document.bytesLeft))
        document.bytesLeft &-= affordable.count
        var start = 0
        if case .head = document.state {
            start = min(affordable.count, MediaFormat.decidingByteCount &- head.count)
            head.append(affordable.prefix(upTo: start))
            if head.count == MediaFormat.decidingByteCount { readHead(isWholeSegment: false) }
        }
        read(affordable.suffix(from: start))
        if affordable.count < chunk.count { conclude(isAtLimit: true) }
        return answer
    }

    /// Scans the next bytes, any number of them.
    @discardableResult
    public mutating func write(_ bytes: RawSpan) -> Answer { unsafe bytes.withUnsafeBytes { unsafe write($0) } }

    #if !hasFeature(Embedded)
    /// Scans the next bytes, any number of them.
    @discardableResult
    public mutating func write(_ bytes: some Collection<UInt8>) -> Answer {
        unsafe bytes.withBytes { unsafe write($0) }
    }
    #endif

    /// Ends the segment, and with it the search: the answer is never ``Answer/needsMoreBytes``.
    @discardableResult
    public mutating func finish() -> Answer {
        conclude(isAtLimit: false)
        return answer
    }

    private var answer: Answer { if case .decided(let answer) = document.state { answer } else { .needsMoreBytes } }

    /// Chooses the reader, and lets it read what has been collected.
    private mutating func readHead(isWholeSegment: Bool) {
        switch MediaFormat(head: head.view, isWholeSegment: isWholeSegment) {
        case .transportStream(let layout):
            proceed(transportStream.begin(layout, streamLimit: limits.streams), with: .transportStream)
        case .boxes: proceed(movie.begin(trackLimit: limits.streams), with: .movie)
        case .tags: proceed(tags.begin(), with: .tags)
        case .unsupported(let error): document.state = .decided(.unsupported(error))
        }
        read(head.view)
    }

    /// Cuts `bytes` into the pieces that the reader demands, and holds what is left.
    private mutating func read(_ bytes: ByteView) {
        var offset = 0
        while case .reading(let reader, let demand) = document.state {
            let skipped = min(demand.skip &- document.skipped, bytes.count &- offset)
            document.skipped &+= skipped
            offset &+= skipped
            let taken = min(demand.count &- carried.count, bytes.count &- offset)
            let part = bytes[offset..<(offset &+ taken)]
            offset &+= taken
            let isWhole = taken == demand.count
            if !isWhole { carried.append(part) }
            guard isWhole || carried.count == demand.count else { return }
            proceed(read(isWhole ? part : carried.view, with: reader), with: reader)
            carried.removeAll()
        }
    }

    private mutating func read(_ piece: ByteView, with reader: Reader) -> MediaStartStep {
        switch reader {
        case .transportStream: transportStream.read(piece)
        case .movie: movie.read(piece)
        case .tags: tags.read(piece)
        }
    }

    private mutating func proceed(_ step: MediaStartStep, with reader: Reader) {
        document.skipped = 0
        document.state =
            switch step {
            case .next(let demand): .reading(reader, demand)
            case .decided(let answer): .decided(answer)
            }
    }

    /// Decides by what has come, because nothing more will be looked at.
    private mutating func conclude(isAtLimit: Bool) {
        if case .head = document.state { readHead(isWholeSegment: true) }
        guard case .reading(let reader, _) = document.state else { return }
        let lowest =
            switch reader {
            case .transportStream: transportStream.lowest
            case .movie: movie.lowest
            case .tags: ClockTime?.none
            }
        let failure = reader == .transportStream ? transportStream.failure : .noTimestamp
        let answer = lowest.map { Answer.found($0.ticks) } ?? .unsupported(isAtLimit ? .tooLong : failure)
        document.state = .decided(answer)
    }
}
