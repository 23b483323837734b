internal import ByteScan
internal import M3U8

// Variables whose values stand in a URL that the player does not see.
//
// EXT-X-DEFINE with QUERYPARAM takes its value from the query of the playlist's URL, after redirects (8216bis 4.4.2.3).
// A player that is given a playlist of ours has asked for an address with the query of the URL before them. So what a
// redirect has brought says its values itself:
//
//     https://example.com/master.m3u8            302, to https://cdn.example/a.m3u8?token=7
//     #EXT-X-DEFINE:QUERYPARAM="token"           becomes #EXT-X-DEFINE:NAME="token",VALUE="7"
//
// What has no value there, or one that no quoted string can hold, stays as it is. Without a redirect nothing is
// touched.

extension FetchedPlaylist {
    /// The playlist for a player that takes `asked` for its URL.
    func bytes(for asked: [UInt8]) -> [UInt8] {
        guard url.withoutFragment != asked.withoutFragment else { return bytes }
        return url.withView { url in
            guard let query = URIReference(url).query else { return bytes }
            let parameters = QueryParameters(url[query])
            return bytes.withView { $0.definingVariables(of: parameters) }
        }
    }
}

/// The parameters of a query: `a=b&c=d%20e`.
private struct QueryParameters {
    private let query: ByteView

    init(_ query: ByteView) { self.query = query }

    /// The value of the first parameter called `name` that has one, with what its escapes stand for.
    func value(of name: ByteView) -> [UInt8]? {
        var found: [UInt8]?
        query.forEachQueryField { key, value in
            if found == nil, key.percentDecoded.withView({ $0 == name }) { found = value.percentDecoded }
        }
        return found
    }
}

extension ByteView {
    fileprivate func definingVariables(of parameters: QueryParameters) -> [UInt8] {
        let tag: StaticString = "#EXT-X-DEFINE:"
        var output: [UInt8] = []
        var (copied, start) = (0, 0)
        while start < count {
            let end = firstOffset(of: ASCII.lineFeed, from: start) ?? count
            if hasBytes(tag, at: start),
                let change = self[start..<end].definition(after: tag.utf8CodeUnitCount, parameters)
            {
                output += self[copied..<(start + change.place.lowerBound)]
                output += change.text
                copied = start + change.place.upperBound
            }
            start = end + 1
        }
        return output + self[copied..<count]
    }

    /// What takes the place of QUERYPARAM in an EXT-X-DEFINE line, and where it stands.
    private func definition(after start: Int, _ parameters: QueryParameters) -> (place: Range<Int>, text: [UInt8])? {
        var attributes = AttributeScanner(ofTag: self, from: start)
        guard let attribute = attributes.first(named: ByteView("QUERYPARAM")), attribute.isQuoted(in: self) else {
            return nil
        }
        let name = self[attribute.content(in: self)]
        guard name.isQuotable, let value = parameters.value(of: name),
            value.withView({ $0.isQuotable && !URIReference($0).holdsVariable })
        else { return nil }
        var text = Array(ByteView("NAME=\""))
        text += name
        text += Array(ByteView("\",VALUE=\"")) + value
        text.append(ASCII.quote)
        return (attribute.name.lowerBound..<attribute.value.upperBound, text)
    }
}
