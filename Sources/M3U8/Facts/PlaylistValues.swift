internal import ByteScan

/// Puts the values of a playlist's variables into its lines, before their facts are noted (8216bis 4.3).
///
/// A value comes from EXT-X-DEFINE with VALUE, from the query of the playlist's URL (QUERYPARAM), or from the
/// multivariant playlist that has led there (IMPORT). It is taken as it is written: percent-encoding stays. A variable
/// whose value is not known stays in its line.
struct PlaylistValues: ~Copyable {
    /// How many bytes all values of a playlist count for at most; those that come later have none.
    static let limit = 256 << 10

    private var variables = PlaylistVariables()
    /// Those of the playlist before.
    private var imported = PlaylistVariables()
    /// The query of the playlist's URL, without the question mark.
    private var query: [UInt8] = []
    private var value = ReusableBuffer<UInt8>()
    private var line = ReusableBuffer<UInt8>()
    private var classifier = LineClassifier()

    /// How many bytes all names and values have.
    var byteCount: Int { variables.byteCount + imported.byteCount }

    /// Begins a playlist that was asked for by `url`; one that the playlist before has led to may import its values.
    mutating func begin(_ url: [UInt8], isImporting: Bool) {
        if isImporting { swap(&variables, &imported) } else { imported.removeAll() }
        variables.removeAll()
        query = url.withView { url in
            let url = URIReference(url)
            return url.query.map { Array(url.bytes[$0]) } ?? []
        }
    }

    /// Hands `line` to `body` with values in it, and notes the value that it gives.
    mutating func substitute(_ line: PlaylistLine, _ body: (PlaylistLine) -> Void) {
        if line.kind == .tag(.define) { note(line) }
        guard !variables.isEmpty, !line.isTruncated, URIReference(line.bytes).holdsVariable else { return body(line) }
        self.line.removeAll()
        guard variables.substitute(line.bytes, into: &self.line, upTo: Self.limit) else { return body(line) }
        body(PlaylistLine(self.line.view, in: line, &classifier))
    }

    private mutating func note(_ line: PlaylistLine) {
        let name: ByteView
        if let defined = variables.definition(in: line.bytes, line.attributes, through: &value, upTo: Self.limit) {
            name = defined
        } else if let wanted = line.content(of: "IMPORT"), let known = imported.value(of: wanted) {
            name = wanted
            value.removeAll()
            value.append(known)
        } else if let wanted = line.content(of: "QUERYPARAM"), let found = Self.value(of: wanted, in: query) {
            name = wanted
            value.removeAll()
            value.append(contentsOf: found)
        } else {
            return
        }
        guard variables.cost + name.count + value.count + PlaylistVariables.entryCost <= Self.limit else { return }
        variables.add(name, value.view)
    }

    /// The value of the first parameter of `query` called `name`; nil if there is none, or it holds nothing.
    private static func value(of name: ByteView, in query: [UInt8]) -> ArraySlice<UInt8>? {
        for item in query.split(separator: UInt8(ascii: "&")) {
            guard item.count > name.count, item[item.startIndex + name.count] == UInt8(ascii: "="),
                item.prefix(name.count).elementsEqual(name)
            else { continue }
            let value = item.dropFirst(name.count + 1)
            return value.isEmpty || value.contains(ASCII.quote) ? nil : value
        }
        return nil
    }
}
