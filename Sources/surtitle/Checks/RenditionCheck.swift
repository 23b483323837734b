internal import M3U8
internal import WebVTT

/// The video that subtitles are held against: the first variant with video that can be read.
struct CheckedVideo {
    let name: String
    let facts: PlaylistFacts
    /// The map of each timeline; nil where it is not known.
    let maps: [TimestampMap?]
}

// What the playlist of subtitles must have in common with the video's (8216bis 6.2.4):
//
//     its end           EXT-X-ENDLIST if the video has it, and then a duration that covers the video's (AAS 5.5, 8.7)
//     its segments      EXT-X-TARGETDURATION, unless both are VOD
//     its clock         EXT-X-PROGRAM-DATE-TIME, EXT-X-DISCONTINUITY and their sequence number

/// Holds a playlist of subtitles against the video's.
struct RenditionCheck {
    /// By how much subtitles may be shorter than the video, in nanoseconds.
    private static let tolerance: UInt64 = 500_000_000

    private let name: String
    private let own: PlaylistFacts
    private let video: CheckedVideo
    private let findings: Findings

    init(_ media: MediaCheck, beside video: CheckedVideo, _ findings: Findings) {
        (name, own, self.video, self.findings) = (media.text.name, media.facts, video, findings)
    }

    func check() {
        let whole = video.facts
        if whole.isComplete, !own.isComplete {
            broken("no EXT-X-ENDLIST, though the video has one: players load the playlist again and again")
        }
        if whole.isComplete, own.duration.nanoseconds &+ Self.tolerance < whole.duration.nanoseconds {
            broken(
                "the subtitles last \(own.duration.text) s, and the video \(whole.duration.text) s, which they must cover "
                    + "(AAS 5.5, 8.7); make them with --media")
        }
        if own.playlistType != .vod, own.targetDuration != whole.targetDuration, let target = whole.targetDuration {
            broken(
                "EXT-X-TARGETDURATION is not the video's, \(target), which only EXT-X-PLAYLIST-TYPE:VOD allows "
                    + "(8216bis 6.2.4)")
        }
        if own.playlistType != whole.playlistType {
            findings.doubtful(name, nil, "EXT-X-PLAYLIST-TYPE is another than the video's")
        }
        if whole.programDateTime != nil, own.programDateTime == nil {
            broken("no EXT-X-PROGRAM-DATE-TIME, though the video has one (8216bis 6.2.4)")
        } else if let date = own.programDateTime, let other = whole.programDateTime, date.bytes != other.bytes {
            findings.doubtful(
                name, nil, "EXT-X-PROGRAM-DATE-TIME is another than the video's; the first segments must begin together"
            )
        }
        if own.timelines.count != whole.timelines.count || own.sequence != whole.sequence {
            broken(
                "\(own.timelines.count) timelines from EXT-X-DISCONTINUITY-SEQUENCE \(own.sequence) on, and the video has "
                    + "\(whole.timelines.count) from \(whole.sequence) on: behind the first EXT-X-DISCONTINUITY cues show at "
                    + "other times (8216bis 6.2.4)")
        }
    }

    private func broken(_ sentence: String) { findings.broken(name, nil, sentence) }
}

extension PlaylistFacts {
    fileprivate var sequence: UInt64 { discontinuitySequence ?? 0 }
}

extension DecimalSeconds {
    /// In seconds, with three decimals.
    var text: String { Timestamp(milliseconds: Int64(clamping: nanoseconds / 1_000_000)).seconds }
}
