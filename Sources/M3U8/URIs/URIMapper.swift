internal import ByteScan

/// Maps the URIs of one playlist as its lines pass by: for the handler of a ``PlaylistRewriter``.
///
///     let edits = try PlaylistEdits([], observing: URIMapping.tags, selectsURIs: true)
///     var mapper = URIMapper(mapping)
///     var rewriter = PlaylistRewriter(edits)
///     try unsafe rewriter.write(chunk, deciding: { line, edits in mapper.map(line, &edits) }, sink)
///
/// White space around a URI line stays, and an attribute value keeps its quotes. Of duplicate attributes the first is
/// mapped, because it is the one that counts. What has been decided about a line or an attribute before stays: an edit
/// of the ``PlaylistEdits`` wins over the mapping, whatever the line.
///
/// Variables that EXT-X-DEFINE has given a value by then are put into a URI before it is mapped (8216bis 4.3). One
/// without, because it is imported or comes with the request, stays in the URI, and the player puts its value in:
///
///     v.m3u8?token={$token}     https://example.com/v.m3u8?token={$token}
///     {$base}/v.m3u8            left alone, and counted: it may be a whole URI
///
/// A URI is left alone and counted, too, if an edit would have to know the variable's value.
public struct URIMapper: ~Copyable {
    let mapping: URIMapping
    private let limits: Limits
    private var variables = PlaylistVariables()
    private var scratch = ReusableBuffer<UInt8>()
    private var output = ReusableBuffer<UInt8>()
    /// The URI at hand with the values of its variables.
    private var substituted = ReusableBuffer<UInt8>()
    var document = Document()

    /// What finds and writes plain URIs, once there has been a chunk to be mapped at once.
    var plain: PlainURIs?

    /// All that ``reset()`` forgets besides the variables.
    struct Document {
        /// Whether the next URI line is that of a variant.
        var followsVariant = false
        var mappedCount = 0
        var unresolved = LineTally()
    }

    /// A mapper for one playlist. Reset it to use it for another.
    public init(_ mapping: URIMapping, limits: Limits = Limits()) {
        self.mapping = mapping
        self.limits = limits
    }

    /// Makes the mapper as new; the memory it has is kept.
    public mutating func reset() {
        document = Document()
        variables.removeAll()
    }

    /// How many URIs have become others.
    public var mappedURIs: Int { document.mappedCount }

    /// How many URIs were left alone because they begin with a variable without a value, or an edit would need it.
    public var unresolvedURIs: Int { document.unresolved.count }

    /// The stream position, in bytes, of the first line with such a URI.
    public var firstUnresolvedURI: Int? { document.unresolved.first }

    /// Decides what becomes of the URIs on `line`.
    public mutating func map(_ line: SelectedLine, _ edits: inout LineEdits) {
        switch line.kind {
        case .uri: mapLine(line, &edits)
        case .tag(.streamInf): expectVariant()
        case .tag(.define): noteVariable(line, &edits)
        case .tag(let tag): mapTag(line, tag, &edits)
        case .otherTag: return
        }
    }

    private mutating func mapLine(_ line: SelectedLine, _ edits: inout LineEdits) {
        guard let uri = line.uriRange else { return }
        let role = document.followsVariant ? URIRole.variant : .media
        document.followsVariant = false
        replace(uri, of: line, role, &edits)
    }

    /// Maps a tag's value that is a URI as a whole.
    private mutating func mapValue(of line: SelectedLine, _ role: URIRole, _ edits: inout LineEdits) {
        let start = line.valueStart
        let end = WhiteSpace.contentEnd(of: line.bytes, from: start, to: line.bytes.count)
        replace(line.bytes.trimmedRange(start..<end, ASCII.isBlank), of: line, role, &edits)
    }

    /// Puts the mapped URI in the place of the one at `range`, unless something has been decided about the line.
    private mutating func replace(
        _ range: Range<Int>, of line: SelectedLine, _ role: URIRole, _ edits: inout LineEdits
    ) {
        guard edits.isUndecided else { return }
        output.removeAll()
        output.append(line.bytes.prefix(upTo: range.lowerBound))
        guard write(line.bytes[range], role, at: line.position, &edits) else { return }
        if edits.replaceLine(with: output.view, before: line.bytes.suffix(from: range.upperBound)) {
            document.mappedCount += 1
        }
    }

    private mutating func mapTag(_ line: SelectedLine, _ tag: TagName, _ edits: inout LineEdits) {
        switch tag.value {
        case .text, .list: return
        case .uri(let role): mapValue(of: line, role, &edits)
        case .listWithURI(let role, let name):
            map(name, of: line, tag == .preloadHint && isMapHint(line) ? .map : role, &edits)
            if tag == .dateRange { map("X-ASSET-LIST", of: line, role, &edits) }
        }
    }

    private mutating func map(
        _ name: StaticString, of line: SelectedLine, _ role: URIRole, _ edits: inout LineEdits
    ) {
        var attributes = line.attributes
        guard !edits.decides(ByteView(name)), let attribute = attributes.first(named: ByteView(name)) else { return }
        output.removeAll()
        output.append(ASCII.quote)
        guard write(line.bytes[attribute.content(in: line.bytes)], role, at: line.position, &edits) else { return }
        output.append(ASCII.quote)
        if edits.replace(ByteView(name), at: attribute.value, with: output.view) { document.mappedCount += 1 }
    }

    /// Appends the mapped `uri` to the output and returns true; returns false if it stays as it is.
    private mutating func write(
        _ uri: ByteView, _ role: URIRole, at position: Int, _ edits: inout LineEdits
    ) -> Bool {
        let reference = URIReference(uri)
        guard !uri.isEmpty, mapping.concerns(reference, role) else { return false }
        guard reference.holdsVariable else { return mapping.write(reference, role, through: &scratch, into: &output) }
        substituted.removeAll()
        guard variables.substitute(uri, into: &substituted, upTo: limits.longestURI) else {
            edits.stop(LimitError(.longestURI, bytes: limits.longestURI, position: position))
            return false
        }
        let target = URIReference(substituted.view)
        guard !substituted.isEmpty, mapping.concerns(target, role) else { return false }
        if let variable = target.firstVariable, !mapping.allow(variableAt: variable, in: target, role) {
            document.unresolved.note(at: position)
            return false
        }
        if mapping.write(target, role, through: &scratch, into: &output) { return true }
        // A URI that is to be resolved has no variables of known value any more; what no edit applies to keeps them.
        guard mapping.hasBase, substituted.view != uri else { return false }
        output.append(substituted.view)
        return true
    }

    /// Notes a variable. One that the caller gives another name or value has none that could be told.
    private mutating func noteVariable(_ line: SelectedLine, _ edits: inout LineEdits) {
        if edits.decides(ByteView("NAME")) || edits.decides(ByteView("VALUE")) { return }
        let limit = limits.heldVariables
        guard let name = variables.definition(in: line, through: &substituted, upTo: limit) else { return }
        if variables.cost + name.count + substituted.count + PlaylistVariables.entryCost > limit {
            edits.stop(LimitError(.heldVariables, bytes: limit, position: line.position))
        } else {
            variables.add(name, substituted.view)
        }
    }

    private func isMapHint(_ line: SelectedLine) -> Bool {
        var attributes = line.attributes
        guard let type = attributes.first(named: ByteView("TYPE")) else { return false }
        return line.bytes[type.content(in: line.bytes)] == "MAP"
    }
}
