import Foundation

/// Variables of a URL's query, put into a playlist as plainly as possible (8216bis 4.4.2.3): an oracle.
public enum NaiveQuery {
    /// The playlist with the values that the query of `url` has for QUERYPARAM in its place.
    public static func defining(_ playlist: [UInt8], by url: [UInt8]) -> [UInt8] {
        let whole = url.prefix { $0 != UInt8(ascii: "#") }
        guard let mark = whole.firstIndex(of: UInt8(ascii: "?")) else { return playlist }
        let parameters = whole[(mark + 1)...].split(separator: UInt8(ascii: "&")).compactMap { parameter in
            parameter.firstIndex(of: UInt8(ascii: "=")).map { equals in
                (name: decoded(parameter[..<equals]), value: decoded(parameter[(equals + 1)...]))
            }
        }
        let lines = playlist.split(separator: 0x0A, omittingEmptySubsequences: false).map { line in
            let tag = Array("#EXT-X-DEFINE:".utf8)
            guard line.starts(with: tag) else { return Array(line) }
            var list = line.dropFirst(tag.count)
            while let last = list.last, last == 0x0D || NaiveAttributes.isSpace(last) { list.removeLast() }
            let end = Array(line[list.endIndex...])
            var pieces = NaiveAttributes.pieces(of: Array(list))
            let isAsked: ([UInt8]) -> Bool = { NaiveAttributes.item($0)?.name == Array("QUERYPARAM".utf8) }
            guard let place = pieces.firstIndex(where: isAsked), let item = NaiveAttributes.item(pieces[place]),
                let value = item.value, value.count >= 2, value.first == 0x22, value.last == 0x22,
                NaiveAttributes.isQuotable(item.content),
                let found = parameters.first(where: { $0.name == item.content })?.value,
                NaiveAttributes.isQuotable(found), !holdsVariable(found)
            else { return Array(line) }
            let text = NaiveAttributes.trimmed(pieces[place])
            var piece = Array(pieces[place].prefix { NaiveAttributes.isSpace($0) })
            let after = pieces[place].dropFirst(piece.count + text.count)
            for part in [Array("NAME=\"".utf8), item.content, Array("\",VALUE=\"".utf8), found, Array("\"".utf8)] {
                piece += part
            }
            pieces[place] = piece + after
            return tag + Array(pieces.joined(separator: [UInt8(ascii: ",")])) + end
        }
        return Array(lines.joined(separator: [0x0A]))
    }

    private static func holdsVariable(_ bytes: [UInt8]) -> Bool {
        String(decoding: bytes, as: UTF8.self).contains("{$")
    }

    /// The bytes with those in place of escapes that they stand for.
    private static func decoded(_ bytes: ArraySlice<UInt8>) -> [UInt8] {
        var decoded: [UInt8] = []
        var rest = bytes
        while let byte = rest.popFirst() {
            let digits = String(decoding: rest.prefix(2), as: UTF8.self)
            if byte == UInt8(ascii: "%"), digits.utf8.count == 2, digits.allSatisfy(\.isHexDigit),
                let value = UInt8(digits, radix: 16)
            {
                decoded.append(value)
                rest = rest.dropFirst(2)
            } else {
                decoded.append(byte)
            }
        }
        return decoded
    }
}
