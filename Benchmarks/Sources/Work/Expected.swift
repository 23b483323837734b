/// What the library must come to, worked out in the plainest way there is and without the library.
enum Expected {
    /// What sideloading leaves of a master playlist whose lines end with LF alone, and whose variants all name the same
    /// group of subtitles or none.
    static func sideloaded(_ master: some Collection<UInt8>) -> [UInt8] {
        let mark = Array(",SUBTITLES=\"".utf8)
        let group = master.firstRange(of: mark).map {
            String(decoding: master[$0.upperBound...].prefix { $0 != 34 }, as: UTF8.self)
        }
        var hasDefault = false
        var output: [UInt8] = []
        for line in master.split(separator: UInt8(ascii: "\n"), omittingEmptySubsequences: false).dropLast() {
            output += line
            if group == nil, line.starts(with: Array("#EXT-X-STREAM-INF:".utf8)) {
                output += Array(",SUBTITLES=\"subs\"".utf8)
            }
            if line.starts(with: Array("#EXT-X-MEDIA:TYPE=SUBTITLES".utf8)), line.contains(Array(",DEFAULT=YES".utf8)) {
                hasDefault = true
            }
            output.append(UInt8(ascii: "\n"))
        }
        return output + Array(renditions(in: group ?? "subs", hasDefault: hasDefault).utf8)
    }

    /// What sideloading leaves of `InputText.groups`, each of whose groups gets both tracks, in the order that they are
    /// named in.
    static func grouped(_ master: UnsafeRawBufferPointer, count: Int) -> [UInt8] {
        Array(master) + (0..<count).flatMap { Array(renditions(in: "group-\($0)", hasDefault: false).utf8) }
    }

    /// The lines that the two tracks come to at the end.
    private static func renditions(in group: String, hasDefault: Bool) -> String {
        """
        #EXT-X-MEDIA:TYPE=SUBTITLES,GROUP-ID="\(group)",NAME="English",LANGUAGE="en",\
        DEFAULT=\(hasDefault ? "NO" : "YES"),AUTOSELECT=YES,URI="subs/en.m3u8"
        #EXT-X-MEDIA:TYPE=SUBTITLES,GROUP-ID="\(group)",NAME="Svenska",LANGUAGE="sv",DEFAULT=NO,AUTOSELECT=YES,\
        URI="subs/sv.m3u8"

        """
    }

    /// The ranges of names and values in the attribute lists of all tags, as offsets into `playlist`.
    ///
    /// A tag with a value that is no list has no `=` in these playlists.
    static func attributes(of playlist: UnsafeRawBufferPointer) -> [AttributeRange] {
        let bytes = Array(playlist)
        var found: [AttributeRange] = []
        var start = 0
        while start < bytes.count {
            let end = bytes[start...].firstIndex(of: UInt8(ascii: "\n")) ?? bytes.count
            let isTag = bytes[start..<end].starts(with: Array("#EXT".utf8))
            if isTag, let colon = bytes[start..<end].firstIndex(of: UInt8(ascii: ":")) {
                found += attributes(in: bytes, colon + 1..<end)
            }
            start = end + 1
        }
        return found
    }

    private static func attributes(in bytes: [UInt8], _ list: Range<Int>) -> [AttributeRange] {
        var found: [AttributeRange] = []
        var start = list.lowerBound
        while start < list.upperBound {
            var end = start
            var isQuoted = false
            while end < list.upperBound, isQuoted || bytes[end] != UInt8(ascii: ",") {
                if bytes[end] == UInt8(ascii: "\"") { isQuoted.toggle() }
                end += 1
            }
            if let equals = bytes[start..<end].firstIndex(of: UInt8(ascii: "=")) {
                found.append(AttributeRange(name: start..<equals, value: equals + 1..<end))
            }
            start = end + 1
        }
        return found
    }

    /// The end of the last line with an arrow, in milliseconds, of cues that all have hours.
    static func finalCueEnd(of file: UnsafeRawBufferPointer) -> UInt64 {
        let arrow = Array(" --> ".utf8)
        let lines = file.split(separator: UInt8(ascii: "\n"))
        guard let line = lines.last(where: { $0.contains(arrow) }) else { return 0 }
        return milliseconds(String(decoding: line, as: UTF8.self).split(separator: " ")[2])
    }

    /// The segments of a file whose lines end with LF, whose cues have hours and come in order, and which ends with a cue.
    static func segments(of file: UnsafeRawBufferPointer, every step: UInt64) -> [[UInt8]] {
        let text = String(decoding: file, as: UTF8.self)
        var head = "WEBVTT\n\n"
        var segments: [String] = []
        for block in text.split(separator: "\n\n").dropFirst() {
            let block = String(block) + (block.hasSuffix("\n") ? "" : "\n")
            if block.hasPrefix("STYLE\n") || block.hasPrefix("REGION\n") {
                head += block + "\n"
            } else if let line = block.split(separator: "\n").first(where: { $0.contains(" --> ") }) {
                let words = line.split(separator: " ")
                let (start, end) = (milliseconds(words[0]), milliseconds(words[2]))
                for index in Int(start / step)...Int((end - 1) / step) {
                    while segments.count <= index { segments.append("") }
                    segments[index] += block + "\n"
                }
            }
        }
        return segments.map { Array((head + $0).utf8) }
    }

    /// A time with hours, in milliseconds.
    static func milliseconds(_ time: Substring) -> UInt64 {
        let fields = time.split { $0 == ":" || $0 == "." }.compactMap { UInt64($0) }
        return ((fields[0] * 60 + fields[1]) * 60 + fields[2]) * 1000 + fields[3]
    }

    /// The rendition beside a live playlist of ``Input/liveMedia``.
    static func rendition(of playlist: [UInt8]) -> [UInt8] {
        var output: [UInt8] = []
        for line in String(decoding: playlist, as: UTF8.self).split(separator: "\n") {
            var text = String(line)
            if text.hasPrefix("#EXT-X-MEDIA-SEQUENCE:") {
                text = "#EXT-X-MEDIA-SEQUENCE:\(Int(text.dropFirst(22)) ?? -1)"
            }
            if text.hasPrefix("segment_") { text = "en/\(Int(text.dropFirst(8).prefix(9)) ?? -1).vtt" }
            output += Array((text + "\n").utf8)
        }
        return output
    }
}
