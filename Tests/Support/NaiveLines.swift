/// The lines of a WebVTT file with their terminators, for oracles that have the whole file in memory.
enum NaiveLines {
    /// A line, and the LF, CR or CRLF that ends it; the last line has none.
    typealias Line = (text: [UInt8], terminator: [UInt8])

    /// The lines of `file`, one at least.
    static func lines(of file: [UInt8]) -> [Line] {
        var lines: [Line] = [([], [])]
        for (offset, byte) in file.enumerated() {
            let last = lines.count - 1
            switch byte {
            case 0x0A where offset > 0 && file[offset - 1] == 0x0D: lines[last - 1].terminator.append(byte)
            case 0x0A, 0x0D:
                lines[last].terminator = [byte]
                lines.append(([], []))
            default: lines[last].text.append(byte)
            }
        }
        return lines
    }
}
