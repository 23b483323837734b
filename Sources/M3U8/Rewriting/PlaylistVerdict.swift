/// What a playlist turned out to be (RFC 8216 4.1).
public enum PlaylistVerdict: CaseIterable, Equatable, Sendable {
    /// No tag has told yet.
    case undecided
    /// The first tag that tells is one of multivariant playlists.
    case multivariant
    /// The first tag that tells is one of media playlists.
    case media
    /// There are tags of both kinds, which RFC 8216 4.1 forbids.
    case mixed
    /// The first line is not `#EXTM3U`.
    case notPlaylist

    /// Its place among all cases.
    @inline(__always)
    package var index: Int {
        switch self {
        case .undecided: 0
        case .multivariant: 1
        case .media: 2
        case .mixed: 3
        case .notPlaylist: 4
        }
    }

    /// The verdict once a tag of `scope` has been seen.
    @inline(__always)
    package func after(_ scope: TagName.Scope) -> PlaylistVerdict {
        switch (self, scope) {
        case (.undecided, .multivariant): .multivariant
        case (.undecided, .media): .media
        case (.multivariant, .media), (.media, .multivariant): .mixed
        default: self
        }
    }
}
