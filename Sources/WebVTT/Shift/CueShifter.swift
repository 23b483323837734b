public import ByteScan

// How cues are shifted.
//
// A line is a cue's timing line by its own form, wherever it stands, so lines are looked at one by one, each whole.
// What lines mean is all that is remembered from one to the next: `Place`. Times that change are spliced in, everything
// else leaves in runs:
//
//     ⏎
//     1⏎                                        held: if the next line leaves its cue out, this leaves with it
//     00:00:01.000 --> 00:00:04.000 line:0⏎     two splices, or left out
//     Hello <00:00:02.500>there⏎                one splice, or left out
//     ⏎                                         stays: blocks on either side of what is left out never merge
//
// CueShifter+Lines says what is done with a line. CarriedOutput brings bytes of earlier chunks and of this one out in
// order.

/// Shifts the times of all cues of a WebVTT file while its bytes pass by: chunks of any size in, few pieces out.
///
///     var shifter = CueShifter(byMilliseconds: -1400)
///     var output = OutputPieces()
///     try shifter.write(chunk, into: &output)
///     for piece in output { connection.send(piece) }         // after the call, and before the next one
///     shifter.finish(into: &output)
///     for piece in output { connection.send(piece) }
///
/// - The start and the end of every cue are shifted, and time stamps in its text (`<00:00:01.500>`). A start or a time
///   stamp in text before 0 becomes 0.
/// - A cue that ends at 0 or before after that is left out: its identifier, its timing line and its text. The blank
///   lines around it stay. ``leftOutCount`` tells how many there were.
/// - Everything else is passed through byte for byte: notes, styles, regions, `X-TIMESTAMP-MAP`, settings, line
///   terminators, and times that do not change. A style sheet after cues that are all left out counts again, because no
///   cue is before it.
/// - `MM:SS.mmm` stays that while it is less than an hour; hours get two digits or more. A time past what 64 bits hold
///   stays as it is.
/// - A file without a signature, and every file if the shift is 0, passes through untouched.
///
/// Where a chunk ends never changes the output. Carried from one chunk to the next are the line that has not ended, and
/// the line before it if that may be a cue's identifier.
public struct CueShifter: ~Copyable {
    /// Receives a slice of the output.
    public typealias Sink = (OutputSlice) -> Void

    /// What the next byte belongs to.
    enum State {
        /// The signature's line; none of it is carried.
        case signatureLine
        /// A line, perhaps its first byte.
        case line
        /// Text that is not looked at.
        case passingThrough
        /// Nothing: a line was too long.
        case failed(CueShiftError)
    }

    /// What the lines before a line make of it.
    enum Place {
        /// The rest of the signature's line.
        case signature
        /// The line before is not blank, and of no cue.
        case outside
        /// The line before is blank: this one may be an identifier.
        case afterBlank
        /// The line before may be an identifier; it begins at this offset and has not been handed out.
        case afterIdentifier(start: Int)
        /// In a cue, after its timing line.
        case cue
        /// In a cue that is left out.
        case leftOutCue
    }

    /// What is known of the file so far: all that a reset forgets.
    struct Document {
        var signature = SignatureReader()
        var state = State.signatureLine
        var place = Place.signature
        /// Where the line begins that has not ended.
        var lineStart = 0
        /// The stream position of the chunk being written.
        var position = 0
        /// Whether the output ends with a CR that no LF belongs to. An LF that came next would make one terminator of
        /// two.
        var endsInReturn = false
        var leftOutCount = 0
    }

    /// By how many milliseconds cues are shifted.
    public let shift: Int64

    /// The most bytes a line may have.
    public let longestLine: Int

    var document = Document()
    var carry = CarryBuffer()
    /// A time as it is written.
    var spelling = ReusableBuffer<UInt8>()

    /// A shifter of one file by `shift` milliseconds, later if above 0. Reset it to use it for another.
    ///
    /// No line may have more than `longestLine` bytes: 1 MiB unless said otherwise, and from 1 byte to 1 GiB.
    public init(byMilliseconds shift: Int64, longestLine: Int = 1 << 20) {
        self.shift = shift
        self.longestLine = min(max(longestLine, 1), 1 << 30)
    }

