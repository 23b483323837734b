internal import ByteScan
internal import M3U8

/// What sideloading must know of an EXT-X-MEDIA tag, as ranges of its line (8216bis 4.4.6.1).
struct RenditionFields {
    let groupID: Range<Int>
    let name: Range<Int>
    let uri: Range<Int>
    let isDefault: Bool

    /// The fields of `line`, or nil where the tag is not of TYPE=SUBTITLES or names no group that could be named again.
    init?(_ line: SelectedLine) {
        var type: Range<Int>?
        var groupID: Range<Int>?
        var name: Range<Int>?
        var uri: Range<Int>?
        var isDefault: Range<Int>?
        var attributes = line.attributes
        while let attribute = attributes.next() {
            guard attribute.hasValue else { continue }
            let content = attribute.content(in: line.bytes)
            switch line.bytes[attribute.name] {
            case "TYPE": type = type ?? content
            case "GROUP-ID": groupID = groupID ?? content
            case "NAME": name = name ?? content
            case "URI": uri = uri ?? content
            case "DEFAULT": isDefault = isDefault ?? content
            default: continue
            }
        }
        guard let type, line.bytes[type] == "SUBTITLES", !attributes.endsInsideQuotes,
            let groupID, !line.bytes[groupID].contains(ASCII.quote)
        else { return nil }
        self.groupID = groupID
        self.name = name ?? 0..<0
        self.uri = uri ?? 0..<0
        self.isDefault = isDefault.map { line.bytes[$0] == "YES" } ?? false
    }
}
