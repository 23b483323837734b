internal import ByteScan
internal import CByteScan

// The common case by itself: one line after the other that only gets the standing item appended.
//
// Whatever else a line may be is left to the general way, which does the same for such a line; so this may stop anywhere.
extension PlaylistRewriter {
    /// Appends the standing item to the line at `start` and to those of the same kind that follow it.
    ///
    /// - Returns: The first line of interest that it leaves alone.
    @inline(__always)
    mutating func appendStandingItem(
        to chunk: ByteView, from start: Int, _ run: inout Run, _ body: Sink
    ) -> Int {
        let pattern = edits.tags.patterns[edits.standingTag]
        let probe = edits.probePair
        let stop = stop
        let item = lineEdits.standingItem
        let longestLine = limits.longestLine
        let lastStart = chunk.count &- edits.tags.headRoom
        var start = start
        var uses = 0
        while start <= lastStart,
            unsafe pattern.matches(
                chunk.uncheckedWord(at: start), chunk.uncheckedWord(at: start &+ 8), chunk, at: start)
        {
            let match = chunk.passLine(from: start, probing: probe, stoppingAt: stop)
            let valueStart = start &+ pattern.head.count &+ 1
            let end = LineBytes.contentEnd(of: chunk, from: valueStart, to: match.end)
            guard match.isPlain, end > valueStart, match.end &- start <= longestLine else { break }
            run.flush(upTo: end, body)
            body(OutputSlice(library: item))
            uses &+= 1
            start = match.next
        }
        lineEdits.standingUses &+= uses
        return start
    }
}
