package import Sideload
internal import WebVTT

extension TrackConfiguration {
    /// The track that the value of `--track` describes, `number` being its number among them, from 1.
    package init(option spec: String, number: Int) throws(Failure) {
        do {
            try self.init(spec: spec)
        } catch {
            let advice =
                switch error.reason {
                case .unknown:
                    " (see the help for the keys; a path comes first and ends in \(SubtitleFormat.endings()); put "
                        + "a backslash before a comma that belongs to a value)"
                case .noURI:
                    "; write uri=URI, or the path of a \(SubtitleFormat.endings(of: SubtitleFormat.ofFiles)) file first"
                default: ""
                }
            throw .usage("track \(number): \(error)\(advice)")
        }
        if format.isConverted {
            throw .usage(
                "track \(number): \(uri) is \(format.title), which players do not take; give a uri that ends in .vtt, and the "
                    + "file as file=")
        }
    }

    /// Where the track's file is, or its subtitle playlist.
    package var uri: String { track.uri }

    /// The track as a multivariant playlist has it that refers to it by `uri`.
    func track(uri: String) -> SubtitleTrack {
        var track = track
        track.uri = uri
        return track
    }
}
