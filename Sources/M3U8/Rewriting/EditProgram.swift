internal import ByteScan
internal import CByteScan

/// What a rewriter runs: edits as ``EditCompiler`` compiled them. Immutable, and shared by every rewriter and thread.
package final class EditProgram: Sendable {
    /// The tags that are told apart, and for each selected one what is done with its lines.
    let tags: TagTable
    let plans: [EditPlan]

    /// The attribute operations of all plans.
    let operations: [AttributeOperation]

    let selectsURIs: Bool

    /// Whether any plan leaves lines out.
    let leavesOut: Bool

    let appendedLines: [StableBytes]

    /// What is done with a document, for each ``DocumentKind``.
    let modes: [DocumentMode]

    /// For each ``DocumentKind`` the hashes of the tags that must be looked at besides URIs; nothing if URIs are not
    /// selected, or not in playlists of every kind.
    let tagHashes: [UInt64]

    /// For each selected tag, what a rewriter that maps URIs at once does with its lines.
    let mappedTags: [MappedTag]

    /// The operations of all plans as they are made at once, nil for one that is not; and whether any plan is.
    let editsAtOnce: [EditAtOnce?]
    let editsAnyAtOnce: Bool

    /// For each selected tag, what a rewriter that filters variants at once does with its lines, and which lines it
    /// looks for in a multivariant playlist; nil if it cannot.
    let filteredTags: [FilteredTag]
    let variantLines: LineFilter?

    /// Two bytes of the name of the attribute that most lines lack: without them a line certainly lacks it.
    let prefilter: BytePair

    /// That name, for a search in a line; nil if there is none.
    let absentAttribute: AttributeName?

    /// What lines get appended that lack it, unless whoever makes a rewriter, or a handler, says something else.
    let appended: AppendedAttribute

    /// How much lines can grow.
    let growth: LineGrowth

    /// What finds lines, as it is when a playlist begins, whatever the limits: rewriters get copies of it.
    let finder: LineFinder

    /// What `tags`, `operations` and `appended` point into.
    private let storage: [StableBytes]

    init(_ compiler: EditCompiler) {
        let tags = TagTable(selected: compiler.prefixes.map { $0.view })
        let editsAtOnce = compiler.operations.map { EditAtOnce($0) }
        let plans = compiler.plans.map { $0.madeAtOnce(ifPossible: editsAtOnce) }
        self.tags = tags
        self.plans = plans
        operations = compiler.operations
        self.editsAtOnce = editsAtOnce
        editsAnyAtOnce = plans.contains { $0.isMadeAtOnce }
        storage = compiler.prefixes + compiler.storage
        appended = AppendedAttribute(
            compiler.appended?.bytes.view ?? ByteView(), nameLength: compiler.appended?.nameLength ?? 0)
        growth = LineGrowth(of: compiler)
        selectsURIs = compiler.selectsURIs
        leavesOut = plans.contains { $0.isLeftOut }
        appendedLines = compiler.appendedLines.map { StableBytes($0) }
        prefilter = compiler.absentAttribute.flatMap { Needle($0)?.pair } ?? .none
        absentAttribute = compiler.absentAttribute?.withView { AttributeName($0) }
        let appending = plans.indices.first {
            plans[$0].appends && tags.tags[$0].prefix.count < LinePrefix.capacity
        }
        let appendingScope = appending.map { tags.tags[$0].scope } ?? .any
        let simpleLineKind = appendingScope == .any ? nil : DocumentKind.undecided.after(appendingScope)
        let skips = !compiler.skipped.isEmpty
        let modes = DocumentKind.allCases.map { kind in
            DocumentMode(
                kind, { DocumentMode.Editing(of: $0, compiler.scope, readsMixed: compiler.readsMixed) },
                filter: LineFilter(in: tags, with: kind, selectsURIs: compiler.selectsURIs, skips: skips),
                simpleLineKind: simpleLineKind)
        }
        self.modes = modes
        mappedTags = zip(plans, tags.tags).map { MappedTag($0, $1) }
        filteredTags = zip(plans, tags.tags).map { FilteredTag($0, $1) }
        variantLines =
            !compiler.selectsURIs || compiler.scope != .any || tags.hasIrregular
            ? nil : LineFilter(in: tags, with: .multivariant, selectsURIs: false, skips: skips)
        tagHashes =
            !compiler.selectsURIs || compiler.scope != .any || tags.hasIrregular
            ? []
            : DocumentKind.allCases.map { LineFilter(in: tags, with: $0, selectsURIs: false, skips: skips).hashes }
        // Simple lines only get the attribute appended.
        var finder = LineFinder()
        finder.setSimpleLines(
            appending.map { LinePrefix(tags.tags[$0].prefix.bytes + [ASCII.colon]) } ?? .none, lacking: prefilter,
            longest: .max)
        finder.setSkippedLines(
            (compiler.skipped.first ?? .none, compiler.skipped.last ?? .none),
            leaving: modes[DocumentKind.multivariant.rawValue].filter)
        finder.setFilter(modes[DocumentKind.undecided.rawValue].filter)
        self.finder = finder
    }
}

/// What is done with the lines of a tag where URIs are mapped at once.
enum MappedTag: Sendable {
    /// They go the long way.
    case shown
    /// They have a URI of that role in the attribute `URI`, and nothing else is to be done.
    case uri(URIRole)
    /// They say that the next URI is that of a variant, and nothing else is to be done.
    case variant

    init(_ plan: EditPlan, _ tag: KnownTag) {
        switch plan.isEmpty ? tag.name?.value : nil {
        // What a hint refers to hangs on the rest of its line.
        case .listWithURI(let role, let name) where ByteView(name) == "URI" && tag.name != .preloadHint:
            self = .uri(role)
        case .list where tag.name == .streamInf: self = .variant
        default: self = .shown
        }
    }
}

extension LineGrowth {
    /// How much lines grow by the operations of `compiler`, and by what is appended to them.
    fileprivate init(of compiler: EditCompiler) {
        for (plan, prefix) in zip(compiler.plans, compiler.prefixes) where !plan.isDropped {
            // What is appended is one of the operations, if there are any.
            var gain = 0
            for operation in compiler.operations[plan.operations] where operation.kind != .remove {
                guard case .stable(let bytes) = operation.storage else { continue }
                gain += bytes.count
            }
            // A line is edited that has a colon after its name.
            note(shortest: prefix.view.count + 2, gain: gain)
        }
    }
}

/// What is done with the lines of a tag where variants are filtered at once.
enum FilteredTag: Sendable {
    /// They go the long way.
    case shown
    /// They are those of variants, and nothing else is done with them.
    case stream
    /// They are those of playlists that are no variants by themselves, and nothing else is done with them.
    case otherStream

    init(_ plan: EditPlan, _ tag: KnownTag) {
        self =
            switch plan.isEmpty ? tag.name : nil {
            case .streamInf: .stream
            case .iFrameStreamInf, .imageStreamInf: .otherStream
            default: .shown
            }
    }
}
