/// What whoever runs a channel should be told, once each.
public struct LiveNotes: OptionSet, Equatable, Sendable, BitwiseCopyable {
    /// One bit each.
    public let rawValue: UInt32

    /// The notes of these bits.
    public init(rawValue: UInt32) { self.rawValue = rawValue }

    /// Nobody knows what cue time 0 is: segments have no cues. An anchor (`at=`) would help.
    public static var noAnchor: LiveNotes { LiveNotes(rawValue: 1) }
    /// The segment that cue time 0 is had gone by before the first version: segments have no cues.
    public static var anchorGone: LiveNotes { LiveNotes(rawValue: 2) }
    /// Segments tell no time stamp: those of that time line have no cues. A map (`map=`) would help.
    public static var noTimestamp: LiveNotes { LiveNotes(rawValue: 4) }
    /// Versions were missed, and nobody knows how long: segments have no cues. Dates in the playlist would help.
    public static var unknownGap: LiveNotes { LiveNotes(rawValue: 8) }
    /// An EXT-X-PROGRAM-DATE-TIME has no meaning, and counts as none.
    public static var malformedDate: LiveNotes { LiveNotes(rawValue: 16) }
    /// An EXT-X-PROGRAM-DATE-TIME has no time zone, and counts as UTC.
    public static var dateWithoutZone: LiveNotes { LiveNotes(rawValue: 32) }
    /// EXT-X-TARGETDURATION has changed, which it must not (8216bis 6.2.1).
    public static var targetDurationChanged: LiveNotes { LiveNotes(rawValue: 64) }
    /// A segment has changed from one version to the next; the first stays.
    public static var segmentChanged: LiveNotes { LiveNotes(rawValue: 128) }
    /// Versions have been missed.
    public static var missed: LiveNotes { LiveNotes(rawValue: 256) }
    /// The stream has begun anew, with other numbers or other segments.
    public static var restarted: LiveNotes { LiveNotes(rawValue: 512) }
    /// The dates and the clock of the media have parted by more than 50 ms.
    public static var parted: LiveNotes { LiveNotes(rawValue: 1024) }
}

extension LiveNotes {
    /// Each note, and what it says in words.
    package static var all: [(note: LiveNotes, words: StaticString)] {
        [
            (.noAnchor, "nobody knows what the cues' time 0 is, so segments have none; give the track its at="),
            (.anchorGone, "the segment at which the cues begin had gone by, so segments have none; give at= a date"),
            (.noTimestamp, "segments tell no time stamp, so those beside them have no cues; give a map"),
            (
                .unknownGap,
                "segments were missed, nobody knows how long, so the next ones have no cues; dates would help"
            ),
            (.malformedDate, "an EXT-X-PROGRAM-DATE-TIME has no meaning, and counts for nothing"),
            (.dateWithoutZone, "an EXT-X-PROGRAM-DATE-TIME has no time zone, and counts as UTC"),
            (.targetDurationChanged, "EXT-X-TARGETDURATION has changed, which it must not (8216bis 6.2.1)"),
            (.segmentChanged, "a segment has changed from one version to the next; the first counts"),
            (.missed, "segments were missed"),
            (.restarted, "the stream has begun anew"),
            (.parted, "the dates and the time stamps have parted by more than 50 ms; the dates count"),
        ]
    }

    /// What each of the notes says, in words, in the order of their bits.
    public var messages: [StaticString] { Self.all.filter { contains($0.note) }.map { $0.words } }
}
