/// What a playlist turned out to be (RFC 8216 4.1).
public enum PlaylistVerdict: UInt8, CaseIterable, Sendable {
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
}

/// What a playlist turned out to be, and for a mixed one which kind came first: the edits may be meant for that one
/// alone.
enum DocumentKind: Int, CaseIterable {
    case undecided
    case multivariant
    case media
    case multivariantThenMedia
    case mediaThenMultivariant
    case notPlaylist

    /// The kind once a tag of `scope` has been seen.
    @inline(__always)
    func after(_ scope: TagName.Scope) -> DocumentKind {
        switch (self, scope) {
        case (.undecided, .multivariant): .multivariant
        case (.undecided, .media): .media
        case (.multivariant, .media): .multivariantThenMedia
        case (.media, .multivariant): .mediaThenMultivariant
        default: self
        }
    }

    /// Whether no tag that may come changes it.
    var isFinal: Bool { after(.multivariant) == self && after(.media) == self }

    /// The kinds that it may still become, and itself.
    var reachable: [DocumentKind] {
        let scopes = [TagName.Scope.multivariant, .media]
        return [self] + scopes.flatMap { first in [after(first)] + scopes.map { after(first).after($0) } }
    }

    /// The kind as users of the library know it.
    var verdict: PlaylistVerdict {
        switch self {
        case .undecided: .undecided
        case .multivariant: .multivariant
        case .media: .media
        case .multivariantThenMedia, .mediaThenMultivariant: .mixed
        case .notPlaylist: .notPlaylist
        }
    }
}
