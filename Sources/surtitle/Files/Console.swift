internal import ByteScan

/// What the command tells people: results on standard output, complaints on standard error.
enum Console {
    /// Writes `text` to standard output as it is.
    static func print(_ text: String) throws(Failure) {
        let output = ByteWriter.standardOutput()
        output.write(text)
        try output.finish()
    }

    /// Writes `message` to standard error as one line. Errors are ignored: a message that nobody reads is no reason to fail.
    static func complain(_ message: String) {
        let output = ByteWriter(FileDescriptor.standardError, name: "standard error")
        output.write("surtitle: \(oneLine(message))\n")
        try? output.finish()
    }

    /// Writes to standard error, as one line, what has been done but may surprise. The exit status stays 0.
    static func note(_ message: String) { complain("note: \(message)") }

    /// `text` with control characters and line breaks written as escapes.
    static func oneLine(_ text: String) -> String {
        if text.utf8.allSatisfy({ 0x20 <= $0 && $0 < 0x7F }) { return text }
        var line = String.UnicodeScalarView()
        for scalar in text.unicodeScalars {
            if scalar.properties.generalCategory == .control || scalar.value == 0x2028 || scalar.value == 0x2029 {
                line.append(contentsOf: scalar.escaped(asASCII: true).unicodeScalars)
            } else {
                line.append(scalar)
            }
        }
        return String(line)
    }
}
