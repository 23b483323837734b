internal import ByteScan
internal import CByteScan

/// The plain URIs of one playlist: finds them, and writes what a mapping makes of them.
struct PlainURIs: ~Copyable {
    /// What is known of what becomes of URIs that begin alike and have one role.
    enum Effect: BitwiseCopyable {
        /// Nothing yet: none has been met.
        case unasked
        /// Nothing: they go the long way.
        case unknown
        /// They stay as they are.
        case none
        /// Something else is written in their place.
        case change
    }

    /// A ``URIPlan/Beginning`` that costs no reference to be read.
    private struct Beginning: BitwiseCopyable {
        var bytes = ByteView()
        var replaced = 0
        var replacesAuthority = false
        var effect: Effect
    }

    /// What is appended to a query.
    private struct Query: BitwiseCopyable {
        var first = ByteView()
        var further = ByteView()
    }

    private let mapping: URIMapping
    private(set) var finder: URIFinder
    /// Eight for each role, by the raw values of role and form.
    private var beginnings = ReusableBuffer<Beginning>()
    private var queries = ReusableBuffer<Query>()
    /// Where queries lie; nil for a role that has not been met.
    private var plans: [URIPlan?]
    /// Where beginnings lie.
    private var kept: [StableBytes] = []

    init(_ mapping: URIMapping) {
        self.mapping = mapping
        finder = URIFinder(oddities: URIOddities(dots: mapping.resolves, at: mapping.replacesHosts))
        plans = Array(repeating: nil, count: URIRole.allCases.count)
        for _ in plans {
            queries.append(Query())
            for form in 0..<8 { beginnings.append(Beginning(effect: form == 0 ? .unknown : .unasked)) }
        }
    }

    /// Finds the next URIs and lines of tags, as ``URIFinder`` does: in whole blocks, or in the last bytes of the view.
    @inline(__always)
    mutating func find(
        in view: ByteView, from offset: Int, hashes: UInt64, most: Int, unfinished: inout Int
    ) -> Int {
        LineFinder.hasBlock(view, at: offset)
            ? finder.find(in: view, from: offset, hashes: hashes, most: most)
            : finder.findLast(in: view, from: offset, hashes: hashes, most: most, unfinished: &unfinished)
    }

    /// Judges the URI of `line`, which is whole and ends before a line feed.
    mutating func judge(_ line: ByteView) -> FoundURI { finder.judge(line) }

    /// What is known of what becomes of `uri`.
    @inline(__always)
    mutating func effect(on uri: FoundURI, _ role: URIRole) -> Effect {
        let effect = beginnings[index(uri, role)].effect
        return effect != .unasked ? effect : ask(of: uri, role)
    }

    /// Finds out what becomes of URIs such as `uri`, the first of its form and role.
    @inline(never)
    private mutating func ask(of uri: FoundURI, _ role: URIRole) -> Effect {
        let number = Int(role.rawValue)
        let plan = plans[number] ?? URIPlan(mapping, role)
        if plans[number] == nil {
            plans[number] = plan
            queries[number] = Query(first: plan.query.view, further: plan.furtherQuery.view)
        }
        var made = Beginning(effect: .unknown)
        if let beginning = plan.beginning(of: uri.form) {
            kept.append(beginning.bytes)
            let isChange = !beginning.bytes.view.isEmpty || !plan.query.view.isEmpty
            made = Beginning(
                bytes: beginning.bytes.view, replaced: beginning.replaced ?? 0,
                replacesAuthority: beginning.replaced == nil, effect: isChange ? .change : .none)
        }
        beginnings[index(uri, role)] = made
        return made.effect
    }

    @inline(__always)
    private func index(_ uri: FoundURI, _ role: URIRole) -> Int { 8 &* Int(role.rawValue) &+ Int(uri.form.rawValue) }

    /// Hands out what becomes of `uri`, which is to be changed, and tells whether it is another.
    @inline(__always)
    func write(
        _ uri: FoundURI, _ role: URIRole, _ cursor: inout OutputCursor, _ sink: PlaylistRewriter.Sink
    ) -> Bool {
        var isAnother = false
        let beginning = beginnings[index(uri, role)]
        let end = beginning.replacesAuthority ? uri.path : uri.start &+ beginning.replaced
        let replaced = unsafe cursor.view.uncheckedSlice(uri.start, end)
        if !beginning.bytes.isEmpty, beginning.bytes.count != replaced.count || beginning.bytes != replaced {
            cursor.replace(uri.start..<end, with: beginning.bytes, sink)
            isAnother = true
        }
        let query = queries[Int(role.rawValue)]
        if !query.first.isEmpty {
            cursor.forward(upTo: uri.end, sink)
            cursor.insert(uri.hasQuery ? further(query, uri, cursor.view) : query.first, sink)
            isAnother = true
        }
        return isAnother
    }

    /// Hands out what becomes of the URIs of media lines found at `range`, as long as they begin in `form` and nothing
    /// is to be asked about one by itself. Tells before which it has stopped, and how many have become others.
    ///
    /// The frequent loop: it works on values of its own, so that they stay in registers.
    @inline(never)
    func writeAlike(
        _ form: URIForm, _ range: Range<Int>, longest: Int, _ cursor: inout OutputCursor,
        _ sink: PlaylistRewriter.Sink
    ) -> (end: Int, changed: Int) {
        let role = Int(URIRole.media.rawValue)
        let beginning = beginnings[8 &* role &+ Int(form.rawValue)]
        let (bytes, query) = (beginning.bytes, queries[role].first)
        var index = range.lowerBound
        guard beginning.effect == .change || beginning.effect == .none, !beginning.replacesAuthority,
            bytes.count != beginning.replaced || bytes.isEmpty
        else { return (index, 0) }
        var output = OutputCursor(chunk: cursor.view)
        output.skip(to: cursor.start)
        while index < range.upperBound {
            let uri = finder[index]
            guard uri.form == form, uri.end &- uri.start < longest, query.isEmpty || !uri.hasQuery else { break }
            if !bytes.isEmpty { output.replace(uri.start..<(uri.start &+ beginning.replaced), with: bytes, sink) }
            if !query.isEmpty {
                output.forward(upTo: uri.end, sink)
                output.insert(query, sink)
            }
            index &+= 1
        }
        cursor.skip(to: output.start)
        return (index, beginning.effect == .change ? index &- range.lowerBound : 0)
    }

    /// What is appended to the query that `uri` has: without `&` if it is empty or ends with one.
    private func further(_ query: Query, _ uri: FoundURI, _ view: ByteView) -> ByteView {
        let isEmpty = view[uri.start..<uri.end].firstOffset(of: ASCII.questionMark) == uri.end &- uri.start &- 1
        return isEmpty || view[uri.end &- 1] == ASCII.ampersand ? query.first.suffix(from: 1) : query.further
    }
}
