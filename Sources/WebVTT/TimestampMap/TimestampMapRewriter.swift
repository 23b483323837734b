public import ByteScan

/// Puts an `X-TIMESTAMP-MAP` into a WebVTT file while its bytes pass by, in place of one that is there (RFC 8216 3.5).
///
///     var rewriter = TimestampMapRewriter(TimestampMap(mpegTS: 900_000))
///     var output = OutputPieces()
///     unsafe rewriter.write(chunk, into: &output)
///     for piece in output { connection.send(piece) }         // after the call, and before the next one
///     rewriter.finish(into: &output)
///     for piece in output { connection.send(piece) }
///
/// The map becomes the line after the signature's, with the same terminator. Header lines that begin with
/// `X-TIMESTAMP-MAP=` are left out; everything else passes through, and after the header nothing is looked at. A file
/// without a signature passes through untouched. Where a chunk ends never changes the output.
///
/// Of earlier chunks only the unfinished line of a map is carried, and two bytes of any other header line. A map of more
/// than 64 KiB is none that anybody reads; it passes through.
public struct TimestampMapRewriter: ~Copyable {
    /// Receives a slice of the output.
    public typealias Sink = (OutputSlice) -> Void

    /// What the next byte belongs to.
    enum State {
        /// The signature's line. It is carried from a CR on, which an LF may follow.
        case signatureLine
        /// A header line that may be a map, all of which is carried.
        case undecided
        /// A header line that is no map; its last two bytes are carried, since they may begin an arrow or a terminator.
        case otherLine(hasArrow: Bool)
        /// Text that is not looked at.
        case passingThrough
    }

    /// What is known of the file so far: all that a reset forgets.
    struct Document {
        var signature = SignatureReader()
        var state = State.signatureLine
        /// Whether the output ends with a CR that no LF belongs to. An LF that came next would make one terminator of two.
        var endsInReturn = false
    }

    let map: StableBytes

    var document = Document()
    var carry = CarryBuffer()

    /// What the first bytes say: without a signature nothing is changed.
    public var signature: WebVTTSignature { document.signature.answer }

    /// A rewriter that puts `map` into one file. Reset it to use it for another.
    public init(_ map: TimestampMap) { self.map = StableBytes(map.headerLine) }

    /// Makes the rewriter as new; the memory it has is kept.
    public mutating func reset() {
        document = Document()
        carry.removeAll()
    }

    /// Rewrites the next chunk, of any size, and hands out what is decided, slice by slice.
    ///
    /// For those who count or copy. **Do not send from `body`, nor call anything that may come back to the rewriter**, be it only to
    /// read a property: it is being changed, and Swift ends the process at such an access. Slices are valid during the call that
    /// hands them out. To send, collect the output in ``OutputPieces``.
    ///
    /// - Complexity: O(1) after the header.
    public mutating func write(_ chunk: UnsafeRawBufferPointer, _ body: Sink) {
        var cursor = OutputCursor(chunk: unsafe ByteView(chunk))
        if !cursor.view.isEmpty {
            switch document.state {
            case .signatureLine: scanSignatureLine(&cursor, body)
            case .undecided, .otherLine: scanHeader(&cursor, from: carry.start, body)
            case .passingThrough: break
            }
        }
        cursor.forwardRest(body)
    }

    /// Ends the file, and with it a line that has not ended.
    public mutating func finish(_ body: Sink) {
        var cursor = OutputCursor(carried: carry.view)
        switch document.state {
        case .signatureLine:
            document.signature.finish()
            guard case .valid = signature else { break }
            let terminator = carry.isEmpty ? ByteView("\n") : carry.view
            cursor.insert(terminator, body)
            cursor.insert(map.view, body)
            cursor.insert(terminator, body)
        case .undecided:
            let content = carry.start..<(carry.start &+ carry.view.withoutLineEnd.count)
            if !isMap(content, in: ByteView()) { cursor.forwardRest(body) }
        case .otherLine: cursor.forwardRest(body)
        case .passingThrough: break
        }
        document.state = .passingThrough
        carry.removeAll()
    }

    /// Forwards the signature's line, and inserts the map after it.
    private mutating func scanSignatureLine(_ cursor: inout OutputCursor, _ body: Sink) {
        let chunk = cursor.view
        guard let start = carry.isEmpty ? document.signature.lineEnd(in: chunk) : carry.start else {
            if signature == .invalid { document.state = .passingThrough }
            return
        }
        guard let line = carry.wholeLine(at: start, in: chunk) else { return keep(start..<chunk.count, &cursor, body) }
        let endsInReturn = (line.end > 0 ? chunk[line.end &- 1] : ASCII.carriageReturn) == ASCII.carriageReturn
        let isPair = line.end &- line.content.upperBound == 2
        forwardCarried(upTo: line.end, &cursor, body)
        cursor.forward(upTo: line.end, body)
        cursor.insert(map.view, body)
        cursor.insert(endsInReturn ? ByteView("\r") : isPair ? ByteView("\r\n") : ByteView("\n"), body)
        document.endsInReturn = endsInReturn
        document.state = .undecided
        scanHeader(&cursor, from: line.end, body)
    }
}