    /// How many cues have been left out.
    public var leftOutCount: Int { document.leftOutCount }

    /// What the first bytes say: without a signature nothing is changed.
    public var signature: WebVTTSignature { document.signature.answer }

    /// Makes the shifter as new; the memory it has is kept.
    public mutating func reset() {
        document = Document()
        carry.removeAll()
    }

    /// Shifts the next chunk, of any size, and hands out what is decided, slice by slice.
    ///
    /// For counting and copying. **Do not send from `body`, and call nothing there that may use the shifter again**,
    /// not even to read a property: the call is changing it, and Swift ends the process at such an access. Slices are
    /// valid during the call that hands them out. To send, collect the output in `OutputPieces`.
    ///
    /// - Throws: ``CueShiftError`` at a line that is too long, once what came before it has been handed out. Nothing
    ///   more is then, lest some cues be shifted and others not: every further call throws the same error, until the
    ///   reset.
    /// - Complexity: O(*n*).
    public mutating func write(_ chunk: UnsafeRawBufferPointer, _ body: Sink) throws(CueShiftError) {
        if case .failed(let error) = document.state { throw error }
        let view = unsafe ByteView(chunk)
        guard !view.isEmpty else { return }
        var output = CarriedOutput(view, carriedFrom: carry.start)
        if let start = startOfLines(in: view) { scanLines(from: start, &output, body) }
        switch document.state {
        case .line: endChunk(&output, body)
        case .signatureLine, .passingThrough: output.forward(upTo: view.count, &carry, body)
        case .failed(let error): throw error
        }
        document.position &+= view.count
    }

    /// Ends the file, and with it a line that has not ended. After an error nothing is handed out.
    public mutating func finish(_ body: Sink) {
        if case .failed = document.state { return }
        var output = CarriedOutput(ByteView(), carriedFrom: carry.start)
        if case .line = document.state, document.lineStart < 0 {
            let content =
                document.lineStart &+ carry.view.suffix(from: document.lineStart &- carry.start).withoutLineEnd.count
            scanLine(WholeLine(content: document.lineStart..<content, end: 0), &output, body)
        }
        output.forward(upTo: 0, &carry, body)
        document.state = .passingThrough
        document.lineStart = 0
        carry.removeAll()
    }

    /// Where lines go on in `chunk` that are looked at; nil if there are none.
    private mutating func startOfLines(in chunk: ByteView) -> Int? {
        switch document.state {
        case .line: return document.lineStart
        case .passingThrough, .failed: return nil
        case .signatureLine:
            guard shift != 0, let end = document.signature.lineEnd(in: chunk) else {
                if shift == 0 || signature == .invalid { document.state = .passingThrough }
                return nil
            }
            document.state = .line
            return end
        }
    }

    /// Carries what has not been decided of `output`, and hands out what is before that.
    private mutating func endChunk(_ output: inout CarriedOutput, _ body: Sink) {
        var start = document.lineStart
        if case .afterIdentifier(let held) = document.place {
            start = held
            document.place = .afterIdentifier(start: held &- output.chunk.count)
        }
        output.forward(upTo: start, &carry, body)
        carry.keep(start..<output.chunk.count, of: output.chunk)
        document.lineStart &-= output.chunk.count
    }
}

#if !hasFeature(Embedded)
@available(macOS 13, iOS 16, tvOS 16, watchOS 9, *)
extension CueShifter {
    /// A shifter by `shift`, later if above 0; nil if that is no whole number of milliseconds, or more than 292 million
    /// years.
    ///
    ///     CueShifter(by: .milliseconds(-1400))
    public init?(by shift: Duration, longestLine: Int = 1 << 20) {
        let (seconds, attoseconds) = shift.components
        guard attoseconds % 1_000_000_000_000_000 == 0 else { return nil }
        guard let milliseconds = seconds.times(1000, plus: attoseconds / 1_000_000_000_000_000) else { return nil }
        self.init(byMilliseconds: milliseconds, longestLine: longestLine)
    }
}
#endif
