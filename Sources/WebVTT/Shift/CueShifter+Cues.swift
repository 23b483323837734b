import ByteScan

// Cues of the usual form, shifted many at a time.
//
// Nearly all timing lines are of one form, with two digits for the hours. A time of that form stays as long, so the
// lines are copied as they are and the times written over:
//
//     7⏎00:01:00.000 --> 00:01:02.500 line:0⏎text⏎⏎8⏎00:01:03.000 --> 00:01:04.000⏎…
//     ──────────────────────────────┤───────────────────────────────────────────┤      copied, a cue at a time
//       HH:MM:SS.mmm     HH:MM:SS.mmm               HH:MM:SS.mmm     HH:MM:SS.mmm      written over
//
// This stops before a line that needs a closer look: one with another arrow, or perhaps with a time stamp, or with
// times of a cue that is left out or that become longer. What the lines before make of that line is found by going back
// from it.
extension CueShifter {
    /// How much output is put together before it is handed out.
    private static var outputSize: Int { 16 << 10 }

    /// How many bytes the two times of the usual form have, with the arrow between them.
    private static var timesCount: Int { 29 }

    /// Whether the lines before leave nothing to be held, or left out.
    var canShiftCues: Bool {
        switch document.place {
        case .outside, .afterBlank, .cue: true
        case .signature, .afterIdentifier, .leftOutCue: false
        }
    }

    /// Shifts the cues on the lines from `start` to `end`, and returns where the line begins that it stops before, or
    /// `end`.
    ///
    /// At both offsets a line begins, and ``canShiftCues`` is true.
    mutating func shiftCues(from start: Int, to end: Int, _ output: inout CarriedOutput, _ body: Sink) -> Int {
        let lines = output.chunk.prefix(upTo: end)
        spelling.removeAll()
        // What is put together are the bytes of the chunk between these.
        var first = start
        var copied = start
        var timing: Int?
        var stop = end
        var offset = start
        // An arrow, and a time stamp in text, end with the same byte.
        while let mark = lines.firstOffset(of: ASCII.greaterThan, from: offset) {
            offset = mark &+ 1
            if let times = shiftedTimes(on: lines, around: mark, notBefore: start) {
                let line = mark &- 15
                offset = line &+ Self.timesCount
                copy(copied..<offset, from: &first, &output, body)
                spelling.write(times.start, at: spelling.count &- Self.timesCount)
                spelling.write(times.end, at: spelling.count &- FixedTime.count)
                copied = offset
                timing = line
            } else if lines.hasBytes("--", at: max(start, mark &- 2)) || lines.mayEndStamp(at: mark, notBefore: start) {
                let line = lines.lastLineEnd(in: start..<mark).map { $0 &+ 1 } ?? start
                guard line == timing else {
                    stop = line
                    break
                }
                // In the settings of a cue it means nothing.
                offset = lines.firstLineEnd(from: mark) ?? end
            }
        }
        document.place = place(of: stop, on: lines, from: start, lastTiming: timing)
        var held = stop
        if case .afterIdentifier(let identifier) = document.place { held = identifier }
        handOut(first..<copied, &output, body)
        if held > start { document.endsInReturn = lines[held &- 1] == ASCII.carriageReturn }
        return stop
    }

    /// What the times become whose arrow ends at `arrow`; nil if they are not of the usual form, before or after, or if
    /// their cue is left out.
    @inline(__always)
    private func shiftedTimes(
        on lines: ByteView, around arrow: Int, notBefore start: Int
    ) -> (start: FixedTime, end: FixedTime)? {
        let line = arrow &- 15
        guard line >= start, line == start || ASCII.isLineEnd(lines[line &- 1]),
            let timing = TimingLine(fixed: lines, at: line)
        else { return nil }
        let first = timing.start.milliseconds.addingReportingOverflow(shift)
        let second = timing.end.milliseconds.addingReportingOverflow(shift)
        guard !first.overflow, !second.overflow, second.partialValue > 0, let end = FixedTime(second.partialValue),
            let start = FixedTime(max(0, first.partialValue))
        else { return nil }
        return (start, end)
    }

