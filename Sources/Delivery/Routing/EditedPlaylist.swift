public import M3U8

/// A playlist as a player gets it, and what there is to know of it.
public struct EditedPlaylist: Equatable, Sendable {
    /// The playlist.
    public let resource: Resource

    /// What it is. Of the entry: a media playlist has got no tracks, and can be wrapped into a multivariant one.
    public let verdict: PlaylistVerdict

    /// How many bytes of tags were added at its end; 0 for a media playlist.
    public let addedBytes: Int

    /// The number of variants that could not be given a group, or whose group could not be read.
    public let uneditableLines: Int

    /// The number of URIs that were left alone because they refer to a variable without a value.
    public let unresolvedURIs: Int

    /// The limit that was exceeded, if any; editing ended there.
    public let exceededLimit: LimitError?
}

extension EditedPlaylist {
    /// A resource that is no playlist, or one that is made here: there is nothing to know of it.
    package init(_ resource: Resource) {
        self.init(
            resource: resource, verdict: .undecided, addedBytes: 0, uneditableLines: 0, unresolvedURIs: 0,
            exceededLimit: nil)
    }
}
