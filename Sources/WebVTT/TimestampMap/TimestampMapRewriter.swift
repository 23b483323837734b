public import ByteScan

/// Puts an `X-TIMESTAMP-MAP` into a WebVTT file while its bytes pass by, in place of one that is there (RFC 8216 3.5).
///
///     var rewriter = TimestampMapRewriter(TimestampMap(mpegTS: 900_000))
///     rewriter.write(chunk) { slice in connection.send(slice) }
///     rewriter.finish { slice in connection.send(slice) }
///
/// The map becomes the line behind the signature's, with the same terminator. Header lines that begin with
/// `X-TIMESTAMP-MAP=` are left out; everything else passes through, and behind the header nothing is looked at. A file
/// without a signature passes through untouched. Where a chunk ends never changes the output.
///
/// All that is kept from one chunk to the next is the unfinished line of a map. One of more than 64 KiB is no map that
/// anybody reads; it passes through.
public struct TimestampMapRewriter: ~Copyable {
    /// Takes a slice of the output.
    public typealias Sink = (OutputSlice) -> Void

    /// What the next byte belongs to.
    enum Phase {
        /// The signature, not yet known to be one.
        case signature
        /// The rest of the signature's line.
        case signatureLine
        /// What is behind the CR that ends it: an LF of the same terminator, or the next line.
        case behindSignatureLine
        /// A header line that may turn out to be a map: so many bytes of the name have come.
        case name(Int)
        /// A header line with a map, which is left out where it has no arrow.
        case map
        /// Any other header line.
        case line
        /// Text that is not looked at.
        case forwarding
    }

    /// The most bytes of a line that are kept.
    static var longestLine: Int { 64 << 10 }

    private let line: StableBytes

    var phase = Phase.signature
    private var signatureReader = SignatureReader()

    /// The unfinished line of a map, so far as it came in earlier chunks.
    var held = ReusableBuffer<UInt8>()

    /// How many hyphens, 2 at most, the line's last bytes are, and whether it has an arrow.
    var hyphenCount = 0
    var lineHasArrow = false

    /// Whether the last byte was a CR that ended a line, and whether that line was left out.
    var isBehindReturn = false
    var isBehindDroppedLine = false
    /// Whether what has been handed out ends with a CR that no line feed belongs to.
    var isBehindLoneReturn = false

    /// What the first bytes say: without a signature nothing is changed.
    public var signature: WebVTTSignature { signatureReader.answer }

    /// A rewriter that puts `map` into one file. Reset it to use it for another.
    public init(_ map: TimestampMap) { line = StableBytes(map.headerLine) }

    /// Makes the rewriter as new; the memory it has is kept.
    public mutating func reset() {
        phase = .signature
        signatureReader = SignatureReader()
        held.removeAll()
        (hyphenCount, lineHasArrow) = (0, false)
        (isBehindReturn, isBehindDroppedLine, isBehindLoneReturn) = (false, false, false)
    }

    /// Takes the next chunk, of any size, and hands out what is settled.
    public mutating func write(_ chunk: UnsafeRawBufferPointer, _ body: Sink) {
        var run = ForwardedRun(unsafe ByteView(chunk))
        let start = passSignature(&run, body)
        if let start { scanHeader(from: start, &run, body) }
        run.flush(upTo: run.chunk.count, body)
    }

    /// Ends the file, and with it what has not ended.
    public mutating func finish(_ body: Sink) {
        if case .signature = phase {
            signatureReader.finish()
            phase = signature == .invalid ? .forwarding : .signatureLine
        }
        switch phase {
        case .signatureLine:
            body(OutputSlice(library: ByteView("\n")))
            insert(terminator: "\n", body)
        case .behindSignatureLine: insert(terminator: "\r", body)
        case .name: release(body)
        case .map: held.removeAll()
        case .signature, .line, .forwarding: break
        }
        phase = .forwarding
    }

    /// Passes the signature and its line, inserts the map behind it and tells where the header begins; nil where that is
    /// behind the chunk, or there is none.
    private mutating func passSignature(_ run: inout ForwardedRun, _ body: Sink) -> Int? {
        let chunk = run.chunk
        guard !chunk.isEmpty else { return nil }
        var start = 0
        if case .signature = phase {
            let end = signatureReader.lineEnd(in: chunk)
            if signature == .invalid { phase = .forwarding }
            if case .valid = signature { phase = .signatureLine }
            guard let end else { return nil }
            start = end + 1
            if chunk[end] == ASCII.lineFeed {
                insert(terminator: "\n", at: start, &run, body)
                return start
            }
            phase = .behindSignatureLine
        } else if case .signatureLine = phase {
            guard let end = signatureReader.lineEnd(in: chunk) else { return nil }
            start = end + 1
            if chunk[end] == ASCII.lineFeed {
                insert(terminator: "\n", at: start, &run, body)
                return start
            }
            phase = .behindSignatureLine
        }
        if case .behindSignatureLine = phase {
            guard start < chunk.count else { return nil }
            let isPair = chunk[start] == ASCII.lineFeed
            if isPair { start += 1 }
            insert(terminator: isPair ? "\r\n" : "\r", at: start, &run, body)
            isBehindLoneReturn = !isPair
        }
        if case .forwarding = phase { return nil }
        return start
    }

    private mutating func insert(
        terminator: StaticString, at offset: Int, _ run: inout ForwardedRun, _ body: Sink
    ) {
        run.flush(upTo: offset, body)
        insert(terminator: terminator, body)
        phase = .name(0)
    }

    private func insert(terminator: StaticString, _ body: Sink) {
        body(OutputSlice(library: line.view))
        body(OutputSlice(library: ByteView(terminator)))
    }

    /// Hands out what is held of a line that is no map.
    mutating func release(_ body: Sink) {
        if !held.isEmpty { body(OutputSlice(library: held.view)) }
        held.removeAll()
    }
}