    /// Puts the bytes in `range` of the chunk, the last of them times, after what is put together, which begins at
    /// `first`.
    @inline(__always)
    private mutating func copy(
        _ range: Range<Int>, from first: inout Int, _ output: inout CarriedOutput, _ body: Sink
    ) {
        var start = range.lowerBound
        if spelling.count &+ range.count > Self.outputSize {
            handOut(first..<start, &output, body)
            // What is longer than that stays where it is.
            if range.count > Self.outputSize { start = range.upperBound &- Self.timesCount }
            first = start
        }
        spelling.append(output.chunk[start..<range.upperBound])
    }

    /// Hands out what is put together, which takes the place of the bytes in `range` of the chunk.
    private mutating func handOut(_ range: Range<Int>, _ output: inout CarriedOutput, _ body: Sink) {
        if !spelling.isEmpty { output.replace(range, with: spelling.view, &carry, body) }
        spelling.removeAll()
    }

    /// What the lines from `start` on make of the line at `line`, the last timing line among them at `lastTiming`.
    private func place(of line: Int, on lines: ByteView, from start: Int, lastTiming: Int?) -> Place {
        var next = line
        // How many lines there are between `next` and `line`, none of which is blank.
        var count = 0
        func placeAfterBlank() -> Place {
            count == 0 ? .afterBlank : count == 1 ? .afterIdentifier(start: next) : .outside
        }
        while next > start {
            let end = start &+ lines[start..<next].withoutLineEnd.count
            let before = lines.lastLineEnd(in: start..<end).map { $0 &+ 1 } ?? start
            if before == lastTiming { return .cue }
            if before == end { return placeAfterBlank() }
            next = before
            count &+= 1
        }
        if case .afterBlank = document.place { return placeAfterBlank() }
        return document.place
    }
}

/// A time spelled `HH:MM:SS.mmm`, as two numbers: the first byte of each is in its lowest bits.
private struct FixedTime {
    let clock: UInt64
    let fraction: UInt32

    /// How many bytes it has.
    static var count: Int { 12 }

    /// The time of `milliseconds`, not below 0; nil if its hours have more than two digits.
    @inline(__always)
    init?(_ milliseconds: Int64) {
        guard milliseconds < 360_000_000 else { return nil }
        let (seconds, thousandths) = UInt32(truncatingIfNeeded: milliseconds).quotientAndRemainder(dividingBy: 1000)
        let (minutes, second) = seconds.quotientAndRemainder(dividingBy: 60)
        let (hour, minute) = minutes.quotientAndRemainder(dividingBy: 60)
        // Three numbers below 100, far enough apart: a 103rd part of 1024 of each is its tens.
        let pairs = UInt64(hour) | UInt64(minute) &<< 24 | UInt64(second) &<< 48
        let tens = (pairs &* 103) &>> 10 & 0x000F_0000_0F00_000F
        clock = tens | (pairs &- tens &* 10) &<< 8 | 0x3030_3A30_303A_3030
        let (hundreds, rest) = thousandths.quotientAndRemainder(dividingBy: 100)
        let ten = (rest &* 103) &>> 10
        fraction = hundreds &<< 8 | ten &<< 16 | (rest &- ten &* 10) &<< 24 | 0x3030_302E
    }
}

extension ByteView {
    /// Whether the `>` at `mark` may end a time stamp: `.500>`.
    @inline(__always)
    fileprivate func mayEndStamp(at mark: Int, notBefore start: Int) -> Bool {
        mark &- 4 >= start && self[mark &- 4] == ASCII.period && ASCII.digit(self[mark &- 1]) != nil
    }
}

extension ReusableBuffer where Element == UInt8 {
    /// Writes `time` over the bytes at `offset`.
    @inline(__always)
    fileprivate mutating func write(_ time: FixedTime, at offset: Int) {
        overwrite(offset, with: time.clock)
        overwrite(offset &+ 8, with: time.fraction)
    }
}
