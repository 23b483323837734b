/// Reads a playlist, chunks of any size in, and tells its facts.
///
///     var reader = PlaylistReader(asking: .timelines)
///     unsafe reader.write(chunk)
///     reader.finish()
///     let duration = reader.facts.duration
///
/// A line is all that is remembered besides the facts. Where a chunk ends never changes them.
package struct PlaylistReader: ~Copyable {
    /// Receives a line, and where it is.
    package typealias Body = (PlaylistLine, LineLocation) -> Void

    /// What the playlist has said so far.
    package private(set) var facts: PlaylistFacts
    private var scanner = LineScanner()
    private var values = PlaylistValues()
    /// How many bytes the variables have that are remembered.
    package var valueBytes: Int { values.byteCount }
    /// Whether values are put in place of variables.
    private var substitutes = false

    /// A reader of one playlist that is asked `questions`.
    package init(asking questions: PlaylistFacts.Questions = []) { facts = PlaylistFacts(asking: questions) }

    /// A reader of one playlist that is asked for the segment at this place, from 0, and with this media sequence
    /// number.
    package init(askingForSegment place: Int, numbered number: UInt64) {
        facts = PlaylistFacts(askingForSegment: place, numbered: number)
    }

    /// Makes the reader as new, for a playlist that is asked `questions`; the memory it has is kept.
    package mutating func reset(asking questions: PlaylistFacts.Questions) {
        facts = PlaylistFacts(asking: questions)
        scanner.reset()
        substitutes = false
    }

    /// Makes the reader as new, for a playlist that was asked for by `url`, in whose lines variables get their values.
    ///
    /// - Parameter isImporting: Whether it is a media playlist that the one read before has led to.
    package mutating func reset(asking questions: PlaylistFacts.Questions, of url: [UInt8], isImporting: Bool) {
        reset(asking: questions)
        values.begin(url, isImporting: isImporting)
        substitutes = true
    }

    /// Reads the next chunk, and hands its whole lines to `body` once their facts are noted.
    ///
    /// - Complexity: O(*n*).
    package mutating func write(_ chunk: UnsafeRawBufferPointer, _ body: Body = { _, _ in }) {
        guard substitutes else { return unsafe Self.write(chunk, &scanner, &facts, body) }
        unsafe Self.write(chunk, &scanner, &facts, &values, body)
    }

    /// Ends the playlist, and hands a last line without a line ending to `body`.
    package mutating func finish(_ body: Body = { _, _ in }) {
        if substitutes {
            Self.finish(&scanner, &facts, &values, body)
        } else {
            Self.finish(&scanner, &facts, body)
        }
        facts.finish()
    }

    // A closure may not change two properties of one value at once. Under the default policy nothing is thrown: a line
    // that is too long is handed out truncated.

    private static func write(
        _ chunk: UnsafeRawBufferPointer, _ scanner: inout LineScanner, _ facts: inout PlaylistFacts, _ body: Body
    ) {
        try? unsafe scanner.scan(chunk) { line in body(line, facts.note(line)) }
    }

    private static func finish(_ scanner: inout LineScanner, _ facts: inout PlaylistFacts, _ body: Body) {
        try? scanner.finish { line in body(line, facts.note(line)) }
    }

    private static func write(
        _ chunk: UnsafeRawBufferPointer, _ scanner: inout LineScanner, _ facts: inout PlaylistFacts,
        _ values: inout PlaylistValues, _ body: Body
    ) {
        try? unsafe scanner.scan(chunk) { line in values.substitute(line) { body($0, facts.note($0)) } }
    }

    private static func finish(
        _ scanner: inout LineScanner, _ facts: inout PlaylistFacts, _ values: inout PlaylistValues, _ body: Body
    ) {
        try? scanner.finish { line in values.substitute(line) { body($0, facts.note($0)) } }
    }
}

extension PlaylistFacts {
    /// The facts of the whole `playlist`, whose lines `body` gets.
    package init(
        of playlist: [UInt8], asking questions: Questions = [], _ body: PlaylistReader.Body = { _, _ in }
    ) {
        var reader = PlaylistReader(asking: questions)
        unsafe playlist.withUnsafeBytes { unsafe reader.write($0, body) }
        reader.finish(body)
        self = reader.facts
    }
}

/// Where a line is.
package struct LineLocation: Equatable, Sendable {
    /// The stream position, in bytes, at which the line begins.
    package let position: Int
    /// The line's number, from 1.
    package let number: Int

    package init(position: Int, number: Int) {
        self.position = position
        self.number = number
    }
}

#if !hasFeature(Embedded)
extension LineLocation: CustomStringConvertible {
    /// The location as messages have it: `line 4, at byte 45`.
    package var description: String { "line \(number), at byte \(position)" }
}
#endif
