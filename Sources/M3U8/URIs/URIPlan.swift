internal import ByteScan
internal import CByteScan

// What a mapping makes of plain URIs, found out once for all of them.
//
// A mapping changes a plain URI in two places: it puts something in the place of its beginning, and an item at the end
// of its query. What that is depends on how the URI begins, and on nothing else in it:
//
//     form       example            what is replaced             with a base, another scheme and a query item
//     relative   seg/1.ts           nothing                      custom://example.com/video/  seg/1.ts    ?k=v
//     rooted     /seg/1.ts          nothing                      custom://example.com         /seg/1.ts   ?k=v
//     http       http://h/seg/1.ts  http://, or all before /seg  custom://                    h/seg/1.ts  ?k=v
//     https      https://h/seg/1.ts likewise                     custom://                    h/seg/1.ts  ?k=v
//
// So the mapping is asked once for each form that is met, about the shortest URI of it, and what it writes before that
// URI's last bytes is the beginning of all. What could make a difference is odd, and goes the long way through
// `URIMapper.map`: see bytescan_uris.h.

/// What a mapping makes of the plain URIs of one role.
struct URIPlan: Sendable {
    /// What takes the place of the beginning of the URIs of one form.
    struct Beginning: Sendable {
        let bytes: StableBytes
        /// How many bytes of the URI it takes the place of; nil for all before the path.
        let replaced: Int?
    }

    /// `?K=V`, or nothing.
    let query: StableBytes
    /// `&K=V`, or nothing.
    let furtherQuery: StableBytes

    private let role: URIRole
    /// The mapping without that query item.
    private let mapping: URIMapping

    init(_ mapping: URIMapping, _ role: URIRole) {
        let edits = mapping.edits(of: role)
        let item = edits?.queryItemBytes ?? []
        query = StableBytes(item.isEmpty ? [] : [ASCII.questionMark] + item)
        furtherQuery = StableBytes(item.isEmpty ? [] : [ASCII.ampersand] + item)
        self.role = role
        var plain = mapping
        if !item.isEmpty { plain.setEdits(edits?.withoutQueryItem, of: role) }
        self.mapping = plain
    }

    /// What takes the place of the beginning of URIs of `form`; nil if the mapping cannot be told by that.
    func beginning(of form: URIForm) -> Beginning? {
        let replacesHost = mapping.edits(of: role)?.replacesHost ?? false
        let kept: StaticString = replacesHost ? "/x" : "h/x"
        return switch form {
        case bytescan_uri_relative where mapping.hasTellingBase: beginning(of: "x", keeping: "x", replacing: 0)
        case bytescan_uri_rooted where mapping.hasTellingBase: beginning(of: "/x", keeping: "/x", replacing: 0)
        case bytescan_uri_http: beginning(of: "http://h/x", keeping: kept, replacing: replacesHost ? nil : 7)
        case bytescan_uri_https: beginning(of: "https://h/x", keeping: kept, replacing: replacesHost ? nil : 8)
        default: nil
        }
    }

    /// What the mapping writes before the bytes `kept`, with which `uri` ends.
    private func beginning(of uri: StaticString, keeping kept: StaticString, replacing count: Int?) -> Beginning? {
        let kept = ByteView(kept)
        let written = mapping.written(Array(ByteView(uri)), role)
        let bytes = written.dropLast(kept.count)
        let changesQuery = bytes.contains { $0 == ASCII.questionMark || $0 == ASCII.hash }
        guard written.suffix(kept.count).elementsEqual(kept), query.view.isEmpty || !changesQuery else { return nil }
        return Beginning(bytes: StableBytes(Array(bytes)), replaced: count)
    }
}
