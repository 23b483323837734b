internal import ByteScan
internal import M3U8

/// The attributes of a tag's line, as a player reads them: of two alike the first counts.
struct TagValues {
    /// The values by their names, without quotes.
    private(set) var all: [String: String] = [:]
    /// Whether a quote is left open or stands astray.
    private(set) var hasStrayQuote = false
    /// The names that are there twice with different values.
    private(set) var contradictions: [String] = []

    init(_ line: PlaylistLine) {
        var attributes = line.attributes
        while let attribute = attributes.next() {
            let name = String(decoding: Array(line.bytes[attribute.name]), as: UTF8.self)
            let content = line.bytes[attribute.content(in: line.bytes)]
            if content.contains(ASCII.quote) { hasStrayQuote = true }
            let value = String(decoding: Array(content), as: UTF8.self)
            if let known = all[name] {
                if known != value { contradictions.append(name) }
            } else {
                all[name] = value
            }
        }
    }

    subscript(_ name: String) -> String? { all[name] }
}

/// What a tag of a playlist refers to, beside segments, variants and renditions.
struct TagReference {
    let uri: String
    let location: LineLocation
    /// Whether a media playlist is at its end, or anything else.
    let isPlaylist: Bool

    /// The references of `line`, whose attributes are `values`; none to what is still to come or is no file.
    static func all(of tag: TagName, _ values: TagValues, at location: LineLocation) -> [TagReference] {
        switch tag {
        // These come by URIs of their own room, or may not be there yet.
        case .media, .preloadHint, .prefetch, .twitchPrefetch: return []
        case .key, .sessionKey: if values["METHOD"] == "NONE" { return [] }
        default: break
        }
        let names = ["URI", "SERVER-URI", "X-ASSET-URI", "X-ASSET-LIST"]
        return names.compactMap { values[$0] }.map { uri in
            TagReference(uri: uri, location: location, isPlaylist: tag == .iFrameStreamInf)
        }
    }
}
