internal import ByteScan
internal import CByteScan

// Why a line was edited, or was not: for those who debug.
//
// A trace cuts the text into lines and writes them to a rewriter one by one. For each it asks the rewriter's finder
// whether the line is a candidate, and then tells what the rewriter did from how its state has changed. All decisions
// are the rewriter's own, and a rewriter that is not traced pays nothing. A traced one is slow: it never sees more than
// one line.

/// A candidate line, and what a rewriter decided about it.
package struct TraceEntry: Equatable, Sendable {
    /// What was done.
    package enum Decision: Equatable, Sendable {
        /// Nothing: the line was only looked at for what its tag says about the playlist, or its value rules it out.
        case ignored
        /// Nothing: the handler was shown the line, and decided nothing.
        case unchanged
        /// Nothing: the handler was shown the line in a mixed playlist, and what it decides is not done.
        case onlyShown
        /// Attributes were looked for, in this order.
        case attributes([AttributeEffect])
        /// The line was left out.
        case dropped
        /// This took the place of the line.
        case replaced([UInt8])
        /// Nothing: a quote is left open, or the tag has no attribute list.
        case uneditable(hasOpenQuote: Bool)
        /// Editing has ended for good.
        case bailedOut(LimitError)
    }

    /// What became of one attribute.
    package struct AttributeEffect: Equatable, Sendable {
        /// What that is.
        package enum Effect: Sendable { case appended, replaced, removed, absent }

        package let name: [UInt8]
        package let effect: Effect
    }

    /// The stream position, in bytes, at which the line begins.
    package let position: Int
    /// The line without its line feed.
    package let line: [UInt8]
    /// `#` and the name of the tag that the rewriter knows the line by, or nil.
    package let tag: [UInt8]?
    /// Whether the finder measured the line and found it simple, so that nothing more was looked at.
    package let isSimple: Bool
    /// What the playlist has turned out to be by this line, if it changed that.
    package let verdict: PlaylistVerdict?
    /// Whether the handler was shown the line.
    package let isShown: Bool
    /// What was done.
    package let decision: Decision
}

/// Writes a text to a rewriter line by line, and tells what was decided about each candidate.
///
///     var trace = PlaylistTrace()
///     var entries = unsafe trace.write(chunk, to: &rewriter, deciding: handler, sink)
///     entries += trace.finish(&rewriter, deciding: handler, sink)
///
/// A limit that is exceeded is an entry, whatever the policy.
package struct PlaylistTrace: ~Copyable {
    /// The line that has not ended.
    private var unfinished = ReusableBuffer<UInt8>()

    package init() {}

    /// Writes the lines that end in `chunk`.
    package mutating func write(
        _ chunk: UnsafeRawBufferPointer, to rewriter: inout PlaylistRewriter,
        deciding handler: PlaylistRewriter.Handler, _ sink: PlaylistRewriter.Sink
    ) -> [TraceEntry] {
        let view = unsafe ByteView(chunk)
        var entries: [TraceEntry] = []
        var start = 0
        while let end = view.firstOffset(of: ASCII.lineFeed, from: start) {
            unfinished.append(view[start..<(end + 1)])
            trace(isLast: false, &rewriter, handler, sink, &entries)
            start = end + 1
        }
        unfinished.append(view.suffix(from: start))
        return entries
    }

    /// Writes a last line that has no line ending, and ends the playlist.
    package mutating func finish(
        _ rewriter: inout PlaylistRewriter, deciding handler: PlaylistRewriter.Handler, _ sink: PlaylistRewriter.Sink
    ) -> [TraceEntry] {
        var entries: [TraceEntry] = []
        trace(isLast: true, &rewriter, handler, sink, &entries)
        return entries
    }

    /// Writes the line, and if it `isLast` ends the playlist.
    private mutating func trace(
        isLast: Bool, _ rewriter: inout PlaylistRewriter, _ handler: PlaylistRewriter.Handler,
        _ sink: PlaylistRewriter.Sink, _ entries: inout [TraceEntry]
    ) {
        var watch = Watch(over: unfinished.view, &rewriter)
        func show(_ line: SelectedLine, _ edits: inout LineEdits) {
            watch.isShown = true
            handler(line, &edits)
        }
        // Whatever the policy: the limit becomes an entry.
        try? unsafe rewriter.write(unfinished.view.buffer, deciding: show, sink)
        if isLast { rewriter.finish(deciding: show, sink) }
        watch.end(unfinished.view, rewriter, &entries)
        unfinished.removeAll()
    }
}

