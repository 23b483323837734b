internal import ByteScan
internal import M3U8

/// What a pipeline decides line by line: which variants stay, and what becomes of URIs.
///
/// An object, so that a rewriter can be given a closure over it while the pipeline that has both is being changed. The
/// pipeline alone keeps it, so accesses need no check that they are exclusive.
final class LineDecisions {
    @exclusivity(unchecked) private var filter: VariantFilter?
    @exclusivity(unchecked) private var drops = VariantDrops()
    @exclusivity(unchecked) private var mapper: URIMapper?

    /// Whether URIs are mapped and nothing else is decided, so that the rewriter can map them at once.
    let onlyMaps: Bool

    /// Whether variants are filtered and nothing else is decided, so that the rewriter can filter them at once.
    let onlyFilters: Bool

    init(_ recipe: PlaylistRecipe, _ limits: URIMapper.Limits) {
        onlyMaps = recipe.mapping != nil && recipe.condition == nil && !(recipe.edits?.dropsVariants ?? false)
        onlyFilters = recipe.condition != nil && recipe.mapping == nil && !(recipe.edits?.dropsVariants ?? false)
        unsafe filter = recipe.condition.map { VariantFilter($0) }
        unsafe mapper = recipe.mapping.map { URIMapper($0, limits: limits) }
    }

    /// What drops lines comes before what maps URIs: nothing is mapped on a line that goes.
    func decide(_ line: SelectedLine, _ edits: inout LineEdits, after handler: PlaylistRewriter.Handler) {
        handler(line, &edits)
        unsafe filter?.filter(line, &edits)
        unsafe drops.follow(line, &edits)
        unsafe mapper?.map(line, &edits)
    }

    /// Whether ``decideAtOnce(_:by:into:)`` may take the place of ``decide(_:_:after:)`` if there is no handler.
    var areMadeAtOnce: Bool { !CodeSize.isScarce && (onlyMaps || onlyFilters) }

    /// Lets `rewriter` write a chunk, and map its URIs or filter its variants without showing them.
    func decideAtOnce(
        _ chunk: UnsafeRawBufferPointer, by rewriter: inout PlaylistRewriter, into output: inout OutputPieces
    ) throws(LimitError) {
        if onlyFilters {
            try unsafe filter.use { (filter) throws(LimitError) in
                try unsafe rewriter.write(chunk, filtering: &filter, into: &output)
            }
        }
        try unsafe mapper.use { (mapper) throws(LimitError) in
            try unsafe rewriter.write(chunk, mapping: &mapper, into: &output)
        }
    }

    func reset() {
        unsafe filter?.reset()
        unsafe drops.reset()
        unsafe mapper?.reset()
    }

    /// Adds what there is to say of the lines so far.
    func add(to report: inout PlaylistReport) {
        if let filter = unsafe filter {
            report.note(uneditable: filter.unreadableLines, first: filter.firstUnreadableLine)
            report.keptVariants = filter.keptVariants
            report.droppedVariants = filter.droppedVariants
        }
        report.mappedURIs = unsafe mapper?.mappedURIs ?? 0
        report.unresolvedURIs = unsafe mapper?.unresolvedURIs ?? 0
        report.firstUnresolvedURI = unsafe mapper?.firstUnresolvedURI
    }
}
