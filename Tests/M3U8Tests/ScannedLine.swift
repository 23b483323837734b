import M3U8
import Support

/// A line as the scanner handed it out, copied.
struct ScannedLine: Equatable {
    var kind: PlaylistLine.Kind
    var bytes: [UInt8]
    var ending: PlaylistLine.Ending
    var position: Int
    var isTruncated: Bool
    var name: [UInt8]
    var value: [UInt8]
    var attributes: [NaiveAttributes.Item]
}

extension ScannedLine {
    init(_ line: PlaylistLine) {
        kind = line.kind
        bytes = Array(line.bytes)
        ending = line.ending
        position = line.position
        isTruncated = line.isTruncated
        name = Array(line.name)
        value = Array(line.value)
        attributes = []
        var scanner = line.attributes
        while let attribute = scanner.next() {
            attributes.append(
                NaiveAttributes.Item(
                    name: Array(line.bytes[attribute.name]),
                    value: attribute.hasValue ? Array(line.bytes[attribute.value]) : nil))
        }
    }
}
