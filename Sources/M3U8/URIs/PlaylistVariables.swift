package import ByteScan

/// The variables that a playlist gives a value, as far as its lines have passed by (8216bis 4.4.2.3).
///
/// Of two variables with one name the first counts. A value with a quote or a control character in it counts as none:
/// it could be put into no quoted string.
@usableFromInline
package struct PlaylistVariables: ~Copyable {
    /// What a variable counts for besides its text.
    package static var entryCost: Int { 1 << 10 }

    /// Where a variable's texts are: its value follows its name.
    ///
    /// Not private, because other modules free the buffer of entries in line, and so refer to the type.
    @usableFromInline
    package struct Entry: BitwiseCopyable {
        fileprivate let start: Int
        fileprivate let nameEnd: Int
        fileprivate let end: Int
    }

    private var text = ReusableBuffer<UInt8>()
    @usableFromInline var entries = ReusableBuffer<Entry>()
    private var tree = NameTree()

    package init() {}

    @inlinable package var isEmpty: Bool { entries.isEmpty }

    /// How many bytes all variables count for.
    package var cost: Int { text.count + entries.count * Self.entryCost }

    /// How many bytes all names and values have.
    var byteCount: Int { text.count }

    package mutating func removeAll() {
        text.removeAll()
        tree.removeAll()
        entries.removeAll()
    }

    /// The name of the variable that `line`, an EXT-X-DEFINE tag, gives a value, which is put together in `value`; nil
    /// if it gives none.
    ///
    /// Nothing is added to a value once it has more than `limit` bytes.
    package func definition(
        in line: SelectedLine, through value: inout ReusableBuffer<UInt8>, upTo limit: Int
    ) -> ByteView? { definition(in: line.bytes, line.attributes, through: &value, upTo: limit) }

    /// The same for a line that was found in another way.
    func definition(
        in line: ByteView, _ attributes: AttributeScanner, through value: inout ReusableBuffer<UInt8>, upTo limit: Int
    ) -> ByteView? {
        var name: Range<Int>?
        var definition: Range<Int>?
        var attributes = attributes
        while let attribute = attributes.next() {
            guard attribute.hasValue else { continue }
            switch line[attribute.name] {
            case "NAME": name = name ?? attribute.content(in: line)
            case "VALUE": definition = definition ?? attribute.content(in: line)
            default: continue
            }
        }
        guard let name, let definition, line[definition].isQuotable else { return nil }
        value.removeAll()
        substitute(line[definition], into: &value, upTo: limit)
        return line[name]
    }

    package mutating func add(_ name: ByteView, _ value: ByteView) {
        let (start, count) = (text.count, name.count + value.count)
        let closest = tree.closest(to: name).map { self.name(of: entries[$0]) }
        tree.insert(entries.count, named: name, beside: closest)
        text.append(name)
        text.append(value)
        entries.append(Entry(start: start, nameEnd: start + name.count, end: start + count))
    }

    /// Appends `bytes` to `output`, with values in place of the references to variables that have one (8216bis 4.3).
    ///
    /// Other references stay as they are written. Returns false, and stops, once the output has more than `limit`
    /// bytes.
    @discardableResult
    package func substitute(
        _ bytes: ByteView, into output: inout ReusableBuffer<UInt8>, upTo limit: Int = .max
    ) -> Bool {
        guard !isEmpty, bytes.firstOffset(of: ASCII.dollar) != nil else {
            output.append(bytes)
            return output.count <= limit
        }
        var offset = 0
        // The next closing brace, or the end: looked for once, however many braces open before it.
        var close = -1
        while offset < bytes.count {
            guard output.count <= limit else { return false }
            if bytes.hasBytes("{$", at: offset) {
                if close < offset {
                    close = bytes.firstOffset(of: UInt8(ascii: "}"), from: offset) ?? bytes.count
                }
                if close < bytes.count, let value = value(of: bytes[(offset + 2)..<close]) {
                    output.append(value)
                    offset = close + 1
                    continue
                }
            }
            output.append(bytes[offset])
            offset += 1
        }
        return output.count <= limit
    }

    /// The value of the variable called `name`; nil if it has none.
    func value(of name: ByteView) -> ByteView? {
        guard let index = tree.closest(to: name), self.name(of: entries[index]) == name else { return nil }
        return text.view[entries[index].nameEnd..<entries[index].end]
    }

    private func name(of entry: Entry) -> ByteView { text.view[entry.start..<entry.nameEnd] }
}
