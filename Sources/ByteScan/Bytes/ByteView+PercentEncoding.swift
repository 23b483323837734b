extension ByteView {
    /// The byte at `offset`, or the one that the escape there stands for, such as `%41` (RFC 3986 2.1), and where the
    /// next one begins.
    ///
    /// A percent sign that no two hexadecimal digits follow is no escape.
    @inlinable
    package func percentDecodedByte(at offset: Int) -> (byte: UInt8, next: Int) {
        guard self[offset] == ASCII.percent, offset &+ 2 < count, let high = ASCII.hexadecimal(self[offset &+ 1]),
            let low = ASCII.hexadecimal(self[offset &+ 2])
        else { return (self[offset], offset &+ 1) }
        return (high << 4 | low, offset &+ 3)
    }

    /// The bytes, with those in place of escapes that they stand for (RFC 3986 2.1).
    package var percentDecoded: [UInt8] {
        var decoded: [UInt8] = []
        var offset = 0
        while offset < count {
            let (byte, next) = percentDecodedByte(at: offset)
            decoded.append(byte)
            offset = next
        }
        return decoded
    }
}

extension Sequence<UInt8> {
    /// The bytes with escapes, in capital digits, in place of those for which `isKept` is false (RFC 3986 2.1).
    @inlinable
    package func percentEncoded(keeping isKept: (UInt8) -> Bool) -> [UInt8] {
        var encoded: [UInt8] = []
        encoded.reserveCapacity(underestimatedCount)
        for byte in self {
            guard !isKept(byte) else {
                encoded.append(byte)
                continue
            }
            encoded.append(ASCII.percent)
            encoded.append(ASCII.hexadecimalDigit(byte >> 4, isCapital: true))
            encoded.append(ASCII.hexadecimalDigit(byte & 15, isCapital: true))
        }
        return encoded
    }
}
