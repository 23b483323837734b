internal import ByteScan

// How much is going to be appended.
//
// A tag is written for every track in every group, and for every rendition of the template group in every group that is
// synthesized: products of two numbers that the playlist chooses. They are estimated from sums that are updated line by
// line, never too low, so the first line that makes them exceed the limit is known.

/// Sums over the groups and renditions of a playlist; of no use once a limit has been exceeded.
struct AppendBudget: BitwiseCopyable {
    private var groupCount: Int64 = 0
    private var groupNameBytes: Int64 = 0
    /// Of the groups that the playlist does not declare.
    private var synthesizedCount: Int64 = 0
    private var synthesizedNameBytes: Int64 = 0
    /// Of the renditions of the template group.
    private var templateCount: Int64 = 0
    private var templateLineBytes: Int64 = 0
    private var longestName: Int64 = 0
    private var longestValue: Int64 = 0

    /// Counts a group that is used and not yet declared.
    mutating func countGroup(name: TextArena.Span) {
        groupCount += 1
        groupNameBytes += Int64(name.count)
        synthesizedCount += 1
        synthesizedNameBytes += Int64(name.count)
    }

    /// Counts the group of that name as declared.
    mutating func countDeclaration(name: TextArena.Span) {
        synthesizedCount -= 1
        synthesizedNameBytes -= Int64(name.count)
    }

    mutating func countRendition(_ rendition: RenditionLedger.Rendition, isInTemplate: Bool) {
        longestName = max(longestName, Int64(rendition.name.count))
        guard isInTemplate else { return }
        templateCount += 1
        templateLineBytes += Int64(rendition.line.count)
    }

    mutating func countVariable(value: Int) { longestValue = max(longestValue, Int64(value)) }

    /// No fewer bytes than would be appended if the playlist ended here.
    func byteCount(for tracks: TrackSizes) -> Int64 {
        // A track has its own name or that of a rendition.
        let names = tracks.count * longestName + tracks.nameReferences * longestValue
        // The fallback group may come on top.
        let fallback = tracks.fallbackBytes + tracks.fallbackReferences * longestValue
        let trackBytes = (groupCount + 1) * (tracks.tagBytes + names) + tracks.count * (groupNameBytes + fallback)
        // A copy gains the new group's name, perhaps two quotes, and a line ending.
        let copyBytes =
            synthesizedCount * (templateLineBytes + templateCount * 4) + templateCount * synthesizedNameBytes
        return trackBytes + copyBytes
    }
}

/// What decides how large the tags of a group become.
struct TrackSizes: Sendable {
    /// How many tracks there are.
    let count: Int64
    /// The bytes of all tags, with line endings and the highest number after NAME, without the group's name.
    let tagBytes: Int64
    /// How many variables the names refer to.
    let nameReferences: Int64
    let fallbackBytes: Int64
    let fallbackReferences: Int64

    init(_ tracks: [RenderedTrack], fallbackGroup: ByteView) {
        // A space and the highest number after NAME, and the line ending.
        let highest = 3 + DecimalDigits(.max).reduce(0) { (count, _) in count + 1 }
        var tags = 0
        var references = 0
        for track in tracks {
            tags += track.longestTag + highest
            references += track.name.count { $0 == ASCII.dollar }
        }
        count = Int64(tracks.count)
        tagBytes = Int64(tags)
        nameReferences = Int64(references)
        fallbackBytes = Int64(fallbackGroup.count)
        fallbackReferences = Int64(fallbackGroup.count { $0 == ASCII.dollar })
    }
}
