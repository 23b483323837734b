public import ByteScan

// What is known of a message's header fields.
//
// A proxy fills it from whatever it has: a list of its own, a dictionary, an array of pointers and lengths. Only the
// fields that a rule reads are kept, about 25 names, and their values are copied. So nothing here points into the
// proxy's memory, and a request with a thousand other fields costs a thousand looks at a name.
//
//     Range: bytes=0-1⏎            kept
//     X-Forwarded-For: …⏎          not kept
//     If-None-Match: "a",⏎         kept; the line feed of a folded line becomes a space
//      "b"⏎
//     if-none-match: "c"⏎          kept; both lines make one list (RFC 9110 5.3)
//
// CR, LF and NUL become spaces as a value comes in, as RFC 9110 5.5 and RFC 9112 5.2 (folded lines) ask for. That is
// also why no value that goes out can break out of its line.

/// The header fields of a request or a response, as far as the rules read them.
///
/// It is filled for each message and used again: after the first messages it allocates nothing.
public struct HeaderFields: ~Copyable {
    // Not private: who keeps the fields destroys the buffer of them, and its code asks for this type (Swift 6.3).
    package struct Entry: BitwiseCopyable {
        let name: FieldName
        let start: Int
        let count: Int
    }

    private var text = ReusableBuffer<UInt8>()
    private var entries = ReusableBuffer<Entry>()
    private let limit: Int

    /// The names that are there, a bit each.
    private(set) var present: UInt32 = 0
    /// Those that are there on several lines.
    private var repeated: UInt32 = 0

    /// Whether the fields that matter are longer than the limit. Such a message is not touched.
    package private(set) var isOverfull = false

    /// No fields, with room for `limit` bytes of values, 64 KiB unless said otherwise.
    ///
    /// A field counts 32 bytes beside its value.
    public init(limit: Int = 64 << 10) { self.limit = limit }

    /// Forgets all fields and keeps the memory.
    public mutating func removeAll() {
        text.removeAll()
        entries.removeAll()
        present = 0
        repeated = 0
        isOverfull = false
    }

    /// Adds a field line: its name in any case, and its value without the line's end.
    ///
    /// - Complexity: O(*n*) in the bytes of a field that a rule reads; O(1) for any other.
    public mutating func append(_ name: ByteView, _ value: ByteView) {
        guard let name = FieldName(name), !isOverfull else { return }
        guard value.count <= limit &- text.count &- 32 &* (entries.count &+ 1) else {
            isOverfull = true
            return
        }
        let start = text.count
        text.append(value)
        if Self.mayBreakLines(value) {
            for offset in start..<text.count where ASCII.breaksLine(text[offset]) { text[offset] = ASCII.space }
        }
        repeated |= present & name.bit
        present |= name.bit
        entries.append(Entry(name: name, start: start, count: value.count))
    }

    /// Adds a field line.
    public mutating func append(_ name: String, _ value: String) {
        name.withView { name in value.withView { value in append(name, value) } }
    }

    /// False if no byte of `value` is a line break: eight bytes at a time, by their upper halves.
    private static func mayBreakLines(_ value: ByteView) -> Bool {
        let last = value.count &- 8
        guard last >= 0, !CodeSize.isScarce else { return value.contains(where: ASCII.breaksLine) }
        func low(at offset: Int) -> UInt64 {
            let word = value.word(at: offset)
            return (word &- 0x1010_1010_1010_1010) & ~word
        }
        var found = low(at: last)
        var offset = 0
        while offset < last {
            found |= low(at: offset)
            offset &+= 8
        }
        return found & 0x8080_8080_8080_8080 != 0
    }

    /// How many field lines are kept.
    var count: Int { entries.count }

    /// The value of the line at `index` without white space around it, if its name is `name`.
    func value(of name: FieldName, at index: Int) -> ByteView? {
        let entry = entries[index]
        guard entry.name == name else { return nil }
        return text.view[entry.start..<(entry.start &+ entry.count)].trimmed
    }

    func has(_ name: FieldName) -> Bool { present & name.bit != 0 }

    /// Whether no line but one has the field.
    func isAlone(_ name: FieldName) -> Bool { repeated & name.bit == 0 }

    /// The value of a field that stands for one value; nil if it is missing, or is there twice with different values.
    func onlyValue(of name: FieldName) -> ByteView? {
        guard has(name) else { return nil }
        var found: ByteView?
        for index in 0..<entries.count {
            guard let value = value(of: name, at: index) else { continue }
            if isAlone(name) { return value }
            if let found, found != value { return nil }
            found = value
        }
        return found
    }
}
