internal import ByteScan
internal import M3U8

extension Router {
    /// What `playlist`, the entry as the player gets it, calls the tracks: the NAMEs of each track's renditions, by the
    /// track's index. None for a track that is not in it.
    ///
    /// A track has another NAME than its own where a group has that already.
    package func listedNames(in playlist: [UInt8]) -> [[[UInt8]]] {
        var names = [[[UInt8]]](repeating: [], count: tracks.count)
        _ = PlaylistFacts(of: playlist) { line, _ in
            guard line.kind == .tag(.media), let uri = line.content(of: "URI"),
                let index = tracks.firstIndex(where: { uri.elementsEqual($0.rendition) }),
                let name = line.content(of: "NAME").map({ Array($0) }), !names[index].contains(name)
            else { return }
            names[index].append(name)
        }
        return names
    }

    /// Where the addresses of ours are that a subtitle playlist, as the player gets it, has for its files.
    ///
    /// One that holds a variable is not among them: what it names shows once the player has put the value in.
    package func filePlaces(in playlist: [UInt8]) -> [Range<Int>] {
        let addresses = served ?? addresses
        var found: [Range<Int>] = []
        _ = PlaylistFacts(of: playlist) { line, _ in
            guard line.kind == .uri, !URIReference(line.bytes).holdsVariable else { return }
            let address = Array(line.bytes)
            let isOfTrack = RouteAddresses.begins(address, with: addresses.trackPrefix[...])
            guard isOfTrack || addresses.recognise(address)?.role == .cues else { return }
            found.append(line.position..<(line.position + address.count))
        }
        return found
    }
}
