internal import ByteScan
internal import M3U8

/// What is in a playlist, gathered line by line.
///
/// Everything is counted. Lists need memory, so the lines that are listed are limited to ``listedBytes`` in all.
final class PlaylistInventory {
    /// A variant, or a stream of I-frames or images.
    struct Variant {
        let bandwidth: String
        let resolution: String
        let frameRate: String
        let codecs: String
        /// The groups it names, each with its attribute.
        let groups: String
        var uri: String

        init(_ attributes: [String: String]) {
            bandwidth = attributes["BANDWIDTH"] ?? "-"
            resolution = attributes["RESOLUTION"] ?? "-"
            frameRate = attributes["FRAME-RATE"] ?? "-"
            codecs = attributes["CODECS"] ?? "-"
            let named = ["AUDIO", "VIDEO", "SUBTITLES", "CLOSED-CAPTIONS"].compactMap { name in
                attributes[name].map { "\(name)=\($0)" }
            }
            groups = named.isEmpty ? "-" : named.joined(separator: " ")
            uri = attributes["URI"] ?? "-"
        }
    }

    /// A group of renditions.
    struct Group {
        let type: String
        let name: String
        var renditions: [[String: String]]
    }

    /// How many bytes of lines may be listed. Each line counts ``entryBytes`` more.
    static let listedBytes = 4 << 20
    private static let entryBytes = 512

    private(set) var variants: [Variant] = []
    private(set) var frameStreams: [Variant] = []
    private(set) var groups: [Group] = []
    private(set) var variantCount = 0
    private(set) var frameStreamCount = 0
    private(set) var renditionCount = 0
    private(set) var media = MediaPlaylist()
    /// The tags in the order of their first appearance.
    private(set) var tags: [String] = []
    private(set) var counts: [String: Int] = [:]
    /// How many tags have a name that is not listed.
    private(set) var otherTagCount = 0

    /// How much more may be listed.
    private var bytesLeft = listedBytes

    /// Whether the next URI line is the last variant's.
    private var awaitsURI = false

    /// Notes what `line` says.
    func note(_ line: PlaylistLine, _ location: LineLocation) {
        media.note(line, location)
        if line.nameEnd > 0 { count(line) }
        switch line.kind {
        case .tag(.streamInf):
            variantCount += 1
            awaitsURI = canList(line)
            if awaitsURI { variants.append(Variant(Self.attributes(of: line))) }
        case .tag(.iFrameStreamInf), .tag(.imageStreamInf):
            frameStreamCount += 1
            if canList(line) { frameStreams.append(Variant(Self.attributes(of: line))) }
        case .tag(.media):
            renditionCount += 1
            if canList(line) { add(rendition: Self.attributes(of: line)) }
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
        if let index = groups.firstIndex(where: { $0.type == type && $0.name == name }) {
            groups[index].renditions.append(rendition)
        } else {
            groups.append(Group(type: type, name: name, renditions: [rendition]))
        }
    }

    /// The attributes by name, without their quotes. If a name occurs twice, the first one counts.
    private static func attributes(of line: PlaylistLine) -> [String: String] {
        var found: [String: String] = [:]
        var attributes = line.attributes
        while let attribute = attributes.next() {
            let name = text(line.bytes[attribute.name])
            if found[name] == nil { found[name] = text(line.bytes[attribute.content(in: line.bytes)]) }
        }
        return found
    }

    private static func text(_ bytes: ByteView) -> String { unsafe String(decoding: bytes.buffer, as: UTF8.self) }
}
