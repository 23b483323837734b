import ByteScan

/// The two times of a timing line, and where its settings begin.
///
///     ws* TIME ws* "-->" ws* TIME settings        (W3C WebVTT, section 6.3, "collect WebVTT cue timings and settings")
struct TimingLine {
    let start: Timestamp
    let end: Timestamp
    /// The offset after the end time.
    let settingsStart: Int

    /// The timing line that begins at `lineStart`; nil if the line is none.
    init?(_ line: ByteView, from lineStart: Int) {
        guard let first = Timestamp.scan(line, from: line.offsetAfterSpace(from: lineStart)) else { return nil }
        let arrow = line.offsetAfterSpace(from: first.end)
        guard line.hasBytes("-->", at: arrow) else { return nil }
        guard let second = Timestamp.scan(line, from: line.offsetAfterSpace(from: arrow &+ 3)) else { return nil }
        (start, end, settingsStart) = (first.timestamp, second.timestamp, second.end)
    }
}

extension TimingLine {
    /// The timing line of the fixed form, which nearly all files use, at `start`, or of the same with an hour of three
    /// digits in each time; nil for any other, and if the view ends with it.
    ///
    ///     00:00:01.500 --> 00:00:04.000
    ///     └──────┘└──────┘ └──────┘└──┘        the words it is read in
    ///     100:00:01.500 --> 100:00:04.000
    ///      └──────┘└──────┘  └──────┘└──┘
    @inline(__always)
    init?(fixed bytes: ByteView, at start: Int, hasThreeDigits: Bool = false) {
        let more = hasThreeDigits ? 1 : 0
        guard start >= 0, start &+ 30 &+ 2 &* more <= bytes.count else { return nil }
        let line = bytes[start..<(start &+ 30 &+ 2 &* more)]
        let middle = line.word(at: 8 &+ more)
        guard middle &>> 32 == Self.arrow, line[16 &+ more] == ASCII.space,
            ASCII.digit(line[29 &+ 2 &* more]) == nil,
            var first = Timestamp.milliseconds(clock: line.word(at: more), fraction: middle & 0xFFFF_FFFF),
            var second = Timestamp.milliseconds(
                clock: line.word(at: 17 &+ 2 &* more), fraction: line.word(at: 21 &+ 2 &* more) &>> 32)
        else { return nil }
        if hasThreeDigits {
            guard let ofFirst = ASCII.digit(line[0]), let ofSecond = ASCII.digit(line[18]) else { return nil }
            first &+= Int64(ofFirst) &* 360_000_000
            second &+= Int64(ofSecond) &* 360_000_000
        }
        self.start = Timestamp(milliseconds: first)
        end = Timestamp(milliseconds: second)
        settingsStart = start &+ 29 &+ 2 &* more
    }

    /// ` -->`, the first byte in the lowest bits.
    private static var arrow: UInt64 { 0x3E2D_2D20 }
}
