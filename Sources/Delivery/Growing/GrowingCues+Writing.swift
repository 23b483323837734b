public import ByteScan
internal import WebVTT

// The segment of a span: the head as it was when it was sealed, and the cues that show in it or are bound to it.
extension GrowingCues {
    /// Collects the segment of `span` in `output`, in place of what is there; all is copied.
    ///
    /// - Complexity: O(*n*) in the cues that are kept.
    public borrowing func write(_ span: LiveSpan, into output: inout OutputPieces) {
        var writer = output.begin(copiesAll: true)
        writer.append("WEBVTT\n")
        if let map = span.cues.map {
            map.write(to: &writer)
            writer.append(ASCII.lineFeed)
        }
        writer.append(ASCII.lineFeed)
        let position = LivePosition(span)
        writer.append(head.view.prefix(upTo: headCount(at: position)))
        for index in 0..<entries.count {
            let entry = entries[index]
            let isShown = entry.first <= position && span.cues.shows(start: entry.start, end: entry.end)
            let isBound = entry.target.map { position.has($0) } ?? false
            if span.isKnown, isShown || isBound, !entry.isUntimed {
                write(entry, in: span, &writer)
            }
        }
        writer.end()
    }

    /// How many bytes of the head the span at `position` has.
    private borrowing func headCount(at position: LivePosition) -> Int {
        for index in (0..<headParts.count).reversed() where headParts[index].first <= position {
            return headParts[index].end
        }
        return 0
    }

    private borrowing func write(_ entry: Entry, in span: LiveSpan, _ writer: inout PieceWriter) {
        let bytes = text.view[entry.offset..<(entry.offset + entry.byteCount)]
        let settingsStart = Int(entry.identifierCount)
        let textStart = settingsStart + Int(entry.settingsCount)
        configuration.name.withView { writer.append($0) }
        writer.append(ASCII.period)
        writer.append(digits: entry.number)
        if entry.isOpen {
            // A part of it in each span, each with a name of its own.
            writer.append(ASCII.period)
            writer.append(digits: span.segment)
            if let part = span.part {
                writer.append(ASCII.period)
                writer.append(digits: UInt64(clamping: part))
            }
        }
        if settingsStart > 0 {
            writer.append(ASCII.period)
            writer.append(bytes.prefix(upTo: settingsStart))
        }
        writer.append(ASCII.lineFeed)
        var (start, end) = (entry.start, entry.end)
        if entry.isOpen, entry.target == nil {
            start = max(start, (span.cues.start + 999_999) / 1_000_000)
            end = min(end, (span.cues.end ?? .max) / 1_000_000)
        }
        Timestamp(milliseconds: start).write(to: &writer)
        writer.append(" --> ")
        Timestamp(milliseconds: end).write(to: &writer)
        if textStart > settingsStart {
            writer.append(ASCII.space)
            writer.append(bytes[settingsStart..<textStart])
        }
        writer.append(ASCII.lineFeed)
        writer.append(bytes.suffix(from: textStart))
        writer.append(textStart < bytes.count ? "\n\n" : "\n")
    }
}
