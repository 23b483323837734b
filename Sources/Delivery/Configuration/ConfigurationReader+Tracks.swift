internal import ByteScan
internal import M3U8
internal import Sideload

extension ConfigurationReader {
    /// A track's keys, where the track begins, and where the value of each key does.
    private struct PlacedFields {
        let start: Int
        var fields = TrackFields()
        var places: [(key: StaticString, position: Int)] = []
    }

    /// The tracks, which are checked as ``SubtitleTracks`` checks them.
    mutating func tracks() throws(ConfigurationError) -> [TrackConfiguration] {
        var tracks: [TrackConfiguration] = []
        var placed: [PlacedFields] = []
        try enterArray(next())
        let base = path.count
        while let event = try element() {
            let index = placed.count
            guard index < Configuration.mostTracks else { throw failure(.contradiction("there are too many tracks")) }
            placed.append(PlacedFields(start: position))
            try enterObject(event)
            while let key = try key(TrackKey.self) { try read(key, &placed[index]) }
            do {
                tracks.append(try placed[index].fields.finished())
            } catch {
                guard error.reason != .noURI else {
                    throw failure(.missing("uri"), of: nil, placed[index], base, index)
                }
                let key = error.key.withView { TrackKey($0)?.name }
                throw failure(.trackKey(error), of: key, placed[index], base, index)
            }
        }
        if tracks.isEmpty { return [] }
        do {
            try SubtitleTracks.check(tracks)
        } catch {
            let index = error.track ?? 0
            let kind = ConfigurationError.Reason.Kind.track(error.reason, error.field)
            throw failure(kind, of: placed[index].fields.key(of: error), placed[index], base, index)
        }
        return tracks
    }

    /// An error of the track number `index` of the array whose path has `base` bytes, and of its `key` if it is a
    /// matter of one.
    private mutating func failure(
        _ kind: ConfigurationError.Reason.Kind, of key: StaticString?, _ placed: PlacedFields, _ base: Int, _ index: Int
    ) -> ConfigurationError {
        path.removeLast(path.count - base)
        append(index: index)
        var position = placed.start
        if let key {
            append(key)
            for place in placed.places where ByteView(place.key) == key { position = place.position }
        }
        return failure(kind, at: position)
    }

    private mutating func read(_ key: TrackKey, _ placed: inout PlacedFields) throws(ConfigurationError) {
        switch key.form {
        case .flag: placed.fields.read(key, try truth())
        case .time, .shift: try read(key, numberOrText(), &placed)
        case .text, .word, .anchor: try read(key, view(next()), &placed)
        }
        placed.places.append((key.name, position))
    }

    private func read(_ key: TrackKey, _ text: ByteView, _ placed: inout PlacedFields) throws(ConfigurationError) {
        try refusing(try placed.fields.read(key, text)) { failure(.trackKey($0)) }
    }
}
