package import ByteScan
internal import CByteScan

/// The lines of a playlist that is there as a whole, each with its line feed: for those who know most of them by their
/// first bytes.
///
///     var lines = WholeLines(playlist)
///     while let range = lines.next() {
///         if playlist[range].hasBytes("#EXTINF:", at: 0) { segments += 1 } else { note(lines.line(in: range)) }
///     }
package struct WholeLines: ~Copyable {
    private let playlist: ByteView
    private var classifier = LineClassifier()
    /// Where the next line begins.
    private var start = 0
    /// The line feeds of a block that have not been met, and where it begins.
    private var block: BlockMatch

    package init(_ playlist: ByteView) {
        self.playlist = playlist
        block = Self.block(of: playlist, from: 0)
    }

    /// The next line without its line feed; nil if none has one.
    @inline(__always)
    package mutating func next() -> Range<Int>? {
        if block.bits == 0 {
            let next = block.start &+ ByteView.blockSize
            guard next < playlist.count else { return nil }
            block = Self.block(of: playlist, from: next)
            if block.bits == 0 { return nil }
        }
        let range = start..<(block.start &+ block.bits.trailingZeroBitCount)
        block.bits &= block.bits &- 1
        start = range.upperBound &+ 1
        return range
    }

    /// The line, of which a scanner would keep as much.
    package mutating func line(in range: Range<Int>) -> PlaylistLine {
        let scanned = ScannedBytes(
            context: playlist.suffix(from: range.lowerBound), count: range.count, last: playlist[range].last,
            endsInLineFeed: true, position: range.lowerBound)
        return PlaylistLine(scanned, longest: LineLimits().longestLine, &classifier)
    }

    /// The first block at `offset` or behind that has line feeds; the last one if none has.
    private static func block(of playlist: ByteView, from offset: Int) -> BlockMatch {
        var match = BlockMatch(start: offset, bits: 0)
        if playlist.count &- offset >= ByteView.blockSize {
            match = playlist.firstBlock(with: ASCII.lineFeed, from: offset)
            if match.bits != 0 { return match }
        }
        match.bits = match.start < playlist.count ? playlist.block(at: match.start).equal(to: ASCII.lineFeed).bits : 0
        return match
    }
}
