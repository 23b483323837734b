internal import ByteScan
internal import M3U8

/// What is in a playlist, gathered while its lines pass by.
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

    private(set) var variants: [Variant] = []
    private(set) var frameStreams: [Variant] = []
    private(set) var groups: [Group] = []
    private(set) var media = MediaPlaylist()
    /// The tags in the order of their first appearance.
    private(set) var tags: [String] = []
    private(set) var counts: [String: Int] = [:]

    /// Whether the next URI line is the last variant's.
    private var awaitsURI = false

    /// Notes what `line` says.
    func take(_ line: PlaylistLine, _ place: LinePlace) {
        media.take(line, place)
        if line.nameEnd > 0 { count(Self.text(line.name)) }
        switch line.kind {
        case .tag(.streamInf):
            variants.append(Variant(Self.attributes(of: line)))
            awaitsURI = true
        case .tag(.iFrameStreamInf), .tag(.imageStreamInf):
            frameStreams.append(Variant(Self.attributes(of: line)))
        case .tag(.media): add(rendition: Self.attributes(of: line))
        case .uri where awaitsURI:
            variants[variants.count - 1].uri = Self.text(line.bytes)
            awaitsURI = false
        default: break
        }
    }

    private func count(_ tag: String) {
        if counts[tag] == nil { tags.append(tag) }
        counts[tag, default: 0] += 1
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

    /// The attributes without their quotes; of duplicates the first.
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
