/// What identifies the tracks that a playlist is about to get.
public struct TracksVersion: Equatable, Sendable {
    /// A number that changes when the tracks would change the output, as that of the list of tracks does.
    public var fingerprint: UInt64

    /// When the tracks last changed; nil if nobody knows, and then Last-Modified and If-Modified-Since are removed.
    ///
    /// It should not be in the future (RFC 9110 8.8.2.1), and must move on when a track is taken away too.
    public var modified: HTTPDate?

    /// A version.
    public init(fingerprint: UInt64, modified: HTTPDate? = nil) {
        self.fingerprint = fingerprint
        self.modified = modified
    }
}