/// What a rewriter was like before it was given a line.
private struct Watch {
    /// Whether the line is a simple one; nil if it is no candidate.
    private let isSimple: Bool?
    private let before: Document
    /// Whether the handler has been shown the line.
    var isShown = false

    init(over line: ByteView, _ rewriter: inout PlaylistRewriter) {
        isSimple = rewriter.isSimpleCandidate(line)
        before = rewriter.document
        rewriter.lineEdits.reset()
    }

    /// Tells what the rewriter has done with `line`, if that is a candidate.
    func end(_ line: ByteView, _ rewriter: borrowing PlaylistRewriter, _ entries: inout [TraceEntry]) {
        let kind = rewriter.document.kind
        guard isSimple != nil || kind != before.kind, !line.isEmpty else { return }
        let content = line.last == ASCII.lineFeed ? line.prefix(upTo: line.count - 1) : line
        let tag = rewriter.matcher.tag.prefix.bytes
        let isTag = content.hasBytes(tag, at: 0) && (content.count == tag.count || content[tag.count] <= ASCII.colon)
        entries.append(
            TraceEntry(
                position: before.position, line: Array(content), tag: isTag ? Array(tag) : nil,
                isSimple: isSimple ?? false, verdict: kind == before.kind ? nil : kind.verdict,
                isShown: isShown, decision: rewriter.decision(on: content, since: before, isShown: isShown)))
    }
}

extension PlaylistRewriter {
    /// Whether the finder reports `line`, which is whole, and finds it simple. Nil if it does not report it.
    fileprivate mutating func isSimpleCandidate(_ line: ByteView) -> Bool? {
        guard document.state == .lineStart || document.state == .insideLine else { return nil }
        // A line feed before it, and after it enough for the finder to see whole blocks.
        var padded = ReusableBuffer<UInt8>()
        padded.append(ASCII.lineFeed)
        padded.append(line)
        if line.last != ASCII.lineFeed { padded.append(ASCII.lineFeed) }
        padded.append(contentsOf: [UInt8](repeating: ASCII.space, count: 3 * ByteView.blockSize))
        let count = finder.find(in: padded.view, from: 0)
        defer { finder.setFilter(mode.filter) }
        guard count > 0, finder[0].start == 1 else { return nil }
        return finder[0].end > 0 && mode.appendsToSimpleLines
    }

    /// What has been decided about `line` since the document was as in `before`.
    fileprivate func decision(on line: ByteView, since before: Document, isShown: Bool) -> TraceEntry.Decision {
        if let error = document.exceededLimit, before.exceededLimit == nil { return .bailedOut(error) }
        if document.uneditable.count > before.uneditable.count {
            return .uneditable(hasOpenQuote: line.contains(ASCII.colon))
        }
        if isShown, mode.editing == .onlyReads { return .onlyShown }
        switch lineEdits.outcome {
        case .dropped: return .dropped
        case .replaced(let range): return .replaced(Array(lineEdits.scratch.view[range]))
        case .stopped(let error): return .bailedOut(error)
        case .refused: return .uneditable(hasOpenQuote: true)
        case .attributes: break
        }
        if !lineEdits.operations.isEmpty { return .attributes(lineEdits.effects) }
        guard document.appended.uses > before.appended.uses else { return isShown ? .unchanged : .ignored }
        let name = document.appended.bytes.suffix(from: 1).prefix(upTo: document.appended.nameLength)
        return .attributes([TraceEntry.AttributeEffect(name: Array(name), effect: .appended)])
    }
}

extension LineEdits {
    /// What became of each operation.
    fileprivate var effects: [TraceEntry.AttributeEffect] {
        (0..<operations.count).map { index in
            let operation = operations[index]
            let effect: TraceEntry.AttributeEffect.Effect =
                switch operation.kind {
                case .set: operation.isFound ? .replaced : .appended
                case .replace: operation.isFound ? .replaced : .absent
                case .remove: operation.isFound ? .removed : .absent
                }
            let name = operation.name(in: rendered(operation))
            return TraceEntry.AttributeEffect(name: Array(name), effect: effect)
        }
    }
}
