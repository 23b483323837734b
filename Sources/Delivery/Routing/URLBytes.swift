internal import ByteScan
internal import M3U8

extension [UInt8] {
    /// The bytes with those percent-encoded that no URI holds (RFC 3986 2.1).
    package var escapedForURI: [UInt8] {
        allSatisfy(ASCII.isURIByte) ? self : percentEncoded(keeping: ASCII.isURIByte)
    }

    /// Whether a request can be made for the URL: it is absolute, of http or https, and holds no byte that would break
    /// a request line.
    package var isFetchable: Bool {
        !contains { $0 <= ASCII.space || $0 == 0x7F } && withView { URIReference($0).isHTTPWithHost }
    }

    /// The URL as it is requested: without a fragment (RFC 9110 7.1).
    package var withoutFragment: [UInt8] { Array(prefix { $0 != ASCII.hash }) }
}
