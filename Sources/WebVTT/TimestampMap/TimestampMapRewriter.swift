public import ByteScan

/// Puts an `X-TIMESTAMP-MAP` into a WebVTT file while its bytes pass by, in place of one that is there (RFC 8216 3.5).
///
///     var rewriter = TimestampMapRewriter(TimestampMap(mpegTS: 900_000))
///     var output = OutputPieces()
///     rewriter.write(chunk, into: &output)
///     for piece in output { connection.send(piece) }         // after the call, and before the next one
///     rewriter.finish(into: &output)
///     for piece in output { connection.send(piece) }
///
/// The map becomes the line after the signature's, with the same terminator. Header lines that begin with
/// `X-TIMESTAMP-MAP=` are left out; everything else passes through, and after the header nothing is looked at. A file
/// without a signature passes through untouched. Where a chunk ends never changes the output.
///
/// Of earlier chunks only the unfinished line of a map is carried, and two bytes of any other header line. A map of
/// more than 64 KiB is none that anybody reads; it passes through.
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
        /// Whether the output ends with a CR that no LF belongs to. An LF that came next would make one terminator of
        /// two.
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
    /// For counting and copying. **Do not send from `body`, and call nothing there that may use the rewriter again**,
    /// not even to read a property: the call is changing it, and Swift ends the process at such an access. Slices are
    /// valid during the call that hands them out. To send, collect the output in `OutputPieces`.
    ///
    /// - Complexity: O(1) after the header.
    public mutating func write(_ chunk: UnsafeRawBufferPointer, _ body: Sink) {
        let view = unsafe ByteView(chunk)
        guard !view.isEmpty else { return }
        var output = CarriedOutput(view, carriedFrom: carry.start)
        let kept =
            switch document.state {
            case .signatureLine: scanSignatureLine(&output, body)
            case .undecided, .otherLine: scanHeader(&output, from: carry.start, body)
            case .passingThrough: view.count
            }
        output.forward(upTo: kept, &carry, body)
        carry.keep(kept..<view.count, of: view)
    }

    /// Ends the file, and with it a line that has not ended.
    public mutating func finish(_ body: Sink) {
        var output = CarriedOutput(ByteView(), carriedFrom: carry.start)
        switch document.state {
        case .signatureLine:
            document.signature.finish()
            guard case .valid = signature else { break }
            let terminator = carry.isEmpty ? ByteView("\n") : carry.view
            for bytes in [terminator, map.view, terminator] { output.insert(bytes, body) }
        case .undecided:
            let content = carry.start..<(carry.start &+ carry.view.withoutLineEnd.count)
            if !isMap(content, in: ByteView()) { output.forward(upTo: 0, &carry, body) }
        case .otherLine: output.forward(upTo: 0, &carry, body)
        case .passingThrough: break
        }
        document.state = .passingThrough
        carry.removeAll()
    }

    /// Forwards the signature's line, and inserts the map after it. Returns from where on the chunk is to be kept.
    private mutating func scanSignatureLine(_ output: inout CarriedOutput, _ body: Sink) -> Int {
        let chunk = output.chunk
        guard let start = carry.isEmpty ? document.signature.lineEnd(in: chunk) : carry.start else {
            if signature == .invalid { document.state = .passingThrough }
            return chunk.count
        }
        guard let line = carry.wholeLine(at: start, in: chunk) else { return start }
        document.endsInReturn = endsInReturn(line, chunk)
        let isPair = line.end &- line.content.upperBound == 2
        output.forward(upTo: line.end, &carry, body)
        output.insert(map.view, body)
        output.insert(document.endsInReturn ? ByteView("\r") : isPair ? ByteView("\r\n") : ByteView("\n"), body)
        document.state = .undecided
        return scanHeader(&output, from: line.end, body)
    }

    /// Whether `line` ends with a CR, which is carried if nothing of it is in `chunk`.
    func endsInReturn(_ line: WholeLine, _ chunk: ByteView) -> Bool {
        line.end == 0 || chunk[line.end &- 1] == ASCII.carriageReturn
    }
}
