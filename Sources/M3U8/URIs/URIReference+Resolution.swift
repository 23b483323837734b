package import ByteScan

// How a reference is resolved: by RFC 3986 5.2 in the strict form, so a reference with a scheme keeps it even if the
// base has the same scheme.
//
// The path is put together at the end of the output, and its dot segments are removed in place. The part written is
// never longer than the part read, so reading stays ahead of writing.
//
// A variable that is still in the path may stand for several segments, and for none. So from the segment on that holds
// one, dot segments stay: whoever puts the value in resolves the rest.

extension URIReference {
    /// Appends the target of this reference, relative to `base`, to `output` (RFC 3986 5.2.2, 5.3).
    ///
    /// The base should have a scheme; without one the target has none either. The base's fragment is not used. A
    /// `data:` URI is its own target, byte for byte. Neither reference may lie in `output`.
    ///
    /// - Complexity: O(*n*) in the bytes of both references.
    package func writeResolved(against base: URIReference, into output: inout ReusableBuffer<UInt8>) {
        guard !isData else { return output.append(bytes) }
        let schemeSource = scheme != nil ? self : base
        let authoritySource = scheme != nil || authority != nil ? self : base
        let isInsideBase = scheme == nil && authority == nil

        output.append(schemeSource.schemeAndColon)
        output.append(authoritySource.slashesAndAuthority)
        if isInsideBase, path.isEmpty {
            output.append(base.bytes[base.path])
            output.append((query != nil ? self : base).markAndQuery)
        } else {
            let start = output.count
            if isInsideBase, bytes[path.lowerBound] != ASCII.slash { base.writeDirectory(into: &output) }
            output.append(bytes[path])
            output.removeDotSegments(from: start)
            if authoritySource.authority == nil {
                output.guardPath(from: start, hasScheme: schemeSource.scheme != nil)
            }
            output.append(markAndQuery)
        }
        output.append(hashAndFragment)
    }

    /// Everything of the path up to its last slash; a host without a path has its root (5.2.3).
    private func writeDirectory(into output: inout ReusableBuffer<UInt8>) {
        if authority != nil, path.isEmpty { return output.append(ASCII.slash) }
        guard let slash = bytes.lastOffset(of: ASCII.slash, before: path.upperBound), slash >= path.lowerBound else {
            return
        }
        output.append(bytes[path.lowerBound..<(slash &+ 1)])
    }

    private var schemeAndColon: ByteView { scheme.map { bytes.prefix(upTo: $0.upperBound &+ 1) } ?? ByteView() }

    private var slashesAndAuthority: ByteView {
        authority.map { bytes[($0.lowerBound &- 2)..<$0.upperBound] } ?? ByteView()
    }

    private var markAndQuery: ByteView { query.map { bytes[($0.lowerBound &- 1)..<$0.upperBound] } ?? ByteView() }

    private var hashAndFragment: ByteView { fragment.map { bytes.suffix(from: $0.lowerBound &- 1) } ?? ByteView() }
}

extension [UInt8] {
    /// The target of `reference`, relative to these bytes, which are a whole URI (RFC 3986 5.2).
    package func resolving(_ reference: [UInt8]) -> [UInt8] {
        var target = ReusableBuffer<UInt8>()
        withView { base in
            reference.withView { URIReference($0).writeResolved(against: URIReference(base), into: &target) }
        }
        return Array(target.view)
    }
}

extension ReusableBuffer where Element == UInt8 {
    /// Removes the segments `.` and `..` from the path that begins at `start` and ends the buffer (5.2.4).
    fileprivate mutating func removeDotSegments(from start: Int) {
        guard mayHaveDotSegment(from: start) else { return }
        let end = count
        let variable = view.firstVariable(from: start) ?? end
        var read = start
        var write = start
        while read < end {
            let hasSlash = self[read] == ASCII.slash
            let segment = hasSlash ? read &+ 1 : read
            var next = segment
            while next < end, self[next] != ASCII.slash { next &+= 1 }
            if next > variable { next = end }
            guard let dots = dotCount(in: segment..<next) else {
                while read < next {
                    self[write] = self[read]
                    write &+= 1
                    read &+= 1
                }
                continue
            }
            // A dot segment without a slash before it opens a relative path. It is removed with the slash after it.
            guard hasSlash else {
                read = min(next &+ 1, end)
                continue
            }
            if dots == 2 { write = lastSegment(from: start, before: write) }
            if next == end {
                self[write] = ASCII.slash
                write &+= 1
            }
            read = next
        }
        truncate(to: write)
    }

    /// Whether a segment of the path begins with a dot.
    private func mayHaveDotSegment(from start: Int) -> Bool {
        var offset = start
        while let dot = view.firstOffset(of: ASCII.period, from: offset) {
            if dot == start || self[dot &- 1] == ASCII.slash { return true }
            offset = dot &+ 1
        }
        return false
    }

    /// How many dots the segment is, 1 or 2, or nil for every other segment.
    private func dotCount(in segment: Range<Int>) -> Int? {
        guard segment.count == 1 || segment.count == 2 else { return nil }
        for index in segment where self[index] != ASCII.period { return nil }
        return segment.count
    }

    /// Where the last segment before `end` begins, at the slash before it.
    private func lastSegment(from start: Int, before end: Int) -> Int {
        var index = end
        while index > start {
            index &-= 1
            if self[index] == ASCII.slash { break }
        }
        return index
    }

    /// Puts a dot segment before a path that would be read as something else, because no authority stands before it.
    ///
    /// A path that begins with `//` would become an authority. Without a scheme, `a:b` would get one. RFC 3986 forbids
    /// both (3.3, 4.2), but its algorithm can make them, from `/.//a` and from `./a:b`.
    fileprivate mutating func guardPath(from start: Int, hasScheme: Bool) {
        if count &- start >= 2, self[start] == ASCII.slash, self[start &+ 1] == ASCII.slash {
            insert(ASCII.slash, ASCII.period, at: start)
        } else if !hasScheme {
            var index = start
            while index < count, self[index] != ASCII.slash, self[index] != ASCII.colon { index &+= 1 }
            if index < count, self[index] == ASCII.colon { insert(ASCII.period, ASCII.slash, at: start) }
        }
    }

    private mutating func insert(_ first: UInt8, _ second: UInt8, at start: Int) {
        append(0)
        append(0)
        var index = count &- 1
        while index > start &+ 1 {
            self[index] = self[index &- 2]
            index &-= 1
        }
        self[start] = first
        self[start &+ 1] = second
    }
}
