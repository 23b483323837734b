/// The EXT-X-MEDIA tags of a playlist, read line by line. It knows nothing of the library, whose output it reads.
package enum MediaTags {
    /// The attributes of each tag of subtitles.
    package static func subtitles(in playlist: String) -> [[String: String]] {
        playlist.split(whereSeparator: \.isNewline).compactMap { line in
            guard line.hasPrefix("#EXT-X-MEDIA:") else { return nil }
            let attributes = attributes(of: line.dropFirst("#EXT-X-MEDIA:".count))
            return attributes["TYPE"] == "SUBTITLES" ? attributes : nil
        }
    }

    /// Names and values, without quotes.
    package static func attributes(of list: Substring) -> [String: String] {
        var attributes: [String: String] = [:]
        var isQuoted = false
        let parts = list.split { character in
            if character == "\"" { isQuoted.toggle() }
            return character == "," && !isQuoted
        }
        for part in parts {
            guard let sign = part.firstIndex(of: "=") else { continue }
            attributes[String(part[..<sign])] = String(part[part.index(after: sign)...].filter { $0 != "\"" })
        }
        return attributes
    }
}
