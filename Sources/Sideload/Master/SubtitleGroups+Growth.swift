internal import ByteScan

// How much is going to be appended.
//
// Tags are written for every track in every group, and for every rendition of the first declared group in every group that
// had to be made: products of two numbers that the playlist chooses. They are reckoned from sums that are kept up line by
// line, so that the line is known that makes it too much.
extension SubtitleGroups {
    /// Sums over the groups and renditions that are known.
    struct Growth: BitwiseCopyable {
        private var groupCount: Int64 = 0
        private var groupNameBytes: Int64 = 0
        /// Of the groups that the playlist does not declare.
        private var madeCount: Int64 = 0
        private var madeNameBytes: Int64 = 0
        /// Of the renditions of the first declared group.
        private var modelCount: Int64 = 0
        private var modelLineBytes: Int64 = 0
        private var longestName: Int64 = 0
        private var longestValue: Int64 = 0

        /// Notes a group that is used and not yet declared.
        mutating func noteGroup(name: Span) {
            groupCount += 1
            groupNameBytes += name.count
            madeCount += 1
            madeNameBytes += name.count
        }

        /// Notes that the group of that name is declared after all.
        mutating func noteDeclaration(name: Span) {
            madeCount -= 1
            madeNameBytes -= name.count
        }

        mutating func noteRendition(_ member: Member, isOfModel: Bool) {
            longestName = max(longestName, member.name.count)
            guard isOfModel else { return }
            modelCount += 1
            modelLineBytes += member.line.count
        }

        mutating func noteVariable(_ variable: Variable) { longestValue = max(longestValue, variable.value.count) }

        /// No fewer bytes than would be appended if the playlist ended here.
        func bytes(_ tracks: SubtitleTracks) -> Int64 {
            let sizes = tracks.sizes
            // A track goes by its own name or by that of a rendition.
            let names = sizes.count * longestName + sizes.nameReferences * longestValue
            // The fallback group may come on top.
            let fallback = sizes.fallbackBytes + sizes.fallbackReferences * longestValue
            let tracksBytes = (groupCount + 1) * (sizes.tagBytes + names) + sizes.count * (groupNameBytes + fallback)
            // A clone gains the new group's name, perhaps two quotes, and a line ending.
            let clonesBytes = madeCount * (modelLineBytes + modelCount * 4) + modelCount * madeNameBytes
            return tracksBytes + clonesBytes
        }
    }
}

extension SubtitleTracks {
    /// What tells how large the tags of a group become.
    struct Sizes: Sendable {
        /// How many tracks there are.
        let count: Int64
        /// How many bytes all tags take, line endings included and the group's name not, with the highest number behind NAME.
        let tagBytes: Int64
        /// How many variables the names refer to.
        let nameReferences: Int64
        let fallbackBytes: Int64
        let fallbackReferences: Int64

        init(_ tracks: [RenderedTrack], fallbackGroup: [UInt8]) {
            var tags = ReusableBuffer<UInt8>()
            var references = 0
            for track in tracks {
                track.write(into: &tags, group: ByteView(), name: track.name, isDefault: true)
                tags.append(ASCII.space)
                tags.append(contentsOf: DecimalDigits(.max))
                tags.append(ByteView("\r\n"))
                references += track.name.count { $0 == UInt8(ascii: "$") }
            }
            count = Int64(tracks.count)
            tagBytes = Int64(tags.count)
            nameReferences = Int64(references)
            fallbackBytes = Int64(fallbackGroup.count)
            fallbackReferences = Int64(fallbackGroup.count { $0 == UInt8(ascii: "$") })
        }
    }
}

extension SubtitleGroups.Span {
    fileprivate var count: Int64 { Int64(end - start) }
}
