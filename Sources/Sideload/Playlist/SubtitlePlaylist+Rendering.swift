internal import ByteScan

extension SubtitlePlaylist {
    static func rendered(_ segments: [Segment], _ options: Options) -> [UInt8] {
        var text = Array(ByteView("#EXTM3U\n#EXT-X-VERSION:3\n#EXT-X-TARGETDURATION:"))
        text += DecimalDigits(options.targetDuration ?? targetDuration(of: segments))
        text += ByteView("\n#EXT-X-MEDIA-SEQUENCE:0\n")
        if let sequence = options.discontinuitySequence {
            text += ByteView("#EXT-X-DISCONTINUITY-SEQUENCE:")
            text += DecimalDigits(sequence)
            text.append(ASCII.lineFeed)
        }
        switch options.playlistType {
        case .vod: text += ByteView("#EXT-X-PLAYLIST-TYPE:VOD\n")
        case .event: text += ByteView("#EXT-X-PLAYLIST-TYPE:EVENT\n")
        case nil: break
        }
        if let date = options.programDateTime {
            text += ByteView("#EXT-X-PROGRAM-DATE-TIME:")
            text += date + [ASCII.lineFeed]
        }
        for segment in segments {
            if segment.isDiscontinuous { text += ByteView("#EXT-X-DISCONTINUITY\n") }
            text += segment.key
            text += ByteView("#EXTINF:")
            append(segment.duration, to: &text)
            text += ByteView(options.omitsComma ? "\n" : ",\n")
            text += segment.uri
            text.append(ASCII.lineFeed)
        }
        text += ByteView("#EXT-X-ENDLIST\n")
        return text
    }

    /// Appends a duration above 0, in seconds, with three decimals, and up to six more without a 0 at the end.
    private static func append(_ duration: MediaDuration, to text: inout [UInt8]) {
        let (seconds, thousandths) = duration.milliseconds.magnitude.quotientAndRemainder(dividingBy: 1000)
        text += DecimalDigits(seconds)
        text.append(ASCII.period)
        let billionths = thousandths * 1_000_000 + UInt64(duration.nanosecondRest.magnitude)
        text += DecimalDigits(billionths: billionths, minimumCount: 3)
    }

    /// In whole seconds, rounded up, since no segment may be longer (8216bis 4.4.3.1); at least 1.
    private static func targetDuration(of segments: [Segment]) -> UInt64 {
        segments.reduce(1) { max($0, $1.duration.secondsRoundedUp) }
    }
}
