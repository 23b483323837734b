extension Expected {
    /// The cues of a file whose lines end with LF alone, none of whose notes, styles and regions has an arrow.
    static func cues(of file: UnsafeRawBufferPointer) -> [CuePlace] {
        let bytes = Array(file)
        let arrow = Array(" --> ".utf8)
        var found: [CuePlace] = []
        var start = 0
        while start < bytes.count {
            var lines: [Range<Int>] = []
            while start < bytes.count {
                let end = bytes[start...].firstIndex(of: UInt8(ascii: "\n")) ?? bytes.count
                let line = start..<end
                start = end + 1
                if line.isEmpty { break }
                lines.append(line)
            }
            guard let timing = lines.prefix(2).firstIndex(where: { bytes[$0].contains(arrow) }) else { continue }
            let words = String(decoding: bytes[lines[timing]], as: UTF8.self).split(separator: " ")
            let text = lines[(timing + 1)...]
            found.append(
                CuePlace(
                    position: lines[0].lowerBound, start: Int64(milliseconds(words[0])),
                    end: Int64(milliseconds(words[2])),
                    identifierCount: timing == 0 ? 0 : lines[0].count,
                    textCount: (text.last?.upperBound ?? 0) - (text.first?.lowerBound ?? 0)))
        }
        return found
    }

    /// The file with a timestamp map as its second line.
    static func mapped(_ file: UnsafeRawBufferPointer) -> [UInt8] {
        let end = file.firstIndex(of: UInt8(ascii: "\n")).map { $0 + 1 } ?? file.count
        return Array(file[..<end]) + Array("X-TIMESTAMP-MAP=LOCAL:00:00:00.000,MPEGTS:900000\n".utf8)
            + Array(file[end...])
    }
}
