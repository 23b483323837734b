internal import ByteScan
internal import CByteScan

extension PlaylistRewriter {
    /// What the beginning of a line tells.
    enum Head {
        /// Nothing is to be done with the line.
        case other
        /// The line is of a selected tag: the index of its pattern.
        case tag(Int)
        /// The line is a URI, and URIs are selected.
        case uri
        /// The view ends before the line's name does.
        case incomplete
    }

    /// What the line at `start` of `view` is. The verdict takes notice of its tag.
    @inline(__always)
    mutating func head(of view: ByteView, at start: Int) -> Head {
        if view.count &- start >= edits.headRoom {
            let word = unsafe view.uncheckedWord(at: start)
            for index in 0..<edits.patterns.count where unsafe edits.patterns[index].matches(word, view, at: start) {
                return select(index)
            }
        }
        return headByName(of: view, at: start, isWhole: false)
    }

    /// The same by the whole name: for heads near the view's end, and for lines that nobody selected.
    ///
    /// - Parameter isWhole: Whether the text ends where the view does.
    @inline(never)
    mutating func headByName(of view: ByteView, at start: Int, isWhole: Bool) -> Head {
        let tagStart = ByteView("#EXT")
        let available = min(view.count - start, tagStart.count)
        guard view.hasBytes(tagStart.prefix(upTo: available), at: start) else { return headOfOther(view, at: start) }
        guard let end = nameEnd(in: view, from: start, isWhole: isWhole) else { return .incomplete }
        for index in 0..<edits.patterns.count where edits.patterns[index].head == view[start..<end] {
            return select(index)
        }
        if verdict != .mixed, end > start, let tag = TagName(view[(start + 1)..<end]) { take(tag.scope) }
        return .other
    }

    /// Where the tag's name ends that starts a line: at a colon, at the line's end, or where it is longer than any that
    /// matters. Nil where the view does not tell.
    private func nameEnd(in view: ByteView, from start: Int, isWhole: Bool) -> Int? {
        let limit = min(start + edits.headRoom, view.count)
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
        if limit < view.count { return limit }
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

    @inline(__always)
    private mutating func select(_ index: Int) -> Head {
        if verdict != edits.patterns[index].settledVerdict { take(edits.patterns[index].scope) }
        return appliesEdits ? .tag(index) : .other
    }

    /// Lets a tag of `scope` have its say in the verdict.
    @inline(never)
    private mutating func take(_ scope: TagName.Scope) {
        guard scope != .any else { return }
        let after = verdict.after(scope)
        if after != verdict { settle(after) }
    }

    /// Changes the verdict, and with it whether anything is edited from here on.
    mutating func settle(_ verdict: PlaylistVerdict) {
        self.verdict = verdict
        switch (edits.scope, verdict) {
        case (_, .notPlaylist), (.multivariant, .mixed), (.media, .mixed):
            appliesEdits = false
            phase = .forwarding
        case (.multivariant, .media), (.media, .multivariant): appliesEdits = false
        default: appliesEdits = true
        }
    }
}
