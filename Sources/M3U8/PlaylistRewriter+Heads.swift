internal import ByteScan

extension PlaylistRewriter {
    /// What the beginning of a line tells.
    enum Head {
        /// Nothing is to be done with the line.
        case other
        /// The line is of a selected tag: the index of its pattern.
        case selected(Selection)
        /// The view ends before the line's name does.
        case incomplete
    }

    /// What selected a line.
    enum Selection {
        case tag(Int)
        case uri
    }

    /// What the line at `start` of `view` is. The verdict takes notice of its tag.
    ///
    /// - Parameter isWhole: Whether the text ends where the view does.
    @inline(__always)
    mutating func head(of view: ByteView, at start: Int, isWhole: Bool = false) -> Head {
        if view.count &- start >= edits.headRoom {
            let word = view.word(at: start)
            if word & 0xFFFF_FFFF != Self.tagWord { return otherHead(of: view, at: start) }
            for index in edits.patterns.indices where edits.patterns[index].matches(word, view, at: start) {
                return select(index)
            }
        }
        return slowHead(of: view, at: start, isWhole: isWhole)
    }

    /// `#EXT` as the lowest four bytes of a word.
    private static var tagWord: UInt64 { 0x5458_4523 }

    @inline(__always)
    private mutating func select(_ index: Int) -> Head {
        take(edits.patterns[index].scope)
        return appliesEdits ? .selected(.tag(index)) : .other
    }

    /// A line that is no tag.
    private func otherHead(of view: ByteView, at start: Int) -> Head {
        guard edits.selectsURIs, appliesEdits else { return .other }
        switch view[start] {
        case ASCII.hash, ASCII.lineFeed: return .other
        case ASCII.carriageReturn where start + 1 < view.count && view[start + 1] == ASCII.lineFeed: return .other
        default: return .selected(.uri)
        }
    }

    /// The same by the whole name: for heads near the view's end, and for tags that nobody selected.
    private mutating func slowHead(of view: ByteView, at start: Int, isWhole: Bool) -> Head {
        let tagStart = ByteView("#EXT")
        let available = min(view.count - start, tagStart.count)
        guard view.hasBytes(tagStart.prefix(upTo: available), at: start) else { return otherHead(of: view, at: start) }
        let room = view[start..<min(start + edits.headRoom, view.count)]
        guard let name = Self.name(in: room, isWhole: isWhole || room.count == edits.headRoom) else {
            return .incomplete
        }
        for index in edits.patterns.indices where edits.patterns[index].head == room.prefix(upTo: name) {
            return select(index)
        }
        if verdict != .mixed, name > 0, let tag = TagName(room[1..<name]) { take(tag.scope) }
        return .other
    }

    /// Where the tag's name ends that starts a line: at a colon or the line's end. Nil where the view does not tell.
    private static func name(in line: ByteView, isWhole: Bool) -> Int? {
        for offset in 0..<line.count {
            switch line[offset] {
            case ASCII.colon, ASCII.lineFeed: return offset
            case ASCII.carriageReturn where offset + 1 < line.count && line[offset + 1] == ASCII.lineFeed: return offset
            default: continue
            }
        }
        return isWhole ? LineBytes.withoutCarriageReturn(line).count : nil
    }

    /// Lets a tag of `scope` have its say in the verdict.
    @inline(__always)
    private mutating func take(_ scope: TagName.Scope) {
        guard scope != .any else { return }
        let after = verdict.after(scope)
        guard after != verdict else { return }
        verdict = after
        if after == .mixed, edits.scope != .any { phase = .forwarding }
    }
}
