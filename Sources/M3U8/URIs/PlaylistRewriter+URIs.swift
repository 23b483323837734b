public import ByteScan
internal import CByteScan

// A chunk whose URIs are mapped at once.
//
// In place of the finder of lines one of URIs goes over the chunk. A plain URI, and one in the attribute `URI` of a
// tag, becomes what the mapping makes of all that begin as it does (URIPlan). Every other line goes the long way: it is
// shown to the mapper, which decides.
//
//     bytes     #EXT-X-KEY:METHOD=AES-128,URI="k/1"⏎#EXTINF:4,⏎seg/1.ts⏎#EXT-X-PART:…,URI="{$p}"⏎
//     finder    a tag: its attribute is found, and plain    not looked at   a plain URI   a tag, odd URI: the long way
extension PlaylistRewriter {
    /// Rewrites the next chunk, of any size, maps its URIs, and collects what is decided in `output`, in place of what
    /// is there.
    ///
    /// The output is that of ``write(_:deciding:into:)`` with ``URIMapper/map(_:_:)`` for a handler. The edits must
    /// select URIs, and observe ``URIMapping/tags``.
    ///
    /// - Throws: ``LimitError``, as `write(_:into:)`.
    public mutating func write(
        _ chunk: UnsafeRawBufferPointer, mapping mapper: inout URIMapper, into output: inout OutputPieces
    ) throws(LimitError) {
        var pieces = output.begin()
        defer { pieces.end() }
        try unsafe write(chunk, mapping: &mapper) { pieces.append($0) }
    }

    /// Rewrites the next chunk, maps its URIs, and hands out what is decided, slice by slice: as ``write(_:_:)``.
    ///
    /// - Throws: ``LimitError``, as ``write(_:_:)``.
    public mutating func write(
        _ chunk: UnsafeRawBufferPointer, mapping mapper: inout URIMapper, _ sink: Sink
    ) throws(LimitError) {
        guard !CodeSize.isScarce, !program.tagHashes.isEmpty else {
            return try unsafe write(chunk, deciding: { mapper.map($0, &$1) }, sink)
        }
        try unsafe writeChunk(chunk) { (rewriter, view) in
            unsafe withUnsafeMutablePointer(to: &mapper) { unsafe rewriter.scan(view, mappingBy: $0, sink) }
        }
    }

    @unsafe @inline(__always)
    private mutating func scan(_ chunk: ByteView, mappingBy mapper: UnsafeMutablePointer<URIMapper>, _ sink: Sink) {
        let handler: Handler = { unsafe mapper.pointee.map($0, &$1) }
        var plain = unsafe mapper.pointee.takePlain()
        var cursor = OutputCursor(chunk: chunk, position: document.position)
        if case .selectedLine(let selection) = document.state {
            unsafe mapCarried(selection, &cursor, &plain, mapper, sink)
        }
        if let start = begin(chunk, &cursor, handler, sink) {
            unsafe scanURIs(from: start, &cursor, &plain, mapper, handler, sink)
        }
        if !document.isCarrying { cursor.forwardRest(sink) }
        unsafe mapper.pointee.keep(plain)
    }

    @unsafe @inline(__always)
    private mutating func scanURIs(
        from start: Int, _ cursor: inout OutputCursor, _ plain: inout PlainURIs,
        _ mapper: UnsafeMutablePointer<URIMapper>, _ handler: Handler, _ sink: Sink
    ) {
        let chunk = cursor.view
        var offset = start
        var unfinished = chunk.count
        repeat {
            let count = plain.find(
                in: chunk, from: offset, hashes: program.tagHashes[document.kind.rawValue], most: mode.filter.capacity,
                unfinished: &unfinished)
            var index = 0
            while index < count {
                let uri = plain.finder[index]
                let role = unsafe mapper.pointee.roleOfNextURI
                let effect = plain.effect(on: uri, role)
                if effect != .unknown, uri.end &- uri.start < limits.longestLine {
                    let isAnother = effect == .change && plain.write(uri, role, &cursor, sink)
                    unsafe mapper.pointee.noteWritten(isAnother: isAnother, isLine: true)
                    index &+= 1
                    if index < count, plain.finder[index].form == uri.form {
                        let alike = plain.writeAlike(
                            uri.form, index..<count, longest: limits.longestLine, &cursor, sink)
                        unsafe mapper.pointee.noteWritten(others: alike.changed)
                        index = alike.end
                    }
                    continue
                }
                index &+= 1
                // Where the next line starts that has been found, this one has ended.
                let next = index < count ? plain.finder[index].start : nil
                if unsafe !map(tagAt: uri.start, before: next, &cursor, &plain, mapper, sink) {
                    handleLine(at: uri.start, &cursor, handler, sink)
                    guard document.state == .insideLine else { return }
                }
            }
            offset = plain.finder.next
        } while offset < chunk.count
        handleLast(at: unfinished, &cursor, handler, sink)
    }

