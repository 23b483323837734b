internal import ByteScan
internal import M3U8

/// What is in a playlist, gathered line by line.
///
/// Everything is counted. Lists need memory, so the lines that are listed are limited to ``listedBytes`` in all.
final class PlaylistInventory {
    /// A variant, or a stream of I-frames or images.
    struct Variant {
        /// What is listed of its attributes, by name.
        let attributes: [String: String]
        /// The URI of its line, or its attribute; nil if there is none.
        var uri: String?

        static let listedAttributes = ["BANDWIDTH", "RESOLUTION", "FRAME-RATE", "CODECS"] + groupAttributes
        private static let groupAttributes = ["AUDIO", "VIDEO", "SUBTITLES", "CLOSED-CAPTIONS"]

        init(_ attributes: [String: String]) {
            self.attributes = attributes.filter { Self.listedAttributes.contains($0.key) }
            uri = attributes["URI"]
        }

        /// The groups it names, each with its attribute.
        var groups: String {
            let named = Self.groupAttributes.compactMap { name in attributes[name].map { "\(name)=\($0)" } }
            return named.isEmpty ? "-" : named.joined(separator: " ")
        }
    }

    /// A group of renditions.
    struct Group {
        let type: String
        let name: String
        var renditions: [[String: String]]
    }

    /// What is kept of a rendition's attributes.
    static let renditionAttributes = [
        "NAME", "LANGUAGE", "DEFAULT", "AUTOSELECT", "FORCED", "URI", "INSTREAM-ID",
    ]

    /// How many bytes of lines may be listed. Each line counts ``entryBytes`` more.
    static let listedBytes = 4 << 20
    private static let entryBytes = 512

    private(set) var variants: [Variant] = []
    private(set) var frameStreams: [Variant] = []
    private(set) var groups: [Group] = []
    private(set) var variantCount = 0
    private(set) var frameStreamCount = 0
    private(set) var renditionCount = 0
    /// The tags in the order of their first appearance.
    private(set) var tags: [String] = []
    private(set) var counts: [String: Int] = [:]
    /// How many tags have a name that is not listed.
    private(set) var otherTagCount = 0

    /// How much more may be listed.
    private var bytesLeft = listedBytes

    /// Where in ``groups`` a group is, by its type and name.
    private var groupPlaces: [String: [String: Int]] = [:]

    /// Whether the next URI line is the last variant's.
    private var awaitsURI = false

    /// Notes what `line` says.
    func note(_ line: PlaylistLine) {
        if line.nameEnd > 0 { count(line) }
        switch line.kind {
        case .tag(.streamInf):
            variantCount += 1
            awaitsURI = canList(line)
            if awaitsURI { variants.append(Variant(TagValues(line).all)) }
        case .tag(.iFrameStreamInf), .tag(.imageStreamInf):
            frameStreamCount += 1
            if canList(line) { frameStreams.append(Variant(TagValues(line).all)) }
        case .tag(.media):
            renditionCount += 1
            if canList(line) { add(rendition: TagValues(line).all) }
        case .uri where awaitsURI:
            variants[variants.count - 1].uri = canList(line) ? Self.text(line.bytes) : "…"
            awaitsURI = false
        default: break
        }
    }

    /// Whether `line` may be listed; if so, it is counted.
    private func canList(_ line: PlaylistLine) -> Bool {
        let needed = line.bytes.count + Self.entryBytes
        guard needed <= bytesLeft else {
            // Later lines are not listed either: a list that is cut ends there.
            bytesLeft = 0
            return false
        }
        bytesLeft -= needed
        return true
    }

    private func count(_ line: PlaylistLine) {
        let tag = Self.text(line.name)
        if counts[tag] != nil {
            counts[tag, default: 0] += 1
        } else if canList(line) {
            tags.append(tag)
            counts[tag] = 1
        } else {
            otherTagCount += 1
        }
    }

    private func add(rendition: [String: String]) {
        let type = rendition["TYPE"] ?? ""
        let name = rendition["GROUP-ID"] ?? ""
        let rendition = rendition.filter { Self.renditionAttributes.contains($0.key) }
        let place = groupPlaces[type, default: [:]][name]
        if let place {
            groups[place].renditions.append(rendition)
        } else {
            groupPlaces[type, default: [:]][name] = groups.count
            groups.append(Group(type: type, name: name, renditions: [rendition]))
        }
    }

    private static func text(_ bytes: ByteView) -> String { unsafe String(decoding: bytes.buffer, as: UTF8.self) }
}

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
