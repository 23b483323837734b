internal import ByteScan
internal import Delivery

/// The beginning of an answer as `curl --include` hands it out: lines, a blank one, and then the body.
///
///     HTTP/1.1 103 Early Hints⏎           before the answer itself: passed over
///     ⏎
///     HTTP/2 206 ⏎
///     content-range: bytes 0-9/100⏎
///     ⏎
///     body
struct CurlHead: ~Copyable {
    /// How many bytes it may have.
    static let longest = 256 << 10

    private(set) var status = 0
    private(set) var fields = HeaderFields()
    /// The value of Location; nil if there is none.
    private(set) var location: [UInt8]?

    /// The head that `bytes` begin with, and how long it is; nil if it has not ended.
    ///
    /// - Throws: ``Malformed`` if it is none, or too long.
    init?(_ bytes: [UInt8], count: inout Int) throws(Malformed) {
        var start = 0
        while true {
            var lines: [Range<Int>] = []
            var end = start
            while true {
                guard let lineFeed = bytes[end...].firstIndex(of: ASCII.lineFeed) else {
                    if bytes.count > Self.longest { throw Malformed() }
                    // Whatever is no HTTP is told by its first bytes.
                    let first = bytes[start...].prefix(5)
                    if !first.elementsEqual("HTTP/".utf8.prefix(first.count)) { throw Malformed() }
                    return nil
                }
                let line =
                    end..<(lineFeed > end && bytes[lineFeed - 1] == ASCII.carriageReturn ? lineFeed - 1 : lineFeed)
                end = lineFeed + 1
                if line.isEmpty { break }
                lines.append(line)
            }
            guard let first = lines.first, let status = Self.status(bytes[first]) else { throw Malformed() }
            start = end
            // 101 would not be HTTP any more, and nobody has asked for it.
            if 100..<200 ~= status { continue }
            self.status = status
            for line in lines.dropFirst() { note(bytes[line]) }
            count = end
            return
        }
    }

    struct Malformed: Error {}

    private static func status(_ line: ArraySlice<UInt8>) -> Int? {
        let words = line.split(separator: ASCII.space)
        guard words.count > 1, words[0].starts(with: "HTTP/".utf8), words[1].count == 3 else { return nil }
        return Array(words[1]).withView { Int(decimal: $0) }
    }

    private mutating func note(_ line: ArraySlice<UInt8>) {
        guard let colon = line.firstIndex(of: ASCII.colon) else { return }
        let (name, value) = (Array(line[..<colon]), Array(line[(colon + 1)...]))
        let (isLocation, trimmed) = name.withView { name in
            value.withView { value in
                fields.append(name, value.trimmed)
                return (name.equalsIgnoringCase("location"), Array(value.trimmed))
            }
        }
        if isLocation, location == nil { location = trimmed }
    }
}
