import ByteScan

/// Bold, italic and underlined, each once, in the order in which they were opened.
struct SubRipStyles {
    private var letters = SIMD4<UInt8>()
    private var count = 0

    /// Opens the style of `letter`, one of `b`, `i` and `u`, and tells whether it was closed before.
    mutating func open(_ letter: UInt8) -> Bool {
        for index in 0..<count where letters[index] == letter { return false }
        letters[count] = letter
        count &+= 1
        return true
    }

    /// Appends the start tag of each.
    func writeStartTags(to output: inout ReusableBuffer<UInt8>) {
        for index in 0..<count { Self.writeTag(ByteView("<"), letters[index], to: &output) }
    }

    /// Appends the end tag of each, the last one first.
    func writeEndTags(to output: inout ReusableBuffer<UInt8>) {
        for index in 0..<count { Self.writeTag(ByteView("</"), letters[count &- 1 &- index], to: &output) }
    }

    /// Appends a tag that begins with `start`.
    static func writeTag(_ start: ByteView, _ letter: UInt8, to output: inout ReusableBuffer<UInt8>) {
        output.append(start)
        output.append(letter)
        output.append(ASCII.greaterThan)
    }

    /// Whether there is a style for `letter`, in lower case.
    static func isStyle(_ letter: UInt8) -> Bool {
        letter == UInt8(ascii: "b") || letter == UInt8(ascii: "i") || letter == UInt8(ascii: "u")
    }
}

/// A code of MicroDVD that files of SubRip have, too: styles for the rest of the line or of the cue.
///
///     {y:i}   {y:b,i}   {y: bu}     until the end of the line
///     {Y:i}                         until the end of the cue
///     {y:s}                         struck out, for which WebVTT has nothing
struct SubRipStyleCode {
    /// The offset after the code.
    let end: Int
    /// Whether it holds until the end of the cue.
    let isForCue: Bool
    private let list: ByteView

    /// The code at `offset`, or nil if there is none.
    init?(in line: ByteView, at offset: Int) {
        let start = offset &+ 3
        guard line.has(ASCII.openingBrace, at: offset), start < line.count, line[offset &+ 2] == ASCII.colon,
            line[offset &+ 1] | 0x20 == UInt8(ascii: "y")
        else { return nil }
        var close = start
        var hasLetter = false
        while close < line.count, let isLetter = Self.isLetter(line[close]) {
            hasLetter = hasLetter || isLetter
            close &+= 1
        }
        guard hasLetter, line.has(ASCII.closingBrace, at: close) else { return nil }
        isForCue = line[offset &+ 1] == UInt8(ascii: "Y")
        list = line[start..<close]
        end = close &+ 1
    }

    /// Hands out the letters of the styles, in lower case; one may come twice.
    func forEachStyle(_ body: (UInt8) -> Void) {
        for byte in list where SubRipStyles.isStyle(byte | 0x20) { body(byte | 0x20) }
    }

    /// Whether `byte` of a list is a letter; nil if no list has it.
    private static func isLetter(_ byte: UInt8) -> Bool? {
        if SubRipStyles.isStyle(byte | 0x20) || byte | 0x20 == UInt8(ascii: "s") { return true }
        return byte == ASCII.comma || ASCII.isLineSpace(byte) ? false : nil
    }
}
