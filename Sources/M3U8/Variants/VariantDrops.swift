/// Drops the URI line of every variant whose EXT-X-STREAM-INF line is dropped: for the handler of a
/// ``PlaylistRewriter``.
///
/// A ``PlaylistEdit/drop(_:)`` leaves out lines of the tag alone; a URI line without its tag would be a segment.
///
///     let edits = try PlaylistEdits([.drop(TagSelector(.streamInf))], observing: VariantDrops.tags, selectsURIs: true)
///     var drops = VariantDrops()
///     var rewriter = PlaylistRewriter(edits)
///     try unsafe rewriter.write(chunk, deciding: { line, edits in drops.follow(line, &edits) }, sink)
package struct VariantDrops: Sendable {
    /// Whether the variant last seen was dropped, and its URI line has not come yet.
    var dropsURI = false

    /// One for one playlist. Reset it to use it for another.
    package init() {}

    /// Makes it as new.
    package mutating func reset() { dropsURI = false }

    /// The tag that it must see. It must see URI lines too, which ``PlaylistEdits`` selects apart from tags.
    package static var tags: [TagSelector] { [TagSelector(.streamInf)] }

    /// Drops `line` if it is the URI of a dropped variant. What drops variants must have decided about the line before.
    package mutating func follow(_ line: SelectedLine, _ edits: inout LineEdits) {
        if line.kind == .tag(.streamInf) {
            dropsURI = edits.isDropped
        } else if dropsURI, line.uriRange != nil {
            dropsURI = false
            edits.drop()
        }
    }
}
