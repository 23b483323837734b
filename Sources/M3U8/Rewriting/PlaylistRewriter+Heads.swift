internal import ByteScan
internal import CByteScan

extension PlaylistRewriter {
    /// What the beginning of a line tells.
    enum Head {
        /// Nothing is to be done with the line.
        case other
        /// The line is of a selected tag: the rewriter's `tag`.
        case tag
        /// The line is a URI, and URIs are selected.
        case uri
        /// The view ends before the line's name does.
        case incomplete
    }

    /// What the line at `start` of `view` is. The verdict takes notice of its tag.
    ///
    /// The scanner has ruled out most lines by the hash of their head; of the others most are of the tag that was met last.
    @inline(__always)
    mutating func head(of view: ByteView, at start: Int) -> Head {
        guard view.count &- start >= edits.tags.headRoom else { return headByName(of: view, at: start, isWhole: false) }
        if unsafe tag.matches(view.uncheckedWord(at: start), view.uncheckedWord(at: start &+ 8), view, at: start) {
            let head = takeTag()
            return unsafe tag.isRuledOut(view, at: start) ? .other : head
        }
        return headByTable(of: view, at: start)
    }

    /// The same by the table of tags. The head must be whole: a debug build checks it.
    @inline(never)
    private mutating func headByTable(of view: ByteView, at start: Int) -> Head {
        guard let index = unsafe edits.tags.index(of: view, at: start) else {
            return edits.tags.hasIrregular || edits.selectsURIs
                ? headByName(of: view, at: start, isWhole: false) : .other
        }
        tagIndex = index
        let head = takeTag()
        return unsafe tag.isRuledOut(view, at: start) ? .other : head
    }

    /// The same by the whole name: for heads near the view's end, and for lines that the table does not know.
    ///
    /// - Parameter isWhole: Whether the text ends where the view does.
    mutating func headByName(of view: ByteView, at start: Int, isWhole: Bool) -> Head {
        let tagStart = ByteView("#EXT")
        let available = min(view.count - start, tagStart.count)
        guard view.hasBytes(tagStart.prefix(upTo: available), at: start) else { return headOfOther(view, at: start) }
        guard let end = nameEnd(in: view, from: start, isWhole: isWhole) else { return .incomplete }
        for index in 0..<edits.tags.patterns.count where edits.tags.patterns[index].head == view[start..<end] {
            // Without a colon the line ends with its name, and what is behind it is another line.
            let hasValue = end < view.count && view[end] == ASCII.colon
            let value = hasValue ? view.suffix(from: end + 1) : ByteView()
            if !isWhole, hasValue, value.count < 8, !value.contains(ASCII.lineFeed), edits.tags.patterns[index].hasLead
            {
                return .incomplete
            }
            tagIndex = index
            let head = takeTag()
            return tag.isRuledOut(by: value.paddedWord) ? .other : head
        }
        return .other
    }

    /// Lets the tag have its say in the verdict.
    @inline(__always)
    private mutating func takeTag() -> Head {
        if verdict != tag.settledVerdict {
            let after = verdict.after(tag.scope)
            if after != verdict { settle(after) }
        }
        return selectsTags && tag.isSelected ? .tag : .other
    }

    /// Where the tag's name ends that starts a line: at a colon, at the line's end, or where it is longer than any that
    /// matters. Nil where the view does not tell.
    private func nameEnd(in view: ByteView, from start: Int, isWhole: Bool) -> Int? {
        let limit = min(start + edits.tags.headRoom, view.count)
        var offset = start
        while offset < limit {
            let block = view.block(at: offset)
            let stops = block.equal(to: ASCII.colon).or(block.equal(to: ASCII.lineFeed)).bits
            if stops != 0 {
                let end = offset + stops.trailingZeroBitCount
                let isBehindCarriageReturn = view[end] == ASCII.lineFeed && view[end - 1] == ASCII.carriageReturn
                return isBehindCarriageReturn ? end - 1 : end
            }
            offset += ByteView.blockSize
        }
        if limit == start + edits.tags.headRoom { return limit }
        return isWhole ? start + LineBytes.withoutCarriageReturn(view.suffix(from: start)).count : nil
    }

    /// A line that is no tag.
    private func headOfOther(_ view: ByteView, at start: Int) -> Head {
        guard edits.selectsURIs, appliesEdits else { return .other }
        switch view[start] {
        case ASCII.hash, ASCII.lineFeed: return .other
        case ASCII.carriageReturn where start + 1 < view.count && view[start + 1] == ASCII.lineFeed: return .other
        default: return .uri
        }
    }

    /// Changes the verdict, and with it whether anything is edited from here on.
    @inline(never)
    mutating func settle(_ verdict: PlaylistVerdict) {
        self.verdict = verdict
        walk.setInterest(edits.interest(with: verdict))
        switch (edits.scope, verdict) {
        case (_, .notPlaylist), (.multivariant, .media), (.media, .multivariant):
            appliesEdits = false
            selectsTags = false
        case (.multivariant, .mixed), (.media, .mixed):
            selectsTags = appliesEdits && edits.readsMixed
            appliesEdits = false
            lineEdits.areIgnored = true
        default:
            appliesEdits = true
            selectsTags = true
        }
        if verdict == .notPlaylist || (verdict == .mixed && !selectsTags) { phase = .forwarding }
        takesPlainLines = appliesEdits && verdict == edits.plainVerdict
    }
}
