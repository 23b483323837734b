/// What can be counted of an input: enough to see that it has the shape it claims.
public struct InputShape: Sendable, CustomStringConvertible {
    /// The number of bytes.
    public let byteCount: Int
    /// The number of lines.
    public let lineCount: Int
    /// The number of lines that start with `#EXT-X-STREAM-INF:`.
    public let variantCount: Int
    /// The number of lines that hold `-->`.
    public let arrowCount: Int
    /// FNV-1a, 64 bits: the same bytes have the same one on every machine.
    public let fingerprint: UInt64

    /// Counts what is in `bytes`, slowly and plainly.
    public init(_ bytes: UnsafeRawBufferPointer) {
        let streamInf = Array("#EXT-X-STREAM-INF:".utf8)
        let arrow = Array("-->".utf8)
        var fingerprint: UInt64 = 0xCBF2_9CE4_8422_2325
        for byte in bytes { fingerprint = (fingerprint ^ UInt64(byte)) &* 0x100_0000_01B3 }
        var lines = 0
        var variants = 0
        var arrows = 0
        for line in bytes.split(separator: UInt8(ascii: "\n"), omittingEmptySubsequences: false) {
            lines += 1
            if line.starts(with: streamInf) { variants += 1 }
            if line.contains(arrow) { arrows += 1 }
        }
        if bytes.last == UInt8(ascii: "\n") { lines -= 1 }
        byteCount = bytes.count
        lineCount = lines
        variantCount = variants
        arrowCount = arrows
        self.fingerprint = fingerprint
    }

    /// The bytes a line has on average, its end among them.
    public var averageLine: Double { Double(byteCount) / Double(max(lineCount, 1)) }

    /// The counts, on one line.
    public var description: String {
        let tenths = Int((averageLine * 10).rounded())
        return
            "\(byteCount) bytes, \(lineCount) lines, \(tenths / 10).\(tenths % 10) a line, \(variantCount) STREAM-INF, \(arrowCount) arrows, \(String(fingerprint, radix: 16))"
    }
}
