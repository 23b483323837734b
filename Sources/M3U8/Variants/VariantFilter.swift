internal import ByteScan

/// Drops the variants of one playlist that do not meet a condition: for a ``PlaylistRewriter`` that has nothing else
/// to decide, or for its handler.
///
///     let edits = try PlaylistEdits([], observing: VariantFilter.tags, selectsURIs: true)
///     var filter = VariantFilter(try VariantExpression(Array("RESOLUTION<=720".utf8)))
///     var rewriter = PlaylistRewriter(edits)
///     try unsafe rewriter.write(chunk, filtering: &filter, sink)
///     rewriter.finish(deciding: { line, edits in filter.filter(line, &edits) }, sink)
///
/// EXT-X-STREAM-INF is dropped together with its URI line, EXT-X-I-FRAME-STREAM-INF and EXT-X-IMAGE-STREAM-INF alone. A
/// line with an open quote stays, because its attributes cannot be told apart. Renditions stay, even those that no
/// variant names any more.
public struct VariantFilter: Sendable {
    let expression: VariantExpression

    private var drops = VariantDrops()

    /// How many EXT-X-STREAM-INF lines were kept.
    public private(set) var keptVariants = 0

    /// How many EXT-X-STREAM-INF lines were dropped.
    public private(set) var droppedVariants = 0

    /// How many lines stayed because of an open quote, or because they have no attributes.
    public private(set) var unreadableLines = 0

    /// The stream position, in bytes, of the first such line.
    public private(set) var firstUnreadableLine: Int?

    /// A filter for one playlist. Reset it to use it for another.
    public init(_ expression: VariantExpression) { self.expression = expression }

    /// Makes the filter as new.
    public mutating func reset() { self = VariantFilter(expression) }

    /// The tags that the filter must see. It must see URI lines too, which ``PlaylistEdits`` selects apart from tags.
    public static var tags: [TagSelector] {
        [TagSelector(.streamInf), TagSelector(.iFrameStreamInf), TagSelector(.imageStreamInf)]
    }

    /// Decides whether `line` stays. A line that does not is dropped, whatever else was decided about it.
    public mutating func filter(_ line: SelectedLine, _ edits: inout LineEdits) {
        switch line.kind {
        case .tag(.streamInf):
            if keeps(line, &edits) {
                keptVariants += 1
            } else {
                droppedVariants += 1
                edits.drop()
            }
        case .tag(.iFrameStreamInf), .tag(.imageStreamInf):
            if !keeps(line, &edits) { edits.drop() }
        default: break
        }
        drops.follow(line, &edits)
    }

    /// Whether a dropped variant's URI has not come yet.
    var awaitsURI: Bool { drops.dropsURI }

    /// Notes that a line has been judged.
    mutating func note(isKept: Bool, isStream: Bool) {
        guard isStream else { return }
        if isKept { keptVariants += 1 } else { droppedVariants += 1 }
        drops.dropsURI = !isKept
    }

    /// Notes that the URI of the dropped variant has been dropped.
    mutating func noteDroppedURI() { drops.dropsURI = false }

    private mutating func keeps(_ line: SelectedLine, _ edits: inout LineEdits) -> Bool {
        if line.isEditable { return expression.holds(for: line) }
        unreadableLines += 1
        edits.isCountedByFilter = true
        if firstUnreadableLine == nil { firstUnreadableLine = line.position }
        return true
    }
}
