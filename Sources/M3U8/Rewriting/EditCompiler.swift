internal import ByteScan
internal import CByteScan

/// Compiles what is to be done with a playlist into what a rewriter runs.
///
///     var compiler = EditCompiler(scope: .multivariant, absentAttribute: Array("SUBTITLES".utf8))
///     compiler.append(to: .streamInf)
///     compiler.observe(.media, ifValueStartsWith: ("TYPE=", "SUB"))
///     compiler.skip(linesStartingWith: "#EXT-X-MEDIA:TYPE=AUDIO,")
///     let program = compiler.program()
///
/// One attribute is expected to be absent from most lines. The finder sees so while it looks for a line's end, and such
/// lines need no closer look: they get the appended attribute, or nothing is done with them.
///
/// To add a word: a property of ``EditPlan`` and a method here that sets it; then its place in
/// `PlaylistRewriter+Edit.swift`, or in ``DocumentMode`` if it concerns which lines are found.
package struct EditCompiler {
    let scope: PlaylistEdits.Scope
    let absentAttribute: [UInt8]?

    /// Whether the handler goes on seeing selected tags once a playlist has turned out to be mixed, and nothing is
    /// edited.
    package var readsMixed = false

    /// Whether lines of EXT-X-I-FRAME-STREAM-INF are skipped, unless something is done with them.
    package var skipsIFrames = false

    var selectsURIs = false
    var appendedLines: [[UInt8]] = []

    private(set) var plans: [EditPlan] = []
    /// `#` and the name of each plan's tag.
    private(set) var prefixes: [StableBytes] = []
    private(set) var operations: [AttributeOperation] = []
    private(set) var skipped: [LinePrefix] = []
    private(set) var appended: (bytes: StableBytes, nameLength: Int)?
    /// What operations point into.
    private(set) var storage: [StableBytes] = []

    /// A compiler of edits for playlists of `scope`, most lines of which lack `absentAttribute`.
    package init(scope: PlaylistEdits.Scope, absentAttribute: [UInt8]? = nil) {
        self.scope = scope
        self.absentAttribute = absentAttribute
    }

    /// Lets lines of `tag` that lack the attribute get the rewriter's appended one. One tag at most can have this.
    package mutating func append(to tag: TagName) { self[TagSelector(tag)].appends = true }

    /// Shows lines of `tag` to the handler.
    package mutating func observe(_ tag: TagName) { self[TagSelector(tag)].observation = .always }

    /// Shows lines of `tag` to the handler that may contain the attribute.
    package mutating func observeIfAttributeMayBeThere(_ tag: TagName) {
        self[TagSelector(tag)].observation = .ifAttributeMayBeThere
    }

    /// Shows lines of `tag` to the handler that may contain the attribute, unless their value begins with the attribute
    /// `start.name` and a letter, and does not go on with `start.value`. Both have at most eight bytes together; `=`
    /// counts for the name.
    package mutating func observe(_ tag: TagName, ifValueStartsWith start: (name: StaticString, value: StaticString)) {
        observeIfAttributeMayBeThere(tag)
        self[TagSelector(tag)].valuePrefix = ValuePrefix(name: start.name, value: start.value)
    }

    /// Leaves out the lines that `edits` drop: of playlists of any kind, and past a limit of whatever else is done.
    ///
    /// They say nothing of the playlist's kind, and positions are those of the playlist without them. So the output and
    /// what there is to say of it are as if another rewriter had dropped them before.
    ///
    /// - Returns: False if `edits` do anything else, or are for a tag with whose lines something is done already. The
    ///   compiler is of no use then.
    package mutating func leaveOut(_ edits: [PlaylistEdit]) -> Bool {
        for edit in edits {
            guard case .drop(let tag) = edit, self[tag].doesNothing else { return false }
            self[tag].isLeftOut = true
        }
        return true
    }

    /// Skips lines that start with `prefix`, without a look at the rest, once a playlist is known to be a multivariant
    /// one.
    ///
    /// The prefix holds a whole name of a tag that makes a playlist one, and nothing else is to be known of such lines.
    /// There are two such prefixes at most.
    package mutating func skip(linesStartingWith prefix: StaticString) {
        precondition(skipped.count < 2, "too many prefixes")
        skipped.append(LinePrefix(Array(ByteView(prefix))))
    }

    /// The program that does all this.
    package func program() -> EditProgram {
        var compiler = self
        if skipsIFrames, index(of: TagSelector(.iFrameStreamInf)) == nil {
            compiler.skip(linesStartingWith: "#EXT-X-I-FRAME-STREAM-INF:")
        }
        return EditProgram(compiler)
    }
}

// What users of the library say.
extension EditCompiler {
    /// Compiles `edits`, which have been checked, and shows lines of `observed` tags to the handler.
    mutating func add(_ edits: [PlaylistEdit], observing observed: [TagSelector]) {
        for tag in edits.map({ $0.tag }) + observed where index(of: tag) == nil {
            add(edits.filter { $0.tag == tag }, of: tag, isObserved: observed.contains(tag))
        }
        skipsIFrames = true
    }

    private mutating func add(_ edits: [PlaylistEdit], of tag: TagSelector, isObserved: Bool) {
        let changes = edits.compactMap { $0.change }
        var plan = EditPlan()
        plan.isDropped = changes.count < edits.count
        plan.observation = isObserved ? .always : .never
        plan.operations = keep(changes)
        if appended == nil, !isObserved, !plan.isDropped, changes.count == 1, let change = changes.first,
            change.kind == .set,
            change.name == absentAttribute, let bytes = storage.last
        {
            plan.appends = true
            appended = (bytes, change.name.count)
        }
        self[tag] = plan
    }

    /// Keeps what is done to a tag's attributes; of several changes of one attribute the last, in the first one's
    /// place.
    private mutating func keep(
        _ changes: [(kind: AttributeOperation.Kind, name: [UInt8], value: [UInt8])]
    ) -> Range<Int> {
        let first = operations.count
        for (number, change) in changes.enumerated()
        where !changes[..<number].contains(where: { $0.name == change.name }) {
            let last = changes.last { $0.name == change.name } ?? change
            let value = last.kind == .remove ? [] : [ASCII.equals] + last.value
            let rendered = StableBytes([ASCII.comma] + last.name + value)
            storage.append(rendered)
            operations.append(
                AttributeOperation(kind: last.kind, storage: .stable(rendered.view), nameCount: last.name.count))
        }
        return first..<operations.count
    }

    private func index(of tag: TagSelector) -> Int? {
        prefixes.firstIndex { $0.view.suffix(from: 1).elementsEqual(tag.spelling) }
    }

    /// What is done with the lines of `tag`.
    private subscript(tag: TagSelector) -> EditPlan {
        get { index(of: tag).map { plans[$0] } ?? EditPlan() }
        set {
            if let index = index(of: tag) {
                plans[index] = newValue
            } else {
                plans.append(newValue)
                prefixes.append(StableBytes([ASCII.hash] + tag.spelling))
            }
        }
    }
}
