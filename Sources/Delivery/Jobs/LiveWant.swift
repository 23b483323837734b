package import M3U8

/// What is to be fetched for a channel.
public struct LiveWant: Equatable, Sendable {
    /// Bytes that the video's playlist refers to.
    public struct Part: Equatable, Sendable {
        package let part: MediaPart

        /// The reference as it stands in the playlist.
        public var uri: [UInt8] { part.uri }

        /// The range of bytes; nil for all of them.
        public var range: Range<Int>? { part.range }

        /// Whether all of the bytes are encrypted (METHOD=AES-128): a ``Fetch`` fetches the key too, and decrypts.
        public var isEncrypted: Bool { part.encryption != .none }

        init(_ part: MediaPart) { self.part = part }
    }

    /// The media sequence number of the segment whose first time stamp is wanted.
    public let segment: UInt64

    /// Where its bytes are, or those of its first part as long as it is not whole.
    public let media: Part

    /// Where its media initialization section is (EXT-X-MAP); nil if it has none.
    public let initialization: Part?
}
