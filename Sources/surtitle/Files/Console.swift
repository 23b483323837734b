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

    // The command has one thread.
    nonisolated(unsafe) private static var notes: [String] = []

    /// Notes what was done but may surprise, for standard error once all is done: a command that fails says only why.
    /// What is noted twice, because a file is read twice, is told once.
    static func note(_ message: String) { if unsafe !notes.contains(message) { unsafe notes.append(message) } }

    /// Writes the notes to standard error, each as one line.
    static func tellNotes() { for note in unsafe notes { complain("note: \(note)") } }

    /// `text` with control characters, line breaks, and what turns the direction of text written as escapes.
    static func oneLine(_ text: String) -> String {
        text.utf8.allSatisfy({ 0x20 <= $0 && $0 < 0x7F })
            ? text : String(decoding: Message(escaping: text).bytes, as: UTF8.self)
    }
}
