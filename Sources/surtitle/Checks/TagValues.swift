internal import ByteScan
internal import M3U8

/// The attributes of a tag's line, as a player reads them: of two alike the first counts.
struct TagValues {
    private var values: [String: String] = [:]
    /// Whether a quote is left open or stands astray.
    private(set) var hasStrayQuote = false
    /// The names that are there twice with different values.
    private(set) var contradictions: [String] = []

    init(_ line: PlaylistLine) {
        var attributes = line.attributes
        while let attribute = attributes.next() {
            let name = String(decoding: Array(line.bytes[attribute.name]), as: UTF8.self)
            let written = line.bytes[attribute.value]
            if !attribute.isQuoted(in: line.bytes), written.contains(ASCII.quote) { hasStrayQuote = true }
            let value = String(decoding: Array(line.bytes[attribute.content(in: line.bytes)]), as: UTF8.self)
            if let known = values[name] {
                if known != value { contradictions.append(name) }
            } else {
                values[name] = value
            }
        }
    }

    subscript(_ name: String) -> String? { values[name] }
}
