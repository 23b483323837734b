internal import ByteScan
internal import M3U8

// What is appended to the playlist once it has passed by.
extension SubtitleGroups {
    /// Writes a tag for every track into every group that lacks it, and the members of the first declared group into
    /// those groups that had to be made.
    mutating func declare(
        lineEnding: ByteView, into output: inout ReusableBuffer<UInt8>
    ) {
        chooseNames()
        for group in 0..<groups.count {
            let source = groups[group].isDeclared ? group : model
            var hasDefault = false
            for index in 0..<members.count where members[index].group == source {
                hasDefault = hasDefault || members[index].isDefault
                if source != group {
                    writeClone(of: members[index], into: &output, group: group)
                    output.append(lineEnding)
                }
            }
            for number in tracks.rendered.indices {
                let track = tracks.rendered[number]
                let named = namedTracks[number]
                if member(of: source, uri: named.uri) != nil { continue }
                track.write(
                    into: &output, group: view(groups[group].name), name: view(named.name),
                    isDefault: track.isDefault && !hasDefault)
                output.append(lineEnding)
            }
        }
    }

    /// The first rendition with that URI, of `group`, or of any where `group` is nil.
    private func member(of group: Int?, uri: Span) -> Int? {
        for index in 0..<members.count where group == nil || members[index].group == group {
            if view(members[index].uri) == view(uri) { return index }
        }
        return nil
    }

    /// Finds every track a name that no other rendition has, the same in all groups.
    ///
    /// A track that is in the playlist already goes by the name it has there, unless another rendition has that too, or
    /// the name could not be written in quotes again.
    private mutating func chooseNames() {
        for track in tracks.rendered {
            let uri = keepResolved(track.uri)
            if let known = member(of: nil, uri: uri), isQuotable(members[known].name),
                !isTaken(members[known].name, besides: uri)
            {
                namedTracks.append(NamedTrack(uri: uri, name: members[known].name))
                continue
            }
            var name = keepResolved(track.name)
            var number: UInt64 = 2
            while isTaken(name, besides: uri) {
                text.truncate(to: name.start)
                _ = keepResolved(track.name)
                text.append(ASCII.space)
                text.append(contentsOf: DecimalDigits(number))
                name = Span(start: name.start, end: text.count)
                number += 1
            }
            namedTracks.append(NamedTrack(uri: uri, name: name))
        }
    }

    /// Whether `name` is one, and holds nothing that a quoted string may not (8216bis 4.2).
    private func isQuotable(_ name: Span) -> Bool {
        let name = view(name)
        return !name.isEmpty && !name.contains { $0 == ASCII.quote || $0 == ASCII.carriageReturn }
    }

    /// Whether a rendition with another URI or an earlier track goes by `name`.
    private func isTaken(_ name: Span, besides uri: Span) -> Bool {
        for index in 0..<members.count where view(members[index].name) == view(name) {
            if view(members[index].uri) != view(uri) { return true }
        }
        for index in 0..<namedTracks.count where view(namedTracks[index].name) == view(name) { return true }
        return false
    }

    /// Writes a rendition's tag again for another group: the same bytes but for GROUP-ID and a default that gave way.
    ///
    /// Of duplicates the first is changed, and one without a value gets one, as where the playlist's own tags are edited.
    private func writeClone(of member: Member, into output: inout ReusableBuffer<UInt8>, group: Int) {
        let line = view(member.line)
        var written = 0
        var keepsGroup = true
        var keepsDefault = member.losesDefault
        var scanner = AttributeScanner(ofTag: line, from: ByteView("#EXT-X-MEDIA:").count)
        while let attribute = scanner.next() {
            let isGroup = keepsGroup && line[attribute.name] == "GROUP-ID"
            guard isGroup || (keepsDefault && line[attribute.name] == "DEFAULT") else { continue }
            output.append(line[written..<attribute.value.lowerBound])
            if !attribute.hasValue { output.append(ASCII.equals) }
            written = attribute.value.upperBound
            if isGroup {
                keepsGroup = false
                output.append(ASCII.quote)
                output.append(view(groups[group].name))
                output.append(ASCII.quote)
            } else {
                keepsDefault = false
                output.append(ByteView("NO"))
            }
        }
        output.append(line.suffix(from: written))
    }
}
