extension Expected {
    static let scheme = "custom"
    static let base = "https://origin.example.com/live/video/playlist.m3u8"
    static let host = "cdn.example.net"
    static let queryItem = "session=1"

    /// What a mapping of the URIs makes of a playlist whose lines end with LF alone.
    ///
    /// - Parameter host: The new host; nil for the base's, where absolute URIs stay as they are.
    static func mapped(
        _ playlist: UnsafeRawBufferPointer, _ kind: Mapping.Kind, to host: String? = Expected.host
    ) -> [UInt8] {
        var output: [UInt8] = []
        for line in playlist.split(separator: UInt8(ascii: "\n"), omittingEmptySubsequences: false).dropLast() {
            let text = String(decoding: line, as: UTF8.self)
            if text.hasPrefix("#") {
                output += Array(mappedTag(text, kind, host).utf8)
            } else if !text.isEmpty {
                output += Array(mapped(text, kind, host).utf8)
            }
            output.append(UInt8(ascii: "\n"))
        }
        return output
    }

    private static func mappedTag(_ line: String, _ kind: Mapping.Kind, _ host: String?) -> String {
        for name in ["URI=\"", "X-ASSET-URI=\""] {
            for mark in [":", ","] {
                guard let start = line.firstRange(of: mark + name)?.upperBound,
                    let end = line[start...].firstIndex(of: "\"")
                else { continue }
                return line[..<start] + mapped(String(line[start..<end]), kind, host) + line[end...]
            }
        }
        return line
    }

    private static func mapped(_ uri: String, _ kind: Mapping.Kind, _ host: String?) -> String {
        switch kind {
        case .scheme: return uri.hasPrefix("https://") ? scheme + uri.dropFirst("https".count) : uri
        case .baseAndHost:
            if host == nil, uri.hasPrefix("https://") { return uri }
            var (directory, rest) = ("/live/video/", Substring(uri))
            if uri.hasPrefix("https://"), let path = uri.dropFirst(8).firstIndex(of: "/") {
                (directory, rest) = ("", uri[path...])
            } else if uri.hasPrefix("/") {
                directory = ""
            } else if uri.hasPrefix("../") {
                (directory, rest) = ("/live/", uri.dropFirst(3))
            }
            return "https://\(host ?? "origin.example.com")\(directory)\(rest)"
        case .query: return uri + (uri.contains("?") ? "&" : "?") + queryItem
        }
    }
}
