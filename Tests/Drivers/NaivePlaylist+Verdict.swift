import M3U8
import Support

extension NaivePlaylist.Verdict {
    /// The same as the library's.
    public init(_ verdict: PlaylistVerdict) {
        self =
            switch verdict {
            case .undecided: .undecided
            case .multivariant: .multivariant
            case .media: .media
            case .mixed: .mixed
            case .notPlaylist: .notPlaylist
            }
    }
}
