public import ByteScan

/// What a player asks a playlist for that is not there yet: `_HLS_msn` and `_HLS_part` (8216bis 6.2.5).
///
/// They go on to the video's playlist as they are, whose origin blocks until that is there or says that it never will
/// be. `_HLS_skip` does not: the whole playlist is always a right answer.
public struct LiveDirectives: Equatable, Sendable {
    /// The digits of `_HLS_msn`; nil if there is none.
    public var segment: [UInt8]?

    /// The digits of `_HLS_part`; nil if there is none. Without the other an origin answers 400.
    public var part: [UInt8]?

    /// Directives that ask for a segment or a part.
    public init(segment: UInt64, part: Int? = nil) {
        self.segment = Array(DecimalDigits(segment))
        self.part = part.map { Array(DecimalDigits(UInt64(clamping: $0))) }
    }

    /// Those of a URL's query, without its `?`; nil if it has none. What is no number of up to 20 digits is left out.
    public init?(query: ByteView) {
        query.forEachQueryField { name, value in
            let digits = 1...20 ~= value.count && value.allSatisfy(ASCII.isDigit) ? Array(value) : nil
            if name == Self.segmentName { segment = segment ?? digits }
            if name == Self.partName { part = part ?? digits }
        }
        if segment == nil, part == nil { return nil }
    }

    private static var segmentName: StaticString { "_HLS_msn" }
    private static var partName: StaticString { "_HLS_part" }

    /// The URL of a playlist with the directives in its query, each before the first field whose name comes after its
    /// own: caches then have one URL for all players. Other fields stay as they are.
    public func url(of playlist: [UInt8]) -> [UInt8] {
        var (path, fields) = Self.parts(of: playlist)
        for (name, value) in [(Self.segmentName, segment), (Self.partName, part)] {
            guard let value else { continue }
            let field = Array(ByteView(name)) + Array(ByteView("=")) + value
            let place = fields.firstIndex { field.lexicographicallyPrecedes($0) } ?? fields.count
            fields.insert(field, at: place)
        }
        return Self.url(path, fields)
    }

    /// The URL of a playlist without directives in its query.
    public static func removed(from playlist: [UInt8]) -> [UInt8] {
        let (path, fields) = parts(of: playlist)
        return url(path, fields)
    }

    /// What stands before the query, and the fields of that which are no directives.
    private static func parts(of playlist: [UInt8]) -> (path: [UInt8], fields: [[UInt8]]) {
        guard let mark = playlist.firstIndex(of: UInt8(ascii: "?")) else { return (playlist, []) }
        let fields = playlist[(mark + 1)...].split(separator: UInt8(ascii: "&")).map { Array($0) }
            .filter { !$0.withView { $0.hasBytes("_HLS_", at: 0) } }
        return (Array(playlist[..<mark]), fields)
    }

    private static func url(_ path: [UInt8], _ fields: [[UInt8]]) -> [UInt8] {
        var url = path
        for (index, field) in fields.enumerated() {
            url.append(index == 0 ? UInt8(ascii: "?") : UInt8(ascii: "&"))
            url += field
        }
        return url
    }
}

extension ByteView {
    /// Calls `body` with the name and value of each field of a query, `name=value&…`.
    func forEachQueryField(_ body: (_ name: ByteView, _ value: ByteView) -> Void) {
        var start = 0
        while start < count {
            let end = firstOffset(of: UInt8(ascii: "&"), from: start) ?? count
            let field = self[start..<end]
            if let equals = field.firstOffset(of: ASCII.equals) {
                body(field.prefix(upTo: equals), field.suffix(from: equals + 1))
            }
            start = end + 1
        }
    }
}
