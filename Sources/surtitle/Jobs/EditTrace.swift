internal import M3U8

/// Writes what `surtitle edit --trace` tells: one line on standard error for each candidate line of the playlist.
///
///     byte 8: METHOD replaced, KEYFORMAT absent (rule of #EXT-X-KEY): #EXT-X-KEY:METHOD=AES-128,URI="k"
struct EditTrace {
    /// How many characters of a line are shown; what is left out becomes `…`.
    private static let shownLength = 80

    private let output = ByteWriter(FileDescriptor.standardError, name: "standard error")

    /// Writes what was decided about a line, and why.
    func note(_ entry: TraceEntry) {
        let line = Self.shortened(entry.line)
        output.write("byte \(entry.position): \(Self.decision(entry)) (\(Self.reason(entry))): \(line)\n")
    }

    /// Writes what is still in the buffer. That nobody reads it is no reason to fail.
    func finish() { try? output.finish() }

    private static func decision(_ entry: TraceEntry) -> String {
        switch entry.decision {
        case .ignored: "left alone"
        case .unchanged, .onlyShown: "unchanged"
        case .attributes(let effects):
            effects.map { "\(String(decoding: $0.name, as: UTF8.self)) \($0.effect)" }.joined(separator: ", ")
        case .dropped: "dropped"
        case .replaced(let line): "replaced by \(shortened(line))"
        case .uneditable(let hasOpenQuote): "not editable, \(hasOpenQuote ? "a quote is open" : "it has no attributes")"
        case .bailedOut(let error): "editing ends, \(error)"
        }
    }

    private static func reason(_ entry: TraceEntry) -> String {
        let name = entry.tag.map { Console.oneLine(String(decoding: $0, as: UTF8.self)) }
        var reasons = [name.map { "rule of \($0)" } ?? "a line that is no tag with a rule"]
        if entry.isSimple { reasons.append("simple line") }
        if let verdict = entry.verdict { reasons.append("it makes the playlist \(verdict)") }
        return reasons.joined(separator: ", ")
    }

    /// The beginning of `line`, with control characters as escapes.
    static func shortened(_ line: [UInt8]) -> String {
        // A character has four bytes at most.
        let text = String(decoding: line.prefix(4 * shownLength + 4), as: UTF8.self).unicodeScalars
        let shown = text.prefix(shownLength)
        return Console.oneLine(String(shown)) + (shown.endIndex < text.endIndex ? "…" : "")
    }
}
