internal import ByteScan
internal import CByteScan

/// The plain URIs of one playlist: finds them, and writes what a mapping makes of them.
struct PlainURIs: ~Copyable {
    /// A ``URIPlan/Beginning`` that costs no reference to be read.
    private struct Beginning: BitwiseCopyable {
        let bytes: ByteView
        let replaced: Int
        let replacesAuthority: Bool
        let isKnown: Bool
    }

    /// What is appended to a query.
    private struct Query: BitwiseCopyable {
        let first: ByteView
        let further: ByteView
    }

    private(set) var finder: URIFinder
    /// Four for each role, by the raw values of both.
    private var beginnings = ReusableBuffer<Beginning>()
    private var queries = ReusableBuffer<Query>()
    /// What these point into.
    private let plans: [URIPlan]

    init(_ mapping: URIMapping) {
        finder = URIFinder(
            oddities: URIOddities(
                dots: mapping.resolves, at: URIRole.allCases.contains { mapping.edits(of: $0)?.replacesHost ?? false }))
        plans = URIRole.allCases.map { URIPlan(mapping, $0) }
        for plan in plans {
            queries.append(Query(first: plan.query.view, further: plan.furtherQuery.view))
            for beginning in plan.beginnings {
                beginnings.append(
                    Beginning(
                        bytes: beginning?.bytes.view ?? ByteView(), replaced: beginning?.replaced ?? 0,
                        replacesAuthority: beginning != nil && beginning?.replaced == nil, isKnown: beginning != nil))
            }
        }
    }

    /// Finds the next URIs and lines of tags, as ``URIFinder`` does.
    @inline(__always)
    mutating func find(in view: ByteView, from offset: Int, hashes: UInt64, most: Int) -> Int {
        finder.find(in: view, from: offset, hashes: hashes, most: most)
    }

    /// Whether what becomes of `uri` is known.
    @inline(__always)
    func knows(_ uri: FoundURI, _ role: URIRole) -> Bool { !uri.isOdd && beginning(uri, role).isKnown }

    @inline(__always)
    private func beginning(_ uri: FoundURI, _ role: URIRole) -> Beginning {
        beginnings[4 &* Int(role.rawValue) &+ Int(uri.form.rawValue) &- 1]
    }

    /// Hands out what becomes of `uri`, which is known, and tells whether it is another.
    @inline(__always)
    func write(
        _ uri: FoundURI, _ role: URIRole, _ cursor: inout OutputCursor, _ sink: PlaylistRewriter.Sink
    ) -> Bool {
        var isAnother = false
        let beginning = beginning(uri, role)
        let end = beginning.replacesAuthority ? uri.path : uri.start &+ beginning.replaced
        if !beginning.bytes.isEmpty, unsafe cursor.view.uncheckedSlice(uri.start, end) != beginning.bytes {
            cursor.replace(uri.start..<end, with: beginning.bytes, sink)
            isAnother = true
        }
        let query = queries[Int(role.rawValue)]
        if !query.first.isEmpty {
            cursor.forward(upTo: uri.end, sink)
            let last = cursor.view[uri.end &- 1]
            let ends = last == ASCII.ampersand || (last == ASCII.questionMark && isMark(uri, cursor.view))
            cursor.insert(uri.hasQuery ? (ends ? query.first.suffix(from: 1) : query.further) : query.first, sink)
            isAnother = true
        }
        return isAnother
    }

    /// Whether the last byte of `uri`, a question mark, is the one before its query.
    private func isMark(_ uri: FoundURI, _ view: ByteView) -> Bool {
        view[uri.start..<uri.end].firstOffset(of: ASCII.questionMark) == uri.end &- uri.start &- 1
    }
}
