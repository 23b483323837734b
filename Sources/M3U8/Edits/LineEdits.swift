internal import ByteScan

/// What a handler decides about the line it is shown.
///
/// Nothing is written until the handler returns; then all is done together, in one pass over the line.
/// Of several decisions about one attribute the last one counts. The memory is the rewriter's and is used again.
public struct LineEdits: ~Copyable {
    /// What becomes of the line.
    enum Outcome {
        case attributes
        case dropped
        case replaced(Range<Int>)
        case refused
        case stopped(LimitError)
    }

    var outcome = Outcome.attributes
    var operations = ReusableBuffer<AttributeOperation>()
    var scratch = ReusableBuffer<UInt8>()
    var splices = ReusableBuffer<Splice>()

    /// Where the value is that is replaced, if that is known and all that is done: the list need not be scanned again.
    var knownValue: Range<Int>?

    /// What lines get appended that lack it. A handler may change it, for this line and those after it.
    package var appended = AppendedAttribute()

    /// Whether the line is only shown, and nothing that is decided is done: the playlist is mixed.
    package internal(set) var areIgnored = false

    /// Whether a ``VariantFilter`` has counted the line among those that it cannot read.
    var isCountedByFilter = false

    init() {}

    /// Replaces the attribute's value if the name is there, else appends the attribute (RFC 8216 4.2).
    ///
    /// The value is written as given, quotes included. Nothing is done, and false returned, if the name or the value
    /// would break the list: a line break, an unclosed quote, a comma outside quotes, nothing at all.
    @discardableResult
    public mutating func set(_ name: some Collection<UInt8>, to value: some Collection<UInt8>) -> Bool {
        decide(.set, name, value)
    }

    /// Replaces the attribute's value if the name is there, else does nothing. False as for ``set(_:to:)``.
    @discardableResult
    public mutating func replace(_ name: some Collection<UInt8>, with value: some Collection<UInt8>) -> Bool {
        decide(.replace, name, value)
    }

    /// Removes every attribute of that name, each with one comma.
    public mutating func remove(_ name: some Collection<UInt8>) {
        let start = scratch.count
        scratch.append(ASCII.comma)
        scratch.append(contentsOf: name)
        note(.remove, from: start, nameCount: name.count)
    }

    /// Leaves the line out, its ending included.
    public mutating func drop() { outcome = .dropped }

    /// Puts `line` in the place of the whole line; the line's ending stays. False if `line` is empty or has a break.
    @discardableResult
    public mutating func replaceLine(with line: some Collection<UInt8>) -> Bool {
        guard EditSyntax.isLine(line) else { return false }
        let start = scratch.count
        scratch.append(contentsOf: line)
        outcome = .replaced(start..<scratch.count)
        return true
    }

    /// Replaces the value at `range` of the first attribute `name`. False as for ``set(_:to:)``.
    mutating func replace(_ name: ByteView, at range: Range<Int>, with value: ByteView) -> Bool {
        guard unsafe EditSyntax.isQuotedString(value) || EditSyntax.isAttributeValue(value.buffer) else { return false }
        let start = scratch.count
        scratch.append(ASCII.comma)
        scratch.append(name)
        scratch.append(ASCII.equals)
        scratch.append(value)
        note(.replace, from: start, nameCount: name.count)
        knownValue = operations.count == 1 ? range : nil
        return true
    }

    /// Puts `line` in the place of the line's beginning, before its last bytes, `tail`: these may hold stray CRs.
    ///
    /// False, and nothing is done, if there is nothing in `line` or a break.
    mutating func replaceLine(with line: ByteView, before tail: ByteView) -> Bool {
        guard !line.isEmpty, !EditSyntax.breaksLine(line) else { return false }
        let start = scratch.count
        scratch.append(line)
        scratch.append(tail)
        outcome = .replaced(start..<scratch.count)
        return true
    }

    /// Whether nothing has been decided about the line so far.
    var isUndecided: Bool { if case .attributes = outcome { operations.isEmpty } else { false } }

    /// Whether the line is to be left out, as far as is decided.
    var isDropped: Bool { if case .dropped = outcome { true } else { false } }

    /// Whether something has been decided about the attribute `name`.
    func decides(_ name: ByteView) -> Bool {
        for index in 0..<operations.count where operations[index].name(in: rendered(operations[index])) == name {
            return true
        }
        return false
    }

    /// Leaves the line as it is and counts it among those that could not be edited: it says something that nobody can
    /// read.
    package mutating func refuse() { outcome = .refused }

    /// Ends all editing: this line and everything after it passes through.
    package mutating func stop(_ error: LimitError) { outcome = .stopped(error) }

    /// Gives `line`, which is this one, the attribute that lines which lack it get.
    package mutating func appendAttribute(to line: SelectedLine) {
        note(AttributeOperation(kind: .set, storage: .stable(appended.bytes), nameCount: appended.nameLength))
        if line.isEditable { appended.uses += 1 }
    }

    /// Notes an operation in the place of an earlier one on the same attribute.
    mutating func note(_ operation: AttributeOperation) {
        knownValue = nil
        let name = operation.name(in: rendered(operation))
        for index in 0..<operations.count where operations[index].name(in: rendered(operations[index])) == name {
            operations[index] = operation
            return
        }
        operations.append(operation)
    }

    private mutating func decide(
        _ kind: AttributeOperation.Kind, _ name: some Collection<UInt8>, _ value: some Collection<UInt8>
    ) -> Bool {
        guard EditSyntax.isAttributeName(name), EditSyntax.isAttributeValue(value) else { return false }
        let start = scratch.count
        scratch.append(ASCII.comma)
        scratch.append(contentsOf: name)
        scratch.append(ASCII.equals)
        scratch.append(contentsOf: value)
        note(kind, from: start, nameCount: name.count)
        return true
    }

    private mutating func note(_ kind: AttributeOperation.Kind, from start: Int, nameCount: Int) {
        note(
            AttributeOperation(
                kind: kind, storage: .scratch(start: start, count: scratch.count - start), nameCount: nameCount))
    }

    /// Begins a line: forgets what was decided about the one before.
    mutating func begin(appended: AppendedAttribute, areIgnored: Bool) {
        reset()
        self.appended = appended
        self.areIgnored = areIgnored
    }

    /// Forgets what was decided about the line before.
    mutating func reset() {
        outcome = .attributes
        operations.removeAll()
        scratch.removeAll()
        splices.removeAll()
        knownValue = nil
        isCountedByFilter = false
    }
}

/// What is to be done with one attribute of a line.
///
/// It may cross threads in a configuration, which keeps the bytes it points to alive and never changes them.
struct AttributeOperation: BitwiseCopyable, @unchecked Sendable {
    enum Kind: Int, BitwiseCopyable {
        case set
        case replace
        case remove
    }

    /// Where `,NAME=VALUE` (or `,NAME` for a removal) is kept.
    enum Storage: BitwiseCopyable {
        /// In a configuration that outlives the line.
        case stable(ByteView)
        /// In the line's scratch memory, at these offsets.
        case scratch(start: Int, count: Int)
    }

    let kind: Kind
    let storage: Storage
    let nameCount: Int
    /// Whether the attribute has been found on the line.
    var isFound = false

    /// The name within `bytes`, which are those of `storage`.
    func name(in bytes: ByteView) -> ByteView { bytes[1..<(1 + nameCount)] }

    /// The value within `bytes`, which are those of `storage`.
    func value(in bytes: ByteView) -> ByteView { bytes.suffix(from: 2 + nameCount) }
}
