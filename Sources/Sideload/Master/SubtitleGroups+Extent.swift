internal import ByteScan
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
        text.count + (groups.count + members.count + variables.count) * Self.entryCost
            + variables.count * Self.variableCost > limits.heldRenditions
    }

    /// Where more is kept than may be, or would have to be appended, forgets what has been kept since `extent` and lets
    /// `line` end all editing.
    @discardableResult
    mutating func stopIfOverfull(
        _ line: SelectedLine, _ extent: Extent, _ edits: inout LineEdits
    ) -> Bool {
        if isOverfull {
            stop(LimitError(.heldRenditions, bytes: limits.heldRenditions, position: line.position), extent, &edits)
            return true
        }
        if growth.bytes(tracks) > limits.appendedTags {
            stop(LimitError(.appendedTags, bytes: limits.appendedTags, position: line.position), extent, &edits)
            return true
        }
        return false
    }

    /// The same where the group called `name` has too long a name.
    mutating func stopIfTooLong(
        _ name: Span, _ line: SelectedLine, _ extent: Extent, _ edits: inout LineEdits
    ) -> Bool {
        guard name.end - name.start > limits.longestGroupID else { return false }
        stop(LimitError(.longestGroupID, bytes: limits.longestGroupID, position: line.position), extent, &edits)
        return true
    }

    private mutating func stop(_ error: LimitError, _ extent: Extent, _ edits: inout LineEdits) {
        text.truncate(to: extent.text)
        groups.truncate(to: extent.groups)
        members.truncate(to: extent.members)
        variables.truncate(to: extent.variables)
        edits.stop(error)
    }
}
