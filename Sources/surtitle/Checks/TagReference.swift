internal import M3U8

/// What a tag of a playlist refers to, beside segments, variants and renditions.
struct TagReference {
    let uri: String
    let location: LineLocation
    /// Whether a media playlist is at its end, or anything else.
    let isPlaylist: Bool

    /// The references of `line`, whose attributes are `values`; none to what is still to come or is no file.
    static func all(of tag: TagName, _ values: TagValues, at location: LineLocation) -> [TagReference] {
        switch tag {
        // These come by URIs of their own room, or may not be there yet.
        case .media, .preloadHint, .prefetch, .twitchPrefetch: return []
        case .key, .sessionKey: if values["METHOD"] == "NONE" { return [] }
        default: break
        }
        let names = ["URI", "SERVER-URI", "X-ASSET-URI", "X-ASSET-LIST"]
        return names.compactMap { values[$0] }.map { uri in
            TagReference(uri: uri, location: location, isPlaylist: tag == .iFrameStreamInf)
        }
    }
}
