internal import M3U8

// How much is kept, and what happens to the line that makes it too much.
extension SubtitleGroups {
    /// How much is kept of everything.
    struct Extent: BitwiseCopyable {
        fileprivate let text: Int
        fileprivate let groups: Int
        fileprivate let members: Int
        fileprivate let variables: Int
    }

    /// How much is kept now.
    var extent: Extent {
        Extent(text: text.count, groups: groups.count, members: members.count, variables: variables.count)
    }

    /// Whether more is kept than may be.
    var isOverfull: Bool {
        text.count + (groups.count + members.count + variables.count) * Self.entryCost > heldBytes
    }

    /// Where more is kept than may be, forgets what has been kept since `extent` and lets `line` end all editing.
    @discardableResult
    mutating func stopIfOverfull(_ line: SelectedLine, _ extent: Extent, _ edits: inout LineEdits) -> Bool {
        guard isOverfull else { return false }
        text.truncate(to: extent.text)
        groups.truncate(to: extent.groups)
        members.truncate(to: extent.members)
        variables.truncate(to: extent.variables)
        edits.stop(LimitError(.heldRenditions, bytes: heldBytes, position: line.position))
        return true
    }
}
