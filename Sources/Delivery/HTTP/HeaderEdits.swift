public import ByteScan

/// What is done to one header field of a message before it goes on.
public struct HeaderEdit {
    /// The field's name as the specifications spell it; HTTP/2 and HTTP/3 want it in lower case (RFC 9113 8.2.1).
    public let name: ByteView

    /// The value that the field gets, in place of all its lines; nil if all its lines are removed.
    public let value: ByteView?
}

/// What is done to the header fields of a message: each name at most once, in no particular order.
///
/// It is filled by a decision and used again: after the first decisions it allocates nothing. What it hands out is
/// valid until it next changes. No value holds CR, LF or NUL, and none a byte that HTTP does not allow.
public struct HeaderEdits: ~Copyable {
    // Not private, as in HeaderFields.
    package struct Entry: BitwiseCopyable {
        let name: FieldName
        /// Where the value is in the text; nil if the field is removed.
        let value: Span?
    }

    package struct Span: BitwiseCopyable {
        let start: Int
        let end: Int
    }

    /// The values, one after the other.
    var text = ReusableBuffer<UInt8>()

    private var entries = ReusableBuffer<Entry>()

    /// No edits, and no memory yet.
    public init() {}

    /// How many fields are edited.
    public var count: Int { entries.count }

    /// Whether no field is edited.
    public var isEmpty: Bool { entries.isEmpty }

    /// The edit at `index`, which must be in `0..<count`.
    public subscript(index: Int) -> HeaderEdit {
        let entry = entries[index]
        let value = entry.value.map { text.view[$0.start..<$0.end] }
        return HeaderEdit(name: ByteView(entry.name.spelling), value: value)
    }

    /// Forgets all edits and keeps the memory.
    public mutating func removeAll() {
        text.removeAll()
        entries.removeAll()
    }

    /// Sets the length of a response that was held until it was whole, in bytes as it goes out (RFC 9110 8.6).
    public mutating func setContentLength(_ count: Int) {
        var kept = 0
        for index in 0..<entries.count where entries[index].name != .contentLength {
            entries[kept] = entries[index]
            kept &+= 1
        }
        entries.truncate(to: kept)
        let start = text.count
        text.append(contentsOf: DecimalDigits(UInt64(max(count, 0))))
        set(.contentLength, toTextFrom: start)
    }

    mutating func remove(_ name: FieldName) { entries.append(Entry(name: name, value: nil)) }

    mutating func set(_ name: FieldName, _ value: StaticString) {
        let start = text.count
        text.append(ByteView(value))
        set(name, toTextFrom: start)
    }

    /// Gives the field what has been written into ``text`` from `start` on, or removes it if that is nothing.
    mutating func set(_ name: FieldName, toTextFrom start: Int) {
        let value = start < text.count ? Span(start: start, end: text.count) : nil
        entries.append(Entry(name: name, value: value))
    }
}
