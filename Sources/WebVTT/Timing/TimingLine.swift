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
    /// The timing line of the fixed form, which nearly all files use, at `start`; nil for any other, and if the view
    /// ends with it.
    ///
    ///     00:00:01.500 --> 00:00:04.000
    ///     └──────┘└──────┘ └──────┘└──┘        the words it is read in
    @inline(__always)
    init?(fixed bytes: ByteView, at start: Int) {
        guard start >= 0, start &+ 30 <= bytes.count else { return nil }
        let line = bytes[start..<(start &+ 30)]
        let middle = line.word(at: 8)
        guard middle &>> 32 == Self.arrow, line[16] == ASCII.space, ASCII.digit(line[29]) == nil,
            let first = Timestamp.milliseconds(clock: line.word(at: 0), fraction: middle & 0xFFFF_FFFF),
            let second = Timestamp.milliseconds(clock: line.word(at: 17), fraction: line.word(at: 21) &>> 32)
        else { return nil }
        self.start = Timestamp(milliseconds: first)
        end = Timestamp(milliseconds: second)
        settingsStart = start &+ 29
    }

    /// The timing line of the same form whose times have an hour of three digits each; nil for any other.
    ///
    ///     100:00:01.500 --> 100:00:04.000
    ///      └──────┘└──────┘  └──────┘└──┘
    @inline(__always)
    init?(threeDigitHours bytes: ByteView, at start: Int) {
        guard start >= 0, start &+ 32 <= bytes.count else { return nil }
        let line = bytes[start..<(start &+ 32)]
        let middle = line.word(at: 9)
        guard middle &>> 32 == Self.arrow, line[17] == ASCII.space, ASCII.digit(line[31]) == nil,
            let firstHundreds = ASCII.digit(line[0]), let secondHundreds = ASCII.digit(line[18]),
            let first = Timestamp.milliseconds(clock: line.word(at: 1), fraction: middle & 0xFFFF_FFFF),
            let second = Timestamp.milliseconds(clock: line.word(at: 19), fraction: line.word(at: 23) &>> 32)
        else { return nil }
        self.start = Timestamp(milliseconds: Int64(firstHundreds) &* 360_000_000 &+ first)
        end = Timestamp(milliseconds: Int64(secondHundreds) &* 360_000_000 &+ second)
        settingsStart = start &+ 31
    }

    /// ` -->`, the first byte in the lowest bits.
    private static var arrow: UInt64 { 0x3E2D_2D20 }
}