    /// Maps the URI of the line that is carried, if it is plain and the line ends in the chunk; else does nothing.
    @unsafe @inline(never)
    private mutating func mapCarried(
        _ selection: Document.Selection, _ cursor: inout OutputCursor, _ plain: inout PlainURIs,
        _ mapper: UnsafeMutablePointer<URIMapper>, _ sink: Sink
    ) {
        let before = carried.count
        guard let end = cursor.view.firstOffset(of: ASCII.lineFeed), before &+ end <= limits.longestLine else { return }
        carried.append(cursor.view.prefix(upTo: end + 1))
        var line = OutputCursor(carried: carried.view)
        guard unsafe map(carriedAs: selection, &line, &plain, mapper, sink) else { return carried.truncate(to: before) }
        line.forwardRest(sink)
        carried.removeAll()
        cursor.skip(to: end + 1)
        document.state = .lineStart
    }

    /// Maps the URI of the line that `cursor` goes over, if it is plain, and tells whether nothing else is to be done.
    @unsafe
    private mutating func map(
        carriedAs selection: Document.Selection, _ cursor: inout OutputCursor, _ plain: inout PlainURIs,
        _ mapper: UnsafeMutablePointer<URIMapper>, _ sink: Sink
    ) -> Bool {
        let line = cursor.view
        if selection == .tag { return unsafe map(tagAt: 0, before: line.count, &cursor, &plain, mapper, sink) }
        let uri = plain.judge(line.prefix(upTo: line.count - 1))
        let role = unsafe mapper.pointee.roleOfNextURI
        let effect = plain.effect(on: uri, role)
        guard effect != .unknown else { return false }
        let isAnother = effect == .change && plain.write(uri, role, &cursor, sink)
        unsafe mapper.pointee.noteWritten(isAnother: isAnother, isLine: true)
        return true
    }

    /// Maps the URI of the tag whose line is at `start`, if it is plain, and tells whether nothing else is to be done
    /// with the line, which has ended before `next`.
    @unsafe @inline(never)
    private mutating func map(
        tagAt start: Int, before next: Int?, _ cursor: inout OutputCursor, _ plain: inout PlainURIs,
        _ mapper: UnsafeMutablePointer<URIMapper>, _ sink: Sink
    ) -> Bool {
        let chunk = cursor.view
        guard chunk[start] == ASCII.hash, chunk.count &- start >= program.tags.lookahead,
            unsafe matcher.find(chunk, at: start), matcher.isSelected,
            document.kind.after(matcher.tag.scope) == document.kind
        else { return false }
        switch program.mappedTags[matcher.index] {
        case .shown: return false
        case .variant:
            guard let next, next &- start <= limits.longestLine else { return false }
            unsafe mapper.pointee.expectVariant()
            return true
        case .uri(let role):
            let colon = start &+ matcher.tag.prefix.count
            guard chunk[colon] == ASCII.colon else { return false }
            let value = plain.finder.value(in: chunk, from: colon)
            let effect = plain.effect(on: value.uri, role)
            guard effect != .unknown, value.lineEnd &- start <= limits.longestLine else { return false }
            let isAnother = effect == .change && plain.write(value.uri, role, &cursor, sink)
            unsafe mapper.pointee.noteWritten(isAnother: isAnother, isLine: false)
            return true
        }
    }
}
