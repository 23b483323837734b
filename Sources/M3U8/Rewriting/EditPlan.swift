internal import ByteScan

/// What is done with the lines of one selected tag.
struct EditPlan: Sendable {
    /// When the handler is shown lines of the tag.
    package enum Observation: Sendable {
        case never
        case always
        /// If the line may contain the attribute that most lines lack.
        case ifAttributeMayBeThere
    }

    /// The tag's attribute operations: where they are among those of the program.
    var operations = 0..<0
    var isDropped = false
    /// Whether its lines are left out whatever becomes of the others, and tell nothing of the playlist's kind.
    var isLeftOut = false
    var observation = Observation.never

    /// Whether lines that lack the attribute get the appended one.
    var appends = false

    /// Whether a few attributes are all that is edited, and each is looked for by itself.
    var isMadeAtOnce = false

    /// How the value must begin if it names a certain attribute first.
    var valuePrefix: ValuePrefix?

    /// The same plan, made at once if `edits`, of all operations, have what is done.
    func madeAtOnce(ifPossible edits: [EditAtOnce?]) -> EditPlan {
        var plan = self
        plan.isMadeAtOnce =
            observation == .never && !isDropped && 1...EditAtOnce.most ~= operations.count
            && edits[operations].allSatisfy { $0 != nil }
        return plan
    }

    /// Whether nothing is done to its lines; the handler may be shown them.
    var isEmpty: Bool { operations.isEmpty && !isDropped && !appends }

    /// Whether nothing is done to its lines unless they are left out, and nobody is shown them.
    var doesNothing: Bool { isEmpty && observation == .never }

    /// Whether lines must be looked at that certainly lack the attribute.
    var needsInspection: Bool {
        @inline(__always) get { observation == .always || (!appends && (isDropped || !operations.isEmpty)) }
    }

    /// Whether nothing is to be done with lines that have an attribute in place of the appended one which the handler
    /// knows already.
    var passesOverKnown: Bool {
        @inline(__always) get { appends && observation == .ifAttributeMayBeThere && !isDropped && operations.isEmpty }
    }

    /// Whether the handler is shown a line that may contain the attribute, or certainly lacks it.
    func shows(attributeMayBeThere: Bool) -> Bool {
        switch observation {
        case .never: false
        case .always: true
        case .ifAttributeMayBeThere: attributeMayBeThere
        }
    }
}

/// What is demanded of the attribute that a tag's value begins with, so that most lines can be passed over at a glance.
///
/// A value that begins with `TYPE=` and a letter must go on with `SUB`, for instance. One that begins otherwise, with
/// white space or a quote after the `=` for instance, is looked at as a whole.
struct ValuePrefix: Sendable {
    private let name: MaskedWord
    private let whole: MaskedWord
    /// The bit that all letters have, and neither white space nor a quote, of the byte after the name.
    private let letter: UInt64

    /// The name of the attribute, `=` included, and the beginning of its value, at most eight bytes together.
    init(name: StaticString, value: StaticString) {
        self.name = MaskedWord(ByteView(name), from: 0)
        whole = MaskedWord([ByteView(name), ByteView(value)])
        letter = 0x40 << UInt64(8 * name.utf8CodeUnitCount)
    }

    /// Whether a value whose first eight bytes are `word` begins with the attribute and not as demanded.
    @inline(__always)
    func rulesOut(_ word: UInt64) -> Bool { name.matches(word) && word & letter != 0 && !whole.matches(word) }
}
