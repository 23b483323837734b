internal import M3U8

/// Reads a playlist line by line, each line with its location, and tells what kind of playlist it is.
final class PlaylistReader {
    typealias Body = (PlaylistLine, LineLocation) -> Void

    private var scanner = LineScanner()
    private var lineCount = 0
    private var verdict = PlaylistVerdict.undecided
    private var decidingLine = ""

    /// What the lines so far tell.
    var kind: PlaylistKind { PlaylistKind(verdict: verdict, decidingLine: decidingLine, lineCount: lineCount) }

    /// Whether the text is a playlist, as far as its first line tells.
    var isPlaylist: Bool { verdict != .notPlaylist }

    /// Scans the next chunk and hands its whole lines to `body`.
    func scan(_ chunk: UnsafeRawBufferPointer, _ body: Body) {
        // Under the default policy nothing is thrown: a line that is too long is handed out truncated.
        try? unsafe scanner.scan(chunk) { line in body(line, note(line)) }
    }

    /// Ends the text and hands a last line without a line ending to `body`.
    func finish(_ body: Body) {
        try? scanner.finish { line in body(line, note(line)) }
        if lineCount == 0 { verdict = .notPlaylist }
    }

    /// Counts `line` and lets it decide the verdict.
    private func note(_ line: PlaylistLine) -> LineLocation {
        lineCount += 1
        let location = LineLocation(position: line.position, number: lineCount)
        if lineCount == 1, PlaylistSignature.matches(line.bytes, isWhole: true) != true { verdict = .notPlaylist }
        guard isPlaylist, case .tag(let name) = line.kind else { return location }
        let next = verdict.after(name.scope)
        if next != verdict {
            verdict = next
            decidingLine = "\(location): \(name.spelling)"
        }
        return location
    }
}
