import ByteScan
import M3U8
import Support

/// A line as the scanner handed it out, copied.
public struct ScannedLine: Equatable {
    /// What the line is.
    public let kind: PlaylistLine.Kind
    /// The line without what ends it.
    public let bytes: [UInt8]
    /// Where it begins.
    public let position: Int
    /// Whether there was more of it than the limit allows.
    public let isTruncated: Bool
    /// The tag's name, or nothing.
    public let name: [UInt8]
    /// The tag's value, or nothing.
    public let value: [UInt8]

    private let ending: PlaylistLine.Ending
    private let attributes: [NaiveAttributes.Item]

    /// A copy of `line`.
    init(_ line: PlaylistLine) {
        kind = line.kind
        bytes = Array(line.bytes)
        ending = line.ending
        position = line.position
        isTruncated = line.isTruncated
        name = Array(line.name)
        value = Array(line.value)
        var attributes: [NaiveAttributes.Item] = []
        var scanner = line.attributes
        while let attribute = scanner.next() {
            let value = attribute.hasValue ? Array(line.bytes[attribute.value]) : nil
            attributes.append(NaiveAttributes.Item(name: Array(line.bytes[attribute.name]), value: value))
        }
        self.attributes = attributes
    }

    /// What the scanner should hand out of `text`, lines truncated to `longest` bytes.
    public static func expected(of text: [UInt8], longest: Int = 64 << 10) -> [ScannedLine] {
        NaivePlaylist.lines(of: text).map { ScannedLine($0, longest: longest) }
    }

    private init(_ line: NaivePlaylist.Line, longest: Int) {
        var line = line
        isTruncated = line.content.count + (line.ending.first == ASCII.carriageReturn ? 1 : 0) > longest
        if isTruncated { line.content = Array((line.content + [ASCII.carriageReturn]).prefix(longest)) }
        kind = Self.kind(of: line)
        bytes = line.content
        ending =
            switch line.ending {
            case [ASCII.lineFeed]: .lineFeed
            case [ASCII.carriageReturn, ASCII.lineFeed]: .carriageReturnLineFeed
            case [ASCII.carriageReturn]: .carriageReturn
            default: .none
            }
        position = line.position
        name = line.tagName ?? []
        value = line.value ?? []
        attributes = NaiveAttributes.items(of: value)
    }

    private static func kind(of line: NaivePlaylist.Line) -> PlaylistLine.Kind {
        if line.isBlank { return .blank }
        if line.isURI { return .uri }
        guard let name = line.tagName else { return .comment }
        return names.first { $0.spelling == name }.map { .tag($0.name) } ?? .otherTag
    }

    private static let names = TagName.allCases.map { (name: $0, spelling: Array($0.spelling)) }
}
