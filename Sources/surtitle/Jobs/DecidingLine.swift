internal import ByteScan
internal import M3U8

/// Names the line that decided a rewriter's verdict, of which the rewriter tells the position.
///
/// Chunks are not scanned again: their line feeds are counted, and a tag is read only when the verdict has changed. A
/// line may have begun in an earlier chunk, so the first bytes of the unfinished line are kept.
struct DecidingLine {
    /// More bytes than the `#`, the name of any tag that decides a verdict, and what ends the name.
    private static let longestName = 64

    /// The line as messages name it, as in `line 4, at byte 45: EXTINF`; empty if there is none yet.
    private(set) var description = ""
    private var position: Int?

    /// How many bytes and line feeds earlier chunks had.
    private var byteCount = 0
    private var lineFeedCount = 0
    /// The first bytes of the unfinished line.
    private var unfinished: [UInt8] = []

    /// How many lines there have been, an unfinished one included.
    var lineCount: Int { lineFeedCount + (unfinished.isEmpty ? 0 : 1) }

    /// Notes the chunk that a rewriter has just scanned, and the position at which it now says that its verdict was
    /// decided.
    mutating func note(_ chunk: ByteView, decidedAt position: Int?) {
        if let position, position != self.position {
            self.position = position
            describeLine(at: position, chunk)
        }
        byteCount += chunk.count
        lineFeedCount += chunk.count(of: ASCII.lineFeed)
        var rest = chunk
        if let end = chunk.lastOffset(of: ASCII.lineFeed, before: chunk.count) {
            unfinished.removeAll(keepingCapacity: true)
            rest = chunk.suffix(from: end + 1)
        }
        unfinished += rest.prefix(upTo: min(rest.count, Self.longestName - unfinished.count))
    }

    private mutating func describeLine(at position: Int, _ chunk: ByteView) {
        let offset = max(position - byteCount, 0)
        let number = lineFeedCount + chunk.prefix(upTo: offset).count(of: ASCII.lineFeed) + 1
        let rest = chunk[offset..<min(chunk.count, offset + Self.longestName)]
        let line = (position < byteCount ? unfinished : []) + rest
        let tag = line.dropFirst().prefix { $0 > ASCII.space && $0 != ASCII.colon }
        description = "\(LineLocation(position: position, number: number)): \(String(decoding: tag, as: UTF8.self))"
    }
}
