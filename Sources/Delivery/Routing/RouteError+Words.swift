// What is wrong in words that are there in Embedded Swift too, without the values that a description puts in.

extension RouteError {
    /// What is wrong.
    package var words: StaticString {
        switch kind {
        case .noMaster: "there is no \"master\"; add the URL of the multivariant playlist"
        case .master: "the multivariant playlist's URL is no http or https URL with a host"
        case .base: "the base for WebVTT files is no http or https URL that ends in a slash"
        case .ambiguousMaster: "the multivariant playlist's URL lies where the router's own addresses do"
        case .tracks: "the tracks are refused"
        case .trackURI: "it is no http or https URL of the origin, and no local file stands for it"
        case .redirectedTrack: "a local file, SubRip or a time stamp map cannot be redirected to"
        case .unknownTrack: "there is no such track"
        case .address: "it is no address that the router has made"
        case .origin: "it is at an origin that addresses may not name"
        case .answer: "what was fetched is not what the plan is for"
        case .wrapping: "it cannot be wrapped into a multivariant playlist"
        case .notPlaylist: "the origin's answer is no playlist"
        case .limit: "a limit was exceeded"
        case .playlist: "the subtitle playlist is refused"
        case .noSuchTrack: "no subtitle playlist is made for the track"
        case .key: "the key is refused"
        case .edits: "an edit is refused"
        }
    }
}
