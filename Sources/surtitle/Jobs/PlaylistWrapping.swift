internal import M3U8
internal import Sideload

extension WrapRequest {
    /// The multivariant playlist around the playlist at `path`, of which `facts` tell the bit rate, and its variant's
    /// URI; nil if that is none of media, or is not to be wrapped.
    ///
    /// Without a bit rate in `playlist` the sizes of its local segments tell it.
    func wrapped(
        _ playlist: [UInt8], _ facts: PlaylistFacts, from path: String
    ) throws(Failure) -> (playlist: [UInt8], uri: String)? {
        guard isAsked, facts.verdict == .media else { return nil }
        guard let uri = uri ?? Self.uri(of: path) else {
            throw .usage("--wrap of standard input needs --variant-uri URI, by which the media playlist is reached")
        }
        return (try self.playlist(uri, measured: facts.peak ?? SegmentSizes.peak(of: playlist, at: path)), uri)
    }

    /// The name of the file at `path` as a step of a URI, or the URL itself; nil if it is standard input.
    private static func uri(of path: String) -> String? {
        if Web.isURL(path) { return Web.withoutCredentials(path) }
        guard path != "-", let name = path.lastStep else { return nil }
        return SegmentNames.encoded(name)
    }
}
