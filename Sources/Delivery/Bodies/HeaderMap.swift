internal import ByteScan
internal import WebVTT

/// The X-TIMESTAMP-MAP of whole WebVTT files.
enum HeaderMap {
    /// The map that the header of `file` has; nil if there is none that can be read.
    static func find(in file: ByteView) -> TimestampMap? {
        var start = lineEnd(in: file, from: 0).next
        while start < file.count {
            let line = lineEnd(in: file, from: start)
            let bytes = file[start..<line.end]
            if bytes.isEmpty || hasArrow(bytes) { return nil }
            if let map = TimestampMap(headerLine: bytes) { return map }
            start = line.next
        }
        return nil
    }

    /// What `file` becomes with `map` in place of its own.
    static func put(_ map: TimestampMap, into file: ByteView) -> [UInt8] {
        var output: [UInt8] = []
        output.reserveCapacity(file.count &+ 64)
        var rewriter = TimestampMapRewriter(map)
        unsafe rewriter.write(file.buffer) { output += $0.view }
        rewriter.finish { output += $0.view }
        return output
    }

    private static func lineEnd(in file: ByteView, from start: Int) -> (end: Int, next: Int) {
        var end = start
        while end < file.count, file[end] != ASCII.lineFeed, file[end] != ASCII.carriageReturn { end &+= 1 }
        guard end < file.count else { return (end, end) }
        let isPair = file.hasBytes("\r\n", at: end)
        return (end, end &+ (isPair ? 2 : 1))
    }

    private static func hasArrow(_ line: ByteView) -> Bool {
        var offset = 0
        while let hyphen = line.firstOffset(of: ASCII.hyphen, from: offset) {
            if line.hasBytes("-->", at: hyphen) { return true }
            offset = hyphen &+ 1
        }
        return false
    }
}
