import ByteScan

/// The two times of a timing line, and where its settings begin.
///
///     ws* TIME ws* "-->" ws* TIME settings        (W3C WebVTT, section 6.3, "collect WebVTT cue timings and settings")
struct TimingLine {
    let start: Timestamp
    let end: Timestamp
    /// The offset behind the end time.
    let settingsStart: Int

    private init(start: Timestamp, end: Timestamp, settingsStart: Int) {
        self.start = start
        self.end = end
        self.settingsStart = settingsStart
    }

    /// The timing line that begins at `start` and ends with the view; nil where the line is none.
    init?(_ line: ByteView, from start: Int) {
        guard let first = Timestamp.scan(line, from: Self.skipSpace(line, from: start)) else { return nil }
        let arrow = Self.skipSpace(line, from: first.end)
        guard line.hasBytes("-->", at: arrow) else { return nil }
        guard let second = Timestamp.scan(line, from: Self.skipSpace(line, from: arrow &+ 3)) else { return nil }
        self.init(start: first.timestamp, end: second.timestamp, settingsStart: second.end)
    }

    private static func skipSpace(_ line: ByteView, from start: Int) -> Int {
        var offset = start
        while offset < line.count, ASCII.isLineSpace(line[offset]) { offset &+= 1 }
        return offset
    }
}

// The form that nearly all files use, at a fixed length and so without a loop:
//
//     00:00:01.500 --> 00:00:04.000
//     └──────┘└──────┘ └──────┘└──┘     the words it is read in
//
// Each word is first compared with the digit 0 and the separators where they must be: what is left of it is the value of
// each digit, and 0 for each separator. A byte that is too large shows in its highest bit, after the room up to 127 has
// been added to it, or before.
extension TimingLine {
    /// The number of bytes of the usual form.
    static let usualCount = 29

    /// The timing line of the usual form at `start`; nil for any other and where the view ends with it.
    @inline(__always)
    init?(usual bytes: ByteView, at start: Int) {
        guard start >= 0, start &+ Self.usualCount < bytes.count else { return nil }
        let first = bytes.word(at: start)
        let middle = bytes.word(at: start &+ 8)
        let second = bytes.word(at: start &+ 17)
        let last = bytes.word(at: start &+ 21)
        guard middle &>> 32 == Self.arrow, bytes[start &+ 16] == ASCII.space,
            ASCII.digit(bytes[start &+ Self.usualCount]) == nil,
            let firstTime = Self.milliseconds(first, middle & 0xFFFF_FFFF),
            let secondTime = Self.milliseconds(second, last &>> 32)
        else { return nil }
        self.init(
            start: Timestamp(milliseconds: firstTime), end: Timestamp(milliseconds: secondTime),
            settingsStart: start &+ Self.usualCount)
    }

    /// ` -->`, the first byte in the lowest bits.
    private static var arrow: UInt64 { 0x3E2D_2D20 }

    /// The time of `HH:MM:SS` and `.mmm`, the first byte of each in its lowest bits.
    @inline(__always)
    private static func milliseconds(_ clock: UInt64, _ fraction: UInt64) -> Int64? {
        let time = clock ^ 0x3030_3A30_303A_3030
        let rest = fraction ^ 0x3030_302E
        // From the last byte to the first: a second's digits, a separator, a minute's, a separator, an hour's.
        let tooLarge = time &+ 0x767A_7F76_7A7F_7676 | time | (rest &+ 0x7676_767F | rest) & 0xFFFF_FFFF
        guard tooLarge & 0x8080_8080_8080_8080 == 0 else { return nil }
        let pairs = time &* 10 &+ time &>> 8
        let seconds = (pairs & 0xFF) &* 3600 &+ (pairs &>> 24 & 0xFF) &* 60 &+ (pairs &>> 48 & 0xFF)
        let thousandths = (rest &>> 8 & 0xFF) &* 100 &+ (rest &>> 16 & 0xFF) &* 10 &+ rest &>> 24
        return Int64(truncatingIfNeeded: seconds &* 1000 &+ thousandths)
    }
}
