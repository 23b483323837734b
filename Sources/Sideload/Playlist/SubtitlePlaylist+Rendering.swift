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
            text += segment.duration.spelling(decimals: 3)
            text += ByteView(options.omitsComma ? "\n" : ",\n")
            text += segment.uri
            text.append(ASCII.lineFeed)
        }
        text += ByteView("#EXT-X-ENDLIST\n")
        return text
    }

    /// In whole seconds, rounded up, since no segment may be longer (8216bis 4.4.3.1); at least 1.
    private static func targetDuration(of segments: [Segment]) -> UInt64 {
        segments.reduce(1) { max($0, $1.duration.secondsRoundedUp) }
    }
}
