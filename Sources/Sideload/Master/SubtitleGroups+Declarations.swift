internal import ByteScan
internal import M3U8

// What is appended to the playlist once it has passed by.
extension SubtitleGroups {
    /// A track in this playlist: its texts after variables have been put in.
    struct NamedTrack: BitwiseCopyable {
        let uri: Span
        /// NAME once it is unique.
        let name: Span
        /// DEFAULT, the same in every group.
        let isDefault: Bool
    }

    /// Writes a tag for every track into every group that lacks it. A synthesized group gets the renditions of the
    /// template group first.
    mutating func declare(lineEnding: ByteView, into output: inout ReusableBuffer<UInt8>) {
        chooseNames()
        for group in 0..<ledger.groupCount {
            let isSynthesized = !ledger.isDeclared(group: group)
            let source = isSynthesized ? ledger.templateGroup : group
            let first = source.flatMap { ledger.firstRendition(of: $0) }
            var next = first
            while let number = next {
                let rendition = ledger.renditions[number]
                if isSynthesized {
                    writeCopy(of: rendition, in: group, to: &output)
                    output.append(lineEnding)
                }
                next = rendition.next
            }
            for number in tracks.rendered.indices {
                let track = tracks.rendered[number]
                let named = namedTracks[number]
                if isListed(named.uri, from: first) { continue }
                track.write(
                    into: &output, group: ledger.text.view(ledger.name(ofGroup: group)),
                    name: ledger.text.view(named.name),
                    isDefault: named.isDefault)
                output.append(lineEnding)
            }
        }
    }

    /// Whether the track at `uri`, which asks to be the default, is it: its tag is the same in every group (8216bis
    /// 4.4.6.1.1), so no group may keep a default of its own, nor have the track without DEFAULT=YES.
    private func isDefaultInAllGroups(_ uri: Span) -> Bool {
        for number in 0..<ledger.renditions.count {
            let rendition = ledger.renditions[number]
            let isTrack = ledger.text.view(rendition.uri) == ledger.text.view(uri)
            if isTrack != (rendition.role == .groupDefault) { return false }
        }
        return true
    }

    /// Whether `uri` is that of a rendition in the list that begins with `first`.
    private func isListed(_ uri: Span, from first: Int?) -> Bool {
        var next = first
        while let number = next {
            if ledger.text.view(ledger.renditions[number].uri) == ledger.text.view(uri) { return true }
            next = ledger.renditions[number].next
        }
        return false
    }

    /// Gives every track a name that no other rendition has, the same in all groups.
    ///
    /// A track that is in the playlist already keeps the name it has there, unless another rendition has that too, or
    /// the name could not be written in quotes again.
    private mutating func chooseNames() {
        for track in tracks.rendered {
            let uri = ledger.resolve(track.uri)
            let isDefault = track.isDefault && isDefaultInAllGroups(uri)
            if let known = name(ofRenditionAt: uri), isQuotable(known), !isTaken(known, besides: uri) {
                namedTracks.append(NamedTrack(uri: uri, name: known, isDefault: isDefault))
                continue
            }
            var name = ledger.resolve(track.name)
            if isTaken(name, besides: uri) {
                let number = firstFreeNumber(after: name, besides: uri)
                ledger.text.append(ASCII.space)
                ledger.text.append(decimal: UInt64(number))
                name = ledger.text.span(from: name.start)
            }
            namedTracks.append(NamedTrack(uri: uri, name: name, isDefault: isDefault))
        }
    }

    /// The name of the first rendition with that URI, in any group.
    private func name(ofRenditionAt uri: Span) -> Span? {
        for number in 0..<ledger.renditions.count
        where ledger.text.view(ledger.renditions[number].uri) == ledger.text.view(uri) {
            return ledger.renditions[number].name
        }
        return nil
    }

    /// Whether `name` has bytes, and none that a quoted string may not have.
    private func isQuotable(_ name: Span) -> Bool { name.count > 0 && ledger.text.view(name).isQuotable }

    /// The lowest number from 2 on that makes a free name of `name`: a space and the number come after it.
    ///
    /// All renditions and earlier tracks are asked once, so that numbers which are taken in order cost no more than
    /// others. Of as many numbers as there are of them, and one more, one is free.
    private mutating func firstFreeNumber(after name: Span, besides uri: Span) -> Int {
        let count = ledger.renditions.count + namedTracks.count
        takenNumbers.removeAll()
        for _ in 0...count { takenNumbers.append(false) }
        for index in 0..<count {
            let isRendition = index < ledger.renditions.count
            let other = isRendition ? ledger.renditions[index].name : namedTracks[index - ledger.renditions.count].name
            guard let number = number(in: other, after: name), number - 2 <= count else { continue }
            if isRendition, ledger.text.view(ledger.renditions[index].uri) == ledger.text.view(uri) { continue }
            takenNumbers[number - 2] = true
        }
        var number = 2
        while takenNumbers[number - 2] { number += 1 }
        return number
    }

    /// The number from 2 on that `other` has after `name` and a space, written as numbers are.
    private func number(in other: Span, after name: Span) -> Int? {
        let (text, name) = (ledger.text.view(other), ledger.text.view(name))
        guard text.count > name.count + 1, text.hasBytes(name, at: 0), text[name.count] == ASCII.space else {
            return nil
        }
        let digits = text.suffix(from: name.count + 1)
        // More digits than nine are more than there can be renditions.
        guard digits.count <= 9, digits[0] != ASCII.zero else { return nil }
        var number = 0
        for byte in digits {
            guard let digit = ASCII.digit(byte) else { return nil }
            number = number * 10 + Int(digit)
        }
        return number >= 2 ? number : nil
    }

    /// Whether a rendition with another URI, or an earlier track, has the name `name`.
    private func isTaken(_ name: Span, besides uri: Span) -> Bool {
        let text = ledger.text.view(name)
        for number in 0..<ledger.renditions.count where ledger.text.view(ledger.renditions[number].name) == text {
            if ledger.text.view(ledger.renditions[number].uri) != ledger.text.view(uri) { return true }
        }
        for number in 0..<namedTracks.count {
            let other = namedTracks[number].name
            if other.count == name.count, ledger.text.view(other) == text { return true }
        }
        return false
    }

    /// Writes a rendition's tag again for another group: the same bytes but for GROUP-ID and a default that gave way.
    ///
    /// Of duplicates the first is changed, and one without a value gets one, as in edits of the playlist's own tags.
    private func writeCopy(
        of rendition: RenditionLedger.Rendition, in group: Int, to output: inout ReusableBuffer<UInt8>
    ) {
        let line = ledger.text.view(rendition.line)
        var written = 0
        var keepsGroup = true
        var keepsDefault = rendition.role == .formerDefault
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
                output.append(ledger.text.view(ledger.name(ofGroup: group)))
                output.append(ASCII.quote)
            } else {
                keepsDefault = false
                output.append(ByteView("NO"))
            }
        }
        output.append(line.suffix(from: written))
    }
}
