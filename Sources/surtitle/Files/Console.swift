internal import ByteScan

/// What the command tells people: results on standard output, complaints on standard error.
enum Console {
    /// Writes `text` to standard output as it is.
    static func print(_ text: String) throws(Failure) {
        let output = ByteWriter.standardOutput()
        output.write(text)
        try output.finish()
    }

    /// Writes `message` to standard error as one line. Errors are ignored: a message that nobody reads is no reason to
    /// fail.
    static func complain(_ message: String) {
        let output = ByteWriter(FileDescriptor.standardError, name: "standard error")
        output.write("surtitle: \(oneLine(message))\n")
        try? output.finish()
    }

    /// Whether somebody sees standard error as it is written.
    static var isTerminal: Bool { isatty(STDERR_FILENO) == 1 }

    /// Shows `text` on the terminal's line, in place of what was shown there before; to show nothing clears it.
    static func show(_ text: String) {
        let output = ByteWriter(FileDescriptor.standardError, name: "standard error")
        // Carriage return, and what erases to the end of the line.
        output.write("\r\u{1B}[K\(String(oneLine(text).unicodeScalars.prefix(78)))")
        try? output.finish()
    }

    // The command has one thread.
    nonisolated(unsafe) private static var notes: [String] = []

    /// Notes what was done but may surprise, for standard error once all is done: a command that fails says only why.
    /// What is noted twice, because a file is read twice, is told once.
    static func note(_ message: String) { if unsafe !notes.contains(message) { unsafe notes.append(message) } }

    nonisolated(unsafe) private static var told: Set<String> = []

    /// Writes `message` to standard error at once: for a command that goes on. What is told twice is written once.
    static func tell(_ message: String) { if unsafe told.insert(message).inserted { complain(message) } }

    nonisolated(unsafe) private static var closing: String?

    /// Keeps what was done for a line at the end, which only somebody at a terminal is told.
    static func close(with summary: String) { unsafe closing = summary }

    /// Writes that line, if there is one.
    static func tellClosing() {
        guard let closing = unsafe closing, isTerminal else { return }
        let count = unsafe notes.count
        complain("\(closing)\(count == 0 ? "" : count == 1 ? ", 1 note" : ", \(count) notes")")
    }

    /// Writes the notes to standard error, each as one line.
    static func tellNotes() { for note in unsafe notes { tell("note: \(note)") } }

    /// `text` with control characters, line breaks, and what turns the direction of text written as escapes.
    static func oneLine(_ text: String) -> String {
        text.utf8.allSatisfy({ 0x20 <= $0 && $0 < 0x7F })
            ? text : String(decoding: Message(escaping: text).bytes, as: UTF8.self)
    }
}
