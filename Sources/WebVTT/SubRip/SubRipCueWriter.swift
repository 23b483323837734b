import ByteScan

/// Tells the lines of a SubRip file apart and writes the cues they make up.
///
///     before       a number is pending where it may be the next cue's counter
///     1            pending
///     1,5 --> 3    the counter becomes the identifier; the cue waits for its first text, which may place it
///     {\an8}x      written: a blank line, the identifier, the timing line, the text
///     2            pending: text unless a timing line follows
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
        /// Any other line.
        case text
    }

    /// How much of the current cue has been written.
    private enum Stage {
        /// There is no cue so far.
        case none
        /// Nothing: its first text, which may place it, is awaited.
        case awaitingText(SubRipTiming)
        /// The timing line and perhaps text.
        case text
    }

    private var stage = Stage.none

    /// The current cue's counter; empty where it has none.
    private var identifier = ReusableBuffer<UInt8>()

    /// A line of digits of which it is not known whether it is text or a counter; empty where there is none.
    private var number = ReusableBuffer<UInt8>()

    /// Whether a blank line, or nothing, comes before it.
    private var isNumberBehindBlank = false
    private var isBehindBlank = true

    /// The output that has not been handed out.
    private(set) var output = ReusableBuffer<UInt8>()

    /// How many cues there are.
    private(set) var count = 0

    init() {}

    mutating func reset() {
        stage = .none
        number.removeAll()
        isBehindBlank = true
        output.removeAll()
        count = 0
    }

    /// Begins the file.
    mutating func begin() { output.append(ByteView("WEBVTT\n")) }

    /// Hands out the output so far.
    mutating func handOut(_ body: SubRipTranscoder.ViewSink) {
        guard !output.isEmpty else { return }
        body(output.view)
        output.removeAll()
    }

    /// Takes the next line, and tells what it is.
    mutating func take(_ line: ByteView) -> LineKind {
        let content = line.trimmedContent
        guard !content.isEmpty else {
            // Behind text, a number with a blank line after it is no counter.
            if !isNumberBehindBlank { writeNumber() }
            isBehindBlank = true
            return .blank
        }
        defer { isBehindBlank = false }
        if let timing = SubRipTiming(line) {
            beginCue(timing)
            return .timing
        }
        writeNumber()
        guard DigitRun(in: content, from: 0).count == content.count else {
            writeText(line)
            return .text
        }
        number.append(content)
        isNumberBehindBlank = isBehindBlank
        return .number
    }

    /// Takes a line that is text whatever it looks like.
    mutating func takeText(_ line: ByteView) {
        writeNumber()
        writeText(line)
        isBehindBlank = false
    }

    /// Ends the file.
    mutating func finish() {
        // With text before it and a blank line between, a number is the counter of a cue that never came.
        if case .text = stage, isNumberBehindBlank { number.removeAll() }
        writeNumber()
        if case .awaitingText(let timing) = stage { writeHead(timing, nil) }
        stage = .text
    }

    private mutating func beginCue(_ timing: SubRipTiming) {
        if case .awaitingText(let timing) = stage { writeHead(timing, nil) }
        identifier.removeAll()
        identifier.append(number.view)
        number.removeAll()
        stage = .awaitingText(timing)
        count += 1
    }

    /// Writes the pending number as the text that it turned out to be.
    private mutating func writeNumber() {
        guard !number.isEmpty else { return }
        writeText(number.view)
        number.removeAll()
    }

    private mutating func writeText(_ line: ByteView) {
        switch stage {
        case .none: return
        case .awaitingText(let timing):
            writeHead(timing, SubRipAlignment(leading: line))
            stage = .text
        case .text: break
        }
        if SubRipText(line).write(to: &output) { output.append(ASCII.lineFeed) }
    }

    /// Writes what comes before a cue's text: a blank line, the identifier and the timing line.
    private mutating func writeHead(_ timing: SubRipTiming, _ alignment: SubRipAlignment?) {
        output.append(ASCII.lineFeed)
        if !identifier.isEmpty {
            output.append(identifier.view)
            output.append(ASCII.lineFeed)
        }
        write(timing.start)
        output.append(ByteView(" --> "))
        write(timing.end)
        if let alignment { output.append(alignment.settings) }
        output.append(ASCII.lineFeed)
    }

    /// Writes `time` as `HH:MM:SS.mmm`, with more digits for the hours where they need them.
    private mutating func write(_ time: Timestamp) {
        let (seconds, fraction) = max(0, time.milliseconds).quotientAndRemainder(dividingBy: 1000)
        let hours = seconds / 3600
        if hours < 100 {
            writePair(hours)
        } else {
            for digit in DecimalDigits(UInt64(hours)) { output.append(digit) }
        }
        output.append(ASCII.colon)
        writePair(seconds / 60 % 60)
        output.append(ASCII.colon)
        writePair(seconds % 60)
        output.append(ASCII.period)
        writePair(fraction / 10)
        writeDigit(fraction % 10)
    }

    private mutating func writePair(_ value: Int64) {
        writeDigit(value / 10)
        writeDigit(value % 10)
    }

    private mutating func writeDigit(_ digit: Int64) { output.append(ASCII.zero &+ UInt8(truncatingIfNeeded: digit)) }
}

extension ByteView {
    /// The view without white space at either end and without byte order marks at its beginning.
    fileprivate var trimmedContent: ByteView {
        var (start, end) = (offsetBehindMark, count)
        while start < end, ASCII.isLineSpace(self[start]) { start &+= 1 }
        while start < end, ASCII.isLineSpace(self[end &- 1]) { end &-= 1 }
        return self[start..<end]
    }
}
