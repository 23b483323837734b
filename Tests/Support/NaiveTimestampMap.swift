/// A WebVTT file with an X-TIMESTAMP-MAP inserted into its header, with the whole file in memory: an oracle.
public enum NaiveTimestampMap {
    /// What `file` becomes: `line` after the signature's line, and every other map of the header removed.
    public static func rewrite(_ file: [UInt8], line: [UInt8]) -> [UInt8] {
        guard NaiveWebVTT.blocks(of: file) != nil else { return file }
        let lines = NaiveLines.lines(of: file)
        let terminator = lines[0].terminator.isEmpty ? [0x0A] : lines[0].terminator
        var output = lines[0].text + terminator + line + terminator
        var isHeader = true
        for line in lines.dropFirst() {
            if line.text.isEmpty || NaiveTimings.hasArrow(line.text) { isHeader = false }
            if isHeader, line.text.starts(with: Array("X-TIMESTAMP-MAP=".utf8)) {
                // A CR before it must not become one with a line feed after it.
                if output.last == 0x0D, line.terminator.last == 0x0A { output.append(0x0A) }
                continue
            }
            output += line.text + line.terminator
        }
        return output
    }
}
