import ByteScan

/// The place that `{\anN}` asks for, N as on a keypad, and the cue settings that come closest (W3C WebVTT, section
/// 4.4).
///
///     7  line:0 position:5% align:left      8  line:0       9  line:0 position:95% align:right
///     4  line:45% position:5% align:left    5  line:45%     6  line:45% position:95% align:right
///     1  position:5% align:left             2  none         3  position:95% align:right
///
/// The bottom row stays with the line that players choose. The middle row names the cue's upper edge, because few
/// players know `line:50%,center`: at 45 % one or two lines of the usual size are in the middle.
struct SubRipAlignment {
    /// The number after `\an`, 1 to 9.
    let keypad: UInt8

    /// The alignment that the `{\…}` blocks at the very beginning of a cue's text ask for, the first `\anN` among them.
    init?(leading line: ByteView) {
        var offset = line.offsetAfterSpace(from: line.offsetAfterMark)
        while let end = line.offsetAfterOverride(at: offset) {
            // The shortest place for it: `\anN` and the brace.
            while offset &+ 5 <= end {
                if let keypad = Self.keypad(in: line, at: offset) {
                    self.keypad = keypad
                    return
                }
                offset &+= 1
            }
            offset = end
        }
        return nil
    }

    /// The N of the `\anN` at `offset`, which has a byte after it.
    private static func keypad(in line: ByteView, at offset: Int) -> UInt8? {
        guard line.hasBytes("\\an", at: offset), let number = ASCII.digit(line[offset &+ 3]), number > 0 else {
            return nil
        }
        let next = line[offset &+ 4]
        return next == ASCII.closingBrace || next == ASCII.backslash ? number : nil
    }

    /// The settings, each after a space.
    var settings: ByteView {
        switch keypad {
        case 1: ByteView(" position:5% align:left")
        case 3: ByteView(" position:95% align:right")
        case 4: ByteView(" line:45% position:5% align:left")
        case 5: ByteView(" line:45%")
        case 6: ByteView(" line:45% position:95% align:right")
        case 7: ByteView(" line:0 position:5% align:left")
        case 8: ByteView(" line:0")
        case 9: ByteView(" line:0 position:95% align:right")
        default: ByteView()
        }
    }
}

extension ByteView {
    /// The offset after the `{\…}` at `offset`, or nil if there is none.
    ///
    /// A brace that opens before one closes ends the search, which keeps the work proportional to the line's length.
    func offsetAfterOverride(at offset: Int) -> Int? {
        guard has(ASCII.openingBrace, at: offset), has(ASCII.backslash, at: offset &+ 1) else { return nil }
        var end = offset &+ 2
        while end < count, self[end] != ASCII.openingBrace {
            end &+= 1
            if self[end &- 1] == ASCII.closingBrace { return end }
        }
        return nil
    }
}
