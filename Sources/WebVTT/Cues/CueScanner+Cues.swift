import ByteScan

// Cues of the usual form, handed out one after the other.
//
// The marks of such a cue are an arrow and a blank line. All of it lies in the batch, its times are of the fixed form,
// and its lines end as all others of the batch do. So it is handed out without anything noted of the block in between:
//
//     1⏎00:00:01.000 --> 00:00:02.000 line:0⏎Hello,⏎there⏎⏎
//     ├┤                                                lead: an identifier and its terminator, or nothing
//       ├───────────────────────────┤                   the times
//                      ▲ arrow                        ▲ blank
//
// Where the first two lines end is seen from the terminators among the 64 bytes at the cue's beginning. Everything else
// is left to CueScanner+Scan, one mark at a time.
extension CueScanner {
    /// Hands out the cues of the usual form from the batch's mark with `index` on, and returns which mark it stops
    /// before.
    ///
    /// What the open block is, is unknown; and it is after this.
    @inline(__always)
    mutating func handOutCues(
        from index: Int, ofBatchAt offset: Int, in chunk: ByteView, before stop: Int, _ body: Handler
    ) -> Int {
        // No cue of a batch is longer than the limit.
        guard document.block.start >= offset, let terminator = batch.terminatorSize,
            batch.byteCount <= limits.largestBlock
        else { return index }
        let markCount = batch.markCount
        let position = document.position &+ offset
        let bytes = chunk[offset..<(offset &+ batch.byteCount)]
        let stop = stop &- offset
        var index = index
        var start = document.block.start &- offset
        while index &+ 1 < markCount, start < stop {
            let (arrow, blank) = (batch.mark(index), batch.mark(index &+ 1))
            let lead = arrow &- 15 &- start
            let next = blank &+ terminator
            // An identifier has a byte and a terminator.
            guard UInt(bitPattern: lead) < 64, lead != 1, blank &- arrow >= 15, next <= bytes.count,
                bytes[blank] != ASCII.greaterThan
            else { break }
            let terminators = batch.terminators(from: start)
            let settings = lead &+ 29
            guard terminators & ~(~0 &<< UInt64(lead)) == (1 &<< UInt64(lead)) &>> UInt64(terminator),
                let timing = TimingLine(fixed: bytes, at: start &+ lead)
            else { break }
            var lineEnd = lead &+ (terminators &>> UInt64(lead)).trailingZeroBitCount
            if lineEnd >= 64 {
                let more = batch.terminators(from: start &+ settings)
                guard more != 0 else { break }
                lineEnd = settings &+ more.trailingZeroBitCount
            }
            var cue = CueOutline.Timing()
            cue.times = SIMD2(timing.start.milliseconds, timing.end.milliseconds)
            cue.offsets = SIMD4(
                UInt32(truncatingIfNeeded: max(lead &- terminator, 0)), UInt32(truncatingIfNeeded: settings),
                UInt32(truncatingIfNeeded: lineEnd), UInt32(truncatingIfNeeded: lineEnd &+ terminator))
            let outline = CueOutline(cue, position: position &+ start, byteCount: blank &- start)
            body(.cue(Cue(outline, bytes: unsafe bytes.uncheckedSlice(start, blank))))
            start = next
            index &+= 2
        }
        if start != document.block.start &- offset {
            document.block.begin(at: offset &+ start)
            document.hasSeenCue = true
        }
        return index
    }
}
