internal import ByteScan

/// Maps the URIs of one playlist as its lines pass by: for the handler of a ``PlaylistRewriter``.
///
///     let edits = try PlaylistEdits([], observing: URIMapping.tags, selectsURIs: true)
///     var mapper = URIMapper(mapping)
///     try rewriter.write(chunk, deciding: { line, edits in mapper.map(line, &edits) }) { slice in … }
///
/// White space around a URI line stays, and an attribute value keeps its quotes. Of duplicate attributes the first is mapped,
/// because it is the one that counts.
public struct URIMapper: ~Copyable {
    private let mapping: URIMapping
    private var scratch = ReusableBuffer<UInt8>()
    private var output = ReusableBuffer<UInt8>()

    /// Whether the next URI line is that of a variant.
    private var followsVariant = false

    /// A mapper for one playlist. Reset it to use it for another.
    public init(_ mapping: URIMapping) { self.mapping = mapping }

    /// Makes the mapper as new; the memory it has is kept.
    public mutating func reset() { followsVariant = false }

    /// Decides what becomes of the URIs on `line`.
    public mutating func map(_ line: SelectedLine, _ edits: inout LineEdits) {
        switch line.kind {
        case .uri: mapLine(line, &edits)
        case .tag(.streamInf): followsVariant = true
        case .tag(let tag): mapAttributes(of: line, tag, &edits)
        case .otherTag: return
        }
    }

    private mutating func mapLine(_ line: SelectedLine, _ edits: inout LineEdits) {
        guard let uri = line.uriRange else { return }
        let role = followsVariant ? URIRole.variant : .media
        followsVariant = false
        output.removeAll()
        output.append(line.bytes.prefix(upTo: uri.lowerBound))
        guard mapping.write(line.bytes[uri], role, through: &scratch, into: &output) else { return }
        edits.replaceLine(with: output.view, before: line.bytes.suffix(from: uri.upperBound))
    }

    private mutating func mapAttributes(of line: SelectedLine, _ tag: TagName, _ edits: inout LineEdits) {
        guard var role = URIRole(tag) else { return }
        if tag == .preloadHint, isMapHint(line) { role = .map }
        map(URIRole.attribute(of: tag), of: line, role, &edits)
        if tag == .dateRange { map("X-ASSET-LIST", of: line, role, &edits) }
    }

    private mutating func map(
        _ name: StaticString, of line: SelectedLine, _ role: URIRole, _ edits: inout LineEdits
    ) {
        var attributes = line.attributes
        guard let attribute = attributes.first(named: ByteView(name)) else { return }
        output.removeAll()
        output.append(ASCII.quote)
        let uri = line.bytes[attribute.content(in: line.bytes)]
        guard mapping.write(uri, role, through: &scratch, into: &output) else { return }
        output.append(ASCII.quote)
        unsafe edits.replace(ByteView(name).buffer, with: output.view.buffer)
    }

    private func isMapHint(_ line: SelectedLine) -> Bool {
        var attributes = line.attributes
        guard let type = attributes.first(named: ByteView("TYPE")) else { return false }
        return line.bytes[type.content(in: line.bytes)] == "MAP"
    }
}
