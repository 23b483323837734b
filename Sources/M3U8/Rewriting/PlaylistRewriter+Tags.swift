internal import ByteScan
internal import CByteScan

// Stage 2: what a line is by its tag, and what its tag says about the document.
extension PlaylistRewriter {
    /// What the beginning of a line tells.
    enum LineClass {
        /// Nothing is to be done with the line.
        case ignored
        /// The line is selected.
        case selected(Document.Selection)
        /// The view ends before the line's name does.
        case incomplete
    }

    /// What the line at `start` of `view` is, which begins at stream position `position`. Its tag may change the
    /// document's kind.
    ///
    /// The finder has ruled out most lines by the hash of their tag; of the others most are of the tag that was found
    /// last.
    @inline(__always)
    mutating func classify(_ view: ByteView, at start: Int, position: Int) -> LineClass {
        guard view.count &- start >= program.tags.lookahead else {
            return classifyByName(view, at: start, position: position, isWhole: false)
        }
        guard unsafe matcher.find(view, at: start) else {
            return program.tags.hasIrregular || program.selectsURIs
                ? classifyByName(view, at: start, position: position, isWhole: false) : .ignored
        }
        if isLeftOut { return .selected(.leftOut) }
        guard noteTag(at: position) else { return .ignored }
        let end = start &+ matcher.tag.prefix.count
        if let value = program.plans[matcher.index].valuePrefix,
            unsafe value.rulesOut(view.uncheckedWord(at: end &+ 1)),
            unsafe view.uncheckedByte(at: end) == ASCII.colon
        {
            return .ignored
        }
        return .selected(.tag)
    }

    /// The same by the whole name: for names near the view's end, and for lines that the table does not know.
    ///
    /// - Parameter isWhole: Whether the text ends where the view does.
    mutating func classifyByName(_ view: ByteView, at start: Int, position: Int, isWhole: Bool) -> LineClass {
        let tagStart = ByteView("#EXT")
        let available = min(view.count - start, tagStart.count)
        guard view.hasBytes(tagStart.prefix(upTo: available), at: start) else { return classifyOther(view, at: start) }
        guard let end = nameEnd(in: view, from: start, isWhole: isWhole) else { return .incomplete }
        guard matcher.find(prefix: view[start..<end]) else { return .ignored }
        if isLeftOut { return .selected(.leftOut) }
        let isShown = matcher.isSelected && mode.editing != .nothing
        let demanded = isShown ? program.plans[matcher.index].valuePrefix : nil
        // Without a colon the line ends with its name, and what comes after it is another line.
        let hasValue = end < view.count && view[end] == ASCII.colon
        let value = hasValue ? view.suffix(from: end + 1) : ByteView()
        if !isWhole, hasValue, value.count < 8, !value.contains(ASCII.lineFeed), demanded != nil { return .incomplete }
        return noteTag(at: position) && demanded?.rulesOut(value.paddedWord) != true ? .selected(.tag) : .ignored
    }

    /// A line that is no tag.
    private func classifyOther(_ view: ByteView, at start: Int) -> LineClass {
        guard program.selectsURIs, mode.editing == .edits else { return .ignored }
        switch view[start] {
        case ASCII.hash, ASCII.lineFeed: return .ignored
        case ASCII.carriageReturn where start + 1 < view.count && view[start + 1] == ASCII.lineFeed: return .ignored
        default: return .selected(.uri)
        }
    }

    /// Where the name ends of the tag that starts a line: at a colon, at the line's end, or as soon as it is longer
    /// than any that matters. Nil if the view does not tell.
    private func nameEnd(in view: ByteView, from start: Int, isWhole: Bool) -> Int? {
        let limit = start + program.tags.lookahead
        let stop = view.firstOffset(from: start) { $0.equal(to: ASCII.colon).or($0.equal(to: ASCII.lineFeed)) }
        if let end = stop, end < limit {
            let isAfterCarriageReturn = view[end] == ASCII.lineFeed && view[end - 1] == ASCII.carriageReturn
            return isAfterCarriageReturn ? end - 1 : end
        }
        if limit <= view.count { return limit }
        return isWhole ? start + WhiteSpace.withoutCarriageReturn(view.suffix(from: start)).count : nil
    }

    /// Whether lines of the tag found last are left out.
    @inline(__always)
    private var isLeftOut: Bool { document.leavesOut && matcher.isSelected && program.plans[matcher.index].isLeftOut }

    /// Notes what the tag of the line at stream position `position` says of the document's kind, and tells whether the
    /// line is selected.
    @inline(__always)
    mutating func noteTag(at position: Int) -> Bool {
        note(matcher.tag.scope, at: position)
        return matcher.isSelected && mode.editing != .nothing && !program.plans[matcher.index].isLeftOut
    }

    /// Notes that the line at stream position `position`, known by its beginning alone, is of a multivariant playlist.
    mutating func noteSkippedLine(at position: Int) { note(.multivariant, at: position) }

    @inline(__always)
    private mutating func note(_ scope: TagName.Scope, at position: Int) {
        let kind = document.kind.after(scope)
        if kind != document.kind { decide(kind, at: position) }
    }

    /// Changes the document's kind, and with it what is done from here on, at the line at stream position `position`.
    @inline(never)
    mutating func decide(_ kind: DocumentKind, at position: Int) {
        document.kind = kind
        let mode = self.mode
        document.verdict = mode.verdict
        document.verdictPosition = position &- document.leftOutBytes
        finder.setFilter(mode.filter)
        if mode.passesThrough, !document.leavesOut { document.state = .passingThrough }
    }
}
