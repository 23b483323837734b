package import ByteScan

/// What a handler decides about the line it is shown.
///
/// Nothing is written until the handler returns; the decisions are then carried out together, in one walk over the line.
/// The memory is the rewriter's and is used again for the next line.
public struct LineEdits: ~Copyable {
    /// What the decisions come to.
    enum Outcome {
        case attributes
        case dropped
        case replaced(Range<Int>)
        case stopped(LimitError)
    }

    var outcome = Outcome.attributes
    var operations = ReusableBuffer<AttributeOperation>()
    var scratch = ReusableBuffer<UInt8>()
    var splices = ReusableBuffer<Splice>()

    init() {}

    /// Replaces the attribute's value where the name stands, else appends the attribute (RFC 8216 4.2).
    ///
    /// The value is written as given, quotes included. Nothing is done, and false returned, where the name or the value
    /// would break the list: a line break, an unclosed quote, a comma outside quotes, nothing at all.
    @discardableResult
    public mutating func set(_ name: some Collection<UInt8>, to value: some Collection<UInt8>) -> Bool {
        add(.set, name, value)
    }

    /// Replaces the attribute's value where the name stands, else does nothing. False as for ``set(_:to:)``.
    @discardableResult
    public mutating func replace(_ name: some Collection<UInt8>, with value: some Collection<UInt8>) -> Bool {
        add(.replace, name, value)
    }

    /// Removes every attribute of that name, each with one comma.
    public mutating func remove(_ name: some Collection<UInt8>) {
        let start = scratch.count
        scratch.append(ASCII.comma)
        scratch.append(contentsOf: name)
        operations.append(
            AttributeOperation(
                kind: .remove, storage: .scratch(start: start, count: scratch.count - start), nameCount: name.count))
    }

    /// Leaves the line out, its ending included.
    public mutating func drop() { outcome = .dropped }

    /// Puts `line` in the place of the whole line; the line's ending stays. False where `line` is empty or has a break.
    @discardableResult
    public mutating func replaceLine(with line: some Collection<UInt8>) -> Bool {
        guard EditSyntax.isLine(line) else { return false }
        let start = scratch.count
        scratch.append(contentsOf: line)
        outcome = .replaced(start..<scratch.count)
        return true
    }

    /// Ends all editing: this line and everything behind it passes through.
    package mutating func stop(_ error: LimitError) { outcome = .stopped(error) }

    /// Sets the probed attribute, which `item` renders as `,NAME=VALUE`, of bytes that outlive the line.
    package mutating func setProbed(rendered item: ByteView, nameCount: Int) {
        operations.append(
            AttributeOperation(kind: .set, storage: .stable(item), nameCount: nameCount, isProbed: true))
    }

    private mutating func add(
        _ kind: AttributeOperation.Kind, _ name: some Collection<UInt8>, _ value: some Collection<UInt8>
    ) -> Bool {
        guard EditSyntax.isAttributeName(name), EditSyntax.isAttributeValue(value) else { return false }
        let start = scratch.count
        scratch.append(ASCII.comma)
        scratch.append(contentsOf: name)
        scratch.append(ASCII.equals)
        scratch.append(contentsOf: value)
        operations.append(
            AttributeOperation(
                kind: kind, storage: .scratch(start: start, count: scratch.count - start), nameCount: name.count))
        return true
    }

    mutating func reset() {
        outcome = .attributes
        operations.removeAll()
        scratch.removeAll()
        splices.removeAll()
    }
}
