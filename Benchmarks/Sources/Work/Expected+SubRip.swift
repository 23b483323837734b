extension Expected {
    /// The WebVTT that a SubRip file becomes whose cues all have a counter and text, and a blank line after them.
    static func transcoded(_ file: UnsafeRawBufferPointer) -> [UInt8] {
        var output = Array("WEBVTT\n".utf8)
        let cues = String(decoding: file, as: UTF8.self).replacing("\r\n", with: "\n").split(separator: "\n\n")
        for cue in cues {
            var lines = cue.split(separator: "\n").map(String.init)
            lines[1].replace(",", with: ".")
            for index in 2..<lines.count { strip(&lines[index]) }
            if lines[2].hasPrefix("{\\an8}") {
                lines[2].removeFirst(6)
                lines[1] += " line:0"
            }
            output += ("\n" + lines.joined(separator: "\n") + "\n").utf8
        }
        return output
    }

    /// Takes colours off a line, and escapes ampersands.
    private static func strip(_ line: inout String) {
        guard line.contains("<font") || line.contains(" & ") else { return }
        line.replace(" & ", with: " &amp; ")
        line.replace("</font>", with: "")
        if let start = line.firstRange(of: "<font"), let end = line[start.upperBound...].firstIndex(of: ">") {
            line.removeSubrange(start.lowerBound...end)
        }
    }
}
