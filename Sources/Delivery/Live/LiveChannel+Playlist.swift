public import ByteScan
internal import M3U8

// The rendition's playlist: the video's, with segments of cues in place of its own, and nothing else that is about
// media.
extension LiveChannel {
    /// Collects the playlist of a rendition in `output`, in place of what is there; all is the library's own.
    ///
    /// Before the first version there is none: nothing is written.
    ///
    /// - Complexity: O(*n*) in the segments and parts of the version.
    public borrowing func playlist(named names: LiveNames, into output: inout OutputPieces) {
        var writer = output.begin(copiesAll: true)
        if state.hasBegun { names.prefix.withView { write($0, lag: isEnded ? 0 : names.lag, &writer) } }
        writer.end()
    }

    private borrowing func write(_ prefix: ByteView, lag: Int, _ writer: inout PieceWriter) {
        let hasParts = configuration.mirrorsParts && lag == 0
        writer.append("#EXTM3U\n")
        writer.append(current.head.view)
        if hasParts { writer.append(current.lowLatencyHead.view) }
        writer.append("#EXT-X-MEDIA-SEQUENCE:")
        writer.append(digits: current.facts.first)
        if let number = current.facts.discontinuitySequence {
            writer.append("\n#EXT-X-DISCONTINUITY-SEQUENCE:")
            writer.append(digits: number)
        }
        writer.append(ASCII.lineFeed)
        var part = 0
        var (dates, kept) = (current.dateWriter, LiveSegmentLines())
        for index in 0..<max(current.segments.count - (lag > 0 ? lag + openCount : 0), 0) {
            let (segment, number) = (current.segments[index], current.facts.first + UInt64(index))
            if segment.isOpen, !hasParts { break }
            writeTags(segment, number, &dates, &writer)
            if hasParts { writeParts(of: number, from: &part, prefix, &writer) }
            if segment.isOpen { break }
            writeSegment(segment, number, &kept, prefix, &writer)
        }
        if hasParts, current.facts.hasHint {
            writer.append("#EXT-X-PRELOAD-HINT:TYPE=PART,URI=\"")
            writeName(of: UInt64(openPartCount), of: current.end, prefix, &writer)
            writer.append("\"\n")
        }
        if current.facts.isComplete { writer.append("#EXT-X-ENDLIST\n") }
    }

    private var openCount: Int { current.segments.count - current.wholeCount }

    private borrowing func writeTags(
        _ segment: LiveSegment, _ number: UInt64, _ dates: inout DateTimeWriter, _ writer: inout PieceWriter
    ) {
        for _ in 0..<segment.discontinuities { writer.append("#EXT-X-DISCONTINUITY\n") }
        guard segment.date != nil || segment.flags.contains(.dateText) else { return }
        writer.append("#EXT-X-PROGRAM-DATE-TIME:")
        current.writeDate(of: segment, number, by: &dates, to: &writer)
        writer.append(ASCII.lineFeed)
    }

    private borrowing func writeSegment(
        _ segment: LiveSegment, _ number: UInt64, _ kept: inout LiveSegmentLines, _ prefix: ByteView,
        _ writer: inout PieceWriter
    ) {
        if segment.flags.contains(.durationText) {
            writer.append("#EXTINF:")
            current.writeDuration(of: segment, number, to: &writer)
            writer.append(",\n")
        } else {
            kept.duration(segment.duration, segment.durationDigits).withView { writer.append($0) }
        }
        writer.append(prefix)
        kept.name(number).withView { writer.append($0) }
    }

    /// Writes the parts of a segment, which begin at `next` of all parts or behind.
    private borrowing func writeParts(
        of number: UInt64, from next: inout Int, _ prefix: ByteView, _ writer: inout PieceWriter
    ) {
        while next < current.parts.count, current.parts[next].segment < number { next += 1 }
        var index: UInt64 = 0
        while next < current.parts.count, current.parts[next].segment == number {
            writer.append("#EXT-X-PART:DURATION=")
            LiveVersion.write(current.parts[next].duration, digits: Int(current.parts[next].digits), to: &writer)
            writer.append(",INDEPENDENT=YES,URI=\"")
            writeName(of: index, of: number, prefix, &writer)
            writer.append("\"\n")
            index += 1
            next += 1
        }
    }

    private borrowing func writeName(
        of part: UInt64, of number: UInt64, _ prefix: ByteView, _ writer: inout PieceWriter
    ) {
        writer.append(prefix)
        writer.append(digits: number)
        writer.append(ASCII.period)
        writer.append(digits: part)
        writer.append(".vtt")
    }
}
