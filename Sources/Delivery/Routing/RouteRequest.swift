internal import ByteScan

/// What a player asks for.
public struct RouteRequest: Equatable, Sendable {
    /// The URL as the player has it.
    public var url: [UInt8]

    /// Which bytes of it.
    public var bytes: ByteRequest

    /// Whether the content's type and length are asked for.
    public var wantsInformation: Bool

    /// The header fields that go along: AVPlayer's, or those of a proxy's client.
    public var headers: [HeaderLine] = []

    /// The content types that are asked for or allowed, as uniform types; none if that is not said.
    ///
    /// A request that names a type of content keys, `AVStreamingKeyDeliveryContentKeyType` or the persistent one, is
    /// not ours, unless its URL is our address of a key.
    public var contentTypes: [[UInt8]] = []

    /// A request for `bytes` of `url`, all of it unless said otherwise.
    public init(_ url: [UInt8], _ bytes: ByteRequest = .whole, wantsInformation: Bool = false) {
        self.url = url
        self.bytes = bytes
        self.wantsInformation = wantsInformation
    }

    /// A request for `bytes` of `url`, all of it unless said otherwise.
    public init(_ url: String, _ bytes: ByteRequest = .whole, wantsInformation: Bool = false) {
        self.init(Array(utf8: url), bytes, wantsInformation: wantsInformation)
    }

    /// Whether it is the short one with which AVPlayer begins: two bytes, and the content's information.
    public var isProbe: Bool { wantsInformation && bytes.isForTwoBytes }
}
