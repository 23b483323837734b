internal import M3U8

/// Finds out what a text is, and by which line, while its chunks pass by.
final class PlaylistKind {
    private var scanner = LineScanner()
    /// How many lines have been seen.
    private(set) var lineCount = 0

    /// What the text has turned out to be.
    private(set) var verdict = PlaylistVerdict.undecided
    /// The line that decided it.
    private(set) var decidingLine = LinePlace()
    /// The tag on that line, without the `#`.
    private(set) var decidingTag = ""

    /// Takes the next chunk and hands on the lines that are whole.
    func scan(_ chunk: UnsafeRawBufferPointer, _ body: (PlaylistLine, LinePlace) -> Void = { _, _ in }) {
        // Under the default policy nothing is thrown: what is left out of a line that is too long tells nothing.
        try? unsafe scanner.scan(chunk) { line in body(line, take(line)) }
    }

    /// Ends the text and hands on a last line without a line ending.
    func finish(_ body: (PlaylistLine, LinePlace) -> Void = { _, _ in }) {
        try? scanner.finish { line in body(line, take(line)) }
        if lineCount == 0 { verdict = .notPlaylist }
    }

    /// Whether the text is a playlist so far as its first line tells.
    var isPlaylist: Bool { verdict != .notPlaylist }

    private func take(_ line: PlaylistLine) -> LinePlace {
        lineCount += 1
        let place = LinePlace(position: line.position, number: lineCount)
        if lineCount == 1, PlaylistSignature.matches(line.bytes, isWhole: true) != true { verdict = .notPlaylist }
        guard verdict != .notPlaylist, case .tag(let name) = line.kind else { return place }
        let after = verdict.after(name.scope)
        if after != verdict {
            verdict = after
            decidingLine = place
            decidingTag = unsafe String(decoding: line.name.buffer, as: UTF8.self)
        }
        return place
    }
}
