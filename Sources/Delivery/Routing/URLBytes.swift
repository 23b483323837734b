internal import ByteScan
internal import M3U8

extension [UInt8] {
    /// The target of `reference`, relative to these bytes, which are a whole URL (RFC 3986 5.2).
    func resolving(_ reference: [UInt8]) -> [UInt8] {
        var output = ReusableBuffer<UInt8>()
        withView { base in
            reference.withView { URIReference($0).writeResolved(against: URIReference(base), into: &output) }
        }
        return Array(output.view)
    }

    /// The bytes with those percent-encoded that no URI holds (RFC 3986 2.1).
    var escapedForURI: [UInt8] {
        var escaped: [UInt8] = []
        escaped.reserveCapacity(count)
        for byte in self {
            guard URISyntax.referenceFault(in: [byte]) != nil else {
                escaped.append(byte)
                continue
            }
            escaped.append(ASCII.percent)
            for digit in [byte >> 4, byte & 15] {
                escaped.append(digit < 10 ? ASCII.zero + digit : UInt8(ascii: "A") + digit - 10)
            }
        }
        return escaped
    }

    /// The scheme and the authority of a URL in lower case: two URLs of which these differ may be of different owners.
    var origin: [UInt8] {
        let end = withView { bytes in URIReference(bytes).authority?.upperBound ?? 0 }
        return self[..<end].map(HTTPSyntax.lowercased)
    }
}
