public import ByteScan
internal import CByteScan

// A chunk whose variants are filtered at once.
//
// URI lines are selected, because that of a variant goes with it. But only tags are searched for, and the attributes
// of the condition in them. The URI of a variant that is dropped is the next line, mostly; nobody looks at the
// others.
//
//     bytes     ⏎#EXT-X-STREAM-INF:…⏎v/1.m3u8⏎#EXT-X-STREAM-INF:…⏎v/2.m3u8⏎#EXT-X-STREAM-INF:…⏎# a comment⏎v/3.m3u8⏎
//     found      a variant: kept     not seen  dropped            dropped   dropped: the long way until its URI comes
//
// What is not seen must not be longer than the limits allow. That is sure if two lines that are found are no further
// apart. If they are, and at the end of the chunk, where a line may be unfinished, the lines between go the long way
// after all.

extension PlaylistRewriter {
    /// Rewrites the next chunk, of any size, leaves out variants, and collects what is decided in `output`, in place
    /// of what is there.
    ///
    /// The output is that of ``write(_:deciding:into:)`` with ``VariantFilter/filter(_:_:)`` for a handler. The edits
    /// must select URIs, and observe ``VariantFilter/tags``.
    ///
    /// - Throws: ``LimitError``, as `write(_:into:)`.
    public mutating func write(
        _ chunk: UnsafeRawBufferPointer, filtering filter: inout VariantFilter, into output: inout OutputPieces
    ) throws(LimitError) {
        var pieces = output.begin()
        defer { pieces.end() }
        try unsafe write(chunk, filtering: &filter) { pieces.append($0) }
    }

    /// Rewrites the next chunk, leaves out variants, and hands out what is decided, slice by slice: as ``write(_:_:)``.
    ///
    /// - Throws: ``LimitError``, as ``write(_:_:)``.
    public mutating func write(
        _ chunk: UnsafeRawBufferPointer, filtering filter: inout VariantFilter, _ sink: Sink
    ) throws(LimitError) {
        guard !CodeSize.isScarce, program.variantLines != nil else {
            return try unsafe write(chunk, deciding: { filter.filter($0, &$1) }, sink)
        }
        try unsafe writeChunk(chunk) { (rewriter, view) in
            unsafe withUnsafeMutablePointer(to: &filter) { unsafe rewriter.scan(view, filteringBy: $0, sink) }
        }
    }

    @unsafe @inline(__always)
    private mutating func scan(
        _ chunk: ByteView, filteringBy filter: UnsafeMutablePointer<VariantFilter>, _ sink: Sink
    ) {
        let handler: Handler = { unsafe filter.pointee.filter($0, &$1) }
        var cursor = OutputCursor(chunk: chunk, position: document.position)
        if let start = begin(chunk, &cursor, handler, sink) {
            unsafe scanVariants(from: start, &cursor, filter, handler, sink)
        }
        finder.setFilter(mode.filter)
        if !document.isCarrying { cursor.forwardRest(sink) }
    }

    /// Scans the chunk from `start`, which is somewhere inside a line.
    @unsafe @inline(__always)
    private mutating func scanVariants(
        from start: Int, _ cursor: inout OutputCursor, _ filter: UnsafeMutablePointer<VariantFilter>,
        _ handler: Handler, _ sink: Sink
    ) {
        let chunk = cursor.view
        // Read once: each reading keeps what it holds alive, and lets go of it again.
        let expression = unsafe filter.pointee.expression
        var offset = start
        // No line that begins before this has to be looked at any more, and where all lines are to be.
        var seen = start
        var allUpTo = start
        while true {
            guard LineFinder.hasBlock(chunk, at: offset) else {
                if seen == offset { break }
                (offset, allUpTo) = (seen, .max)
                continue
            }
            let isQuick = unsafe offset >= allUpTo && document.kind == .multivariant && !filter.pointee.awaitsURI
            finder.setFilter((isQuick ? program.variantLines : nil) ?? mode.filter)
            let count = finder.find(in: chunk, from: offset)
            if isQuick {
                var next = finder.next
                for index in 0..<count {
                    let line = finder[index].start
                    if line &- seen > limits.longestLine {
                        (next, allUpTo) = (seen, line)
                        break
                    }
                    seen = unsafe filterLine(at: line, &cursor, filter, expression, handler, sink)
                    guard document.state == .insideLine else { return }
                    if unsafe document.kind != .multivariant || filter.pointee.awaitsURI {
                        next = seen
                        break
                    }
                }
                if next &- seen > limits.longestLine { (next, allUpTo) = (seen, next) }
                offset = next
            } else {
                guard handleFound(count, &cursor, handler, sink) else { return }
                offset = finder.next
                seen = offset
            }
        }
        // In the last bytes all lines are looked at.
        finder.setFilter(mode.filter)
        scanTail(from: offset, &cursor, handler, sink)
    }

    /// Does what is to be done with the line at `start`, and with the URI after it, and returns from where on lines
    /// that begin after a line feed have not been looked at.
    @unsafe @inline(__always)
    private mutating func filterLine(
        at start: Int, _ cursor: inout OutputCursor, _ filter: UnsafeMutablePointer<VariantFilter>,
        _ expression: VariantExpression, _ handler: Handler, _ sink: Sink
    ) -> Int {
        let chunk = cursor.view
        guard let colon = colon(ofSelectedTagAt: start, in: chunk), program.filteredTags[matcher.index] != .shown else {
            handleLine(at: start, &cursor, handler, sink)
            return start
        }
        let isStream = program.filteredTags[matcher.index] == .stream
        guard let verdict = expression.judge(chunk, from: colon, isStream: isStream),
            verdict.lineEnd &- start <= limits.longestLine
        else {
            handleLine(at: start, &cursor, handler, sink)
            return start
        }
        unsafe filter.pointee.note(isKept: verdict.isKept, isStream: isStream)
        if verdict.isKept { return start }
        let next = verdict.lineEnd &+ 1
        cursor.replace(start..<next, with: ByteView(), sink)
        guard isStream, let end = chunk.firstOffset(of: ASCII.lineFeed, from: next), end &- next <= limits.longestLine,
            chunk[next] > ASCII.space, chunk[next] != ASCII.hash
        else { return start }
        unsafe filter.pointee.noteDroppedURI()
        cursor.skip(to: end &+ 1)
        return end
    }
}
