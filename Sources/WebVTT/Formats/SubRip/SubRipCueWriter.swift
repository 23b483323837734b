import ByteScan

/// Tells the lines of a SubRip file apart and writes the cues they make up.
///
///     before       a number is pending if it may be the next cue's counter
///     1            pending
///     1,5 --> 3    the counter becomes the identifier; the cue waits for its first text, which may place it
///     {\an8}x      written: a blank line, the identifier, the timing line, the text
///     2            pending: text unless a timing line follows
///     3,5 - > 4    the cue has no arrow, and is left out with its number and its text
///
/// Only the times, two numbers and the output are kept.
struct SubRipCueWriter: ~Copyable {
    /// What a line turned out to be.
    enum LineKind {
        /// A line of nothing but white space.
        case blank
        /// A line of digits.
        case number
        /// A line with two times.
        case timing
        /// A line with two times and a broken arrow, where a cue begins.
        case brokenTiming
        /// Any other line.
        case text
    }

    /// How much output is put together before it is handed out.
    static var outputSize: Int { 16 << 10 }

    /// How much of the current cue has been written.
    enum Stage {
        /// There is no cue so far.
        case none
        /// Nothing: its first text, which may place it, is awaited.
        case awaitingText(SubRipTiming)
        /// The timing line and perhaps text.
        case text
        /// Nothing, and nothing ever will be: its arrow is broken.
        case leftOut
    }

    /// What is known of the file so far: all that a reset forgets, besides memory.
    struct Document {
        var stage = Stage.none
        /// Whether a blank line, or nothing, comes before the pending number.
        var isNumberAfterBlank = false
        var isAfterBlank = true
        /// The styles that hold until the end of the current cue.
        var styles = SubRipStyles()
        var cueCount = 0
    }

    var document = Document()

    /// The current cue's counter; empty if it has none.
    private var identifier = ReusableBuffer<UInt8>()

    /// A line of digits of which it is not known whether it is text or a counter; empty if there is none.
    private var number = ReusableBuffer<UInt8>()

    /// The output that has not been handed out.
    var output = ReusableBuffer<UInt8>()

    /// Finds cues that are plain in form.
    var finder = CueFinder()

    /// How many cues there are.
    var count: Int { document.cueCount }

    init() {}

    mutating func reset() {
        document = Document()
        number.removeAll()
        output.removeAll()
    }

    /// Begins the file.
    mutating func begin() { output.append(ByteView("WEBVTT\n")) }

    /// Hands out the output so far.
    mutating func handOut(_ body: SubRipTranscoder.ViewSink) {
        guard !output.isEmpty else { return }
        body(output.view)
        output.removeAll()
    }

    /// Whether a cue may begin at the next line, and nothing before it is pending.
    var expectsCue: Bool { document.isAfterBlank && number.isEmpty }

    /// Writes what the next line decides, and returns what the line is.
    mutating func write(_ line: ByteView) -> LineKind {
        let content = line.trimmedContent
        guard !content.isEmpty else {
            // After text, a number with a blank line after it is no counter.
            if !document.isNumberAfterBlank { writeNumber() }
            document.isAfterBlank = true
            return .blank
        }
        defer { document.isAfterBlank = false }
        if let timing = SubRipTiming(line) {
            beginCue(timing)
            return .timing
        }
        if document.isAfterBlank || !number.isEmpty, SubRipTiming.hasBrokenArrow(line) {
            endCue()
            number.removeAll()
            document.stage = .leftOut
            return .brokenTiming
        }
        writeNumber()
        guard DigitRun(in: content, from: 0).count == content.count else {
            writeText(line)
            return .text
        }
        number.append(content)
        document.isNumberAfterBlank = document.isAfterBlank
        return .number
    }

    /// Writes a line that is text whatever it looks like.
    mutating func writeTextLine(_ line: ByteView) {
        writeNumber()
        writeText(line)
        document.isAfterBlank = false
    }

    /// Ends the file.
    mutating func finish() {
        // With text before it and a blank line between, a number is the counter of a cue that never came.
        if case .text = document.stage, document.isNumberAfterBlank { number.removeAll() }
        writeNumber()
        endCue()
        document.stage = .text
    }

    /// Writes the head of a cue without text.
    mutating func endCue() { if case .awaitingText(let timing) = document.stage { writeHead(timing, nil) } }

    private mutating func beginCue(_ timing: SubRipTiming) {
        endCue()
        document.styles = SubRipStyles()
        identifier.removeAll()
        identifier.append(number.view)
        number.removeAll()
        document.stage = .awaitingText(timing)
        document.cueCount += 1
    }

    /// Writes the pending number as the text that it turned out to be.
    private mutating func writeNumber() {
        guard !number.isEmpty else { return }
        writeText(number.view)
        number.removeAll()
    }

    private mutating func writeText(_ line: ByteView) {
        switch document.stage {
        case .none, .leftOut: return
        case .awaitingText(let timing):
            writeHead(timing, SubRipAlignment(leading: line))
            document.stage = .text
        case .text: break
        }
        SubRipText(line).write(to: &output, &document.styles)
    }

    /// Writes what comes before a cue's text: a blank line, the identifier and the timing line.
    private mutating func writeHead(_ timing: SubRipTiming, _ alignment: SubRipAlignment?) {
        output.append(ASCII.lineFeed)
        if !identifier.isEmpty {
            output.append(identifier.view)
            output.append(ASCII.lineFeed)
        }
        timing.start.write(to: &output)
        output.append(ByteView(" --> "))
        timing.end.write(to: &output)
        if let alignment { output.append(alignment.settings) }
        output.append(ASCII.lineFeed)
    }
}

extension ByteView {
    /// The view without white space at either end and without byte order marks at its beginning.
    fileprivate var trimmedContent: ByteView { suffix(from: offsetAfterMark).withoutLineSpace }
}
