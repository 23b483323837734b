internal import ByteScan

extension SubtitlePlaylist {
    static func render<Sink: ByteSink & ~Copyable>(
        _ segments: [Segment], _ options: Options, into sink: inout Sink
    ) {
        sink.append("#EXTM3U\n#EXT-X-VERSION:3\n#EXT-X-TARGETDURATION:")
        sink.append(decimal: options.targetDuration ?? targetDuration(of: segments))
        sink.append("\n#EXT-X-MEDIA-SEQUENCE:0\n")
        if let sequence = options.discontinuitySequence {
            sink.append("#EXT-X-DISCONTINUITY-SEQUENCE:")
            sink.append(decimal: sequence)
            sink.append("\n")
        }
        switch options.playlistType {
        case .vod: sink.append("#EXT-X-PLAYLIST-TYPE:VOD\n")
        case .event: sink.append("#EXT-X-PLAYLIST-TYPE:EVENT\n")
        case nil: break
        }
        if let date = options.programDateTime {
            sink.append("#EXT-X-PROGRAM-DATE-TIME:")
            sink.append(contentsOf: date)
            sink.append("\n")
        }
        for segment in segments {
            if segment.isDiscontinuous { sink.append("#EXT-X-DISCONTINUITY\n") }
            sink.append(contentsOf: segment.key)
            sink.append("#EXTINF:")
            sink.append(segment.duration)
            sink.append(options.omitsComma ? "\n" : ",\n")
            sink.append(contentsOf: segment.uri)
            sink.append("\n")
        }
        sink.append("#EXT-X-ENDLIST\n")
    }

    /// In whole seconds, rounded up, since no segment may be longer (8216bis 4.4.3.1); at least 1.
    private static func targetDuration(of segments: [Segment]) -> UInt64 {
        var longest: UInt64 = 1
        for segment in segments { longest = max(longest, segment.duration.secondsRoundedUp) }
        return longest
    }
}

/// What a playlist is rendered into: an array, a buffer, or only a count.
protocol ByteSink: ~Copyable {
    mutating func append(contentsOf bytes: some Sequence<UInt8>)
}

extension ByteSink where Self: ~Copyable {
    mutating func append(_ literal: StaticString) { unsafe append(contentsOf: ByteView(literal).buffer) }

    mutating func append(decimal value: UInt64, minimumCount: Int = 1) {
        append(contentsOf: DecimalDigits(value, minimumCount: minimumCount))
    }

    /// Appends a duration above 0, in seconds, with three decimals, and up to six more without a 0 at the end.
    mutating func append(_ duration: MediaDuration) {
        let (seconds, thousandths) = duration.milliseconds.magnitude.quotientAndRemainder(dividingBy: 1000)
        append(decimal: seconds)
        append(".")
        let billionths = thousandths * 1_000_000 + UInt64(duration.nanosecondRest.magnitude)
        append(contentsOf: DecimalDigits(billionths: billionths, minimumCount: 3))
    }
}

extension [UInt8]: ByteSink {}

extension ReusableBuffer: ByteSink where Element == UInt8 {}

/// Counts the bytes that would have been written.
struct ByteCount: ByteSink {
    private(set) var count = 0

    mutating func append(contentsOf bytes: some Sequence<UInt8>) { for _ in bytes { count += 1 } }
}
