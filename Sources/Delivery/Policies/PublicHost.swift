internal import ByteScan

// Which hosts are of the public net, where everybody gets, and not of the machine and the networks that we are in.
//
//     127.0.0.1   127.1   0x7f.0.0.1   2130706433   127.0.0.1.      one address, as resolvers read it
//     [::1]   [::ffff:127.0.0.1]   [64:ff9b::7f00:1]                 and the same by IPv6
//     010.0.0.1                                                      8.0.0.1 for some, 10.0.0.1 for others: not public
//
// A name tells little: it is public unless it is one of those that never are. So whoever has connected looks at the
// address that the name has led to, and asks the same of that.

/// Whether a host or an address is of the public net (the special-purpose registries of RFC 6890).
public enum PublicHost {
    /// Whether the address, of 4 or 16 bytes in the order of the net, is public. False for any other number of bytes.
    public static func isPublic(address bytes: [UInt8]) -> Bool {
        switch bytes.count {
        case 4: isPublicIPv4(bytes[...])
        case 16: isPublicIPv6(bytes)
        default: false
        }
    }

    /// Whether the host of `authority` (RFC 3986 3.2) is public, as far as its bytes tell. What two programs could read
    /// as two hosts is not: user information, escapes, bytes outside of ASCII.
    package static func isPublic(authority: [UInt8]) -> Bool {
        let plain = authority.allSatisfy { byte in
            ASCII.isLetter(byte) || ASCII.isDigit(byte) || "-._:[]".utf8.contains(byte)
        }
        guard plain, let first = authority.first else { return false }
        if first == UInt8(ascii: "[") {
            guard let end = authority.firstIndex(of: UInt8(ascii: "]")) else { return false }
            return ipv6(authority[1..<end]).map { isPublic(address: $0) } ?? false
        }
        var host = authority.prefix { $0 != ASCII.colon }
        if host.last == ASCII.period { host = host.dropLast() }
        let labels = host.split(separator: ASCII.period, omittingEmptySubsequences: false)
        guard let last = labels.last, !labels.contains(where: { $0.isEmpty }) else { return false }
        // A last label that is a number makes it an address (RFC 3986 7.4, WHATWG URL 3.5), or nothing.
        if number(last) != nil || last.allSatisfy(ASCII.isDigit) { return ipv4(labels).map(isPublicIPv4) ?? false }
        return labels.count > 1 && !isLocal(last.map(ASCII.lowercased))
    }

    /// Whether names below `domain` are of no public host (RFC 6761, RFC 6762, RFC 8375).
    private static func isLocal(_ domain: [UInt8]) -> Bool {
        let local: [StaticString] = [
            "localhost", "local", "internal", "lan", "home", "arpa", "test", "invalid", "onion",
        ]
        return domain.withView { domain in local.contains { domain == $0 } }
    }

    // MARK: Literals

    /// The four bytes of one to four numbers, of which the last has all bytes that are left.
    private static func ipv4(_ labels: [ArraySlice<UInt8>]) -> ArraySlice<UInt8>? {
        guard labels.count <= 4, let last = labels.last.flatMap(number) else { return nil }
        var bytes: ArraySlice<UInt8> = []
        for label in labels.dropLast() {
            guard let value = number(label), value < 256 else { return nil }
            bytes.append(UInt8(truncatingIfNeeded: value))
        }
        let left = 4 - bytes.count
        guard last >> (8 * UInt64(left)) == 0 else { return nil }
        for place in (0..<left).reversed() { bytes.append(UInt8(truncatingIfNeeded: last >> (8 * UInt64(place)))) }
        return bytes
    }

    /// A decimal number, or one in hexadecimal digits after `0x`; nil if it is none, has more than 32 bits, or begins
    /// with a zero, which makes it octal for some.
    private static func number(_ label: ArraySlice<UInt8>) -> UInt64? {
        var (digits, base) = (label, UInt8(10))
        if digits.count > 1, digits.first == ASCII.zero {
            guard ASCII.lowercased(digits[digits.startIndex + 1]) == UInt8(ascii: "x") else { return nil }
            digits.removeFirst(2)
            base = 16
        }
        guard !digits.isEmpty || base == 16 else { return nil }
        var value: UInt64 = 0
        for byte in digits {
            guard let digit = ASCII.hexadecimal(byte), digit < base, value >> 32 == 0 else { return nil }
            value = value * UInt64(base) + UInt64(digit)
        }
        return value >> 32 == 0 ? value : nil
    }

    /// The sixteen bytes of an address in its text form (RFC 4291 2.2); nil if it is none. One with a zone is none.
    private static func ipv6(_ text: ArraySlice<UInt8>) -> [UInt8]? {
        var groups: [UInt8] = []
        var gap: Int?
        var rest = text
        while !rest.isEmpty {
            if rest.starts(with: "::".utf8) {
                guard gap == nil else { return nil }
                gap = groups.count
                rest = rest.dropFirst(2)
                continue
            }
            if !groups.isEmpty, gap != groups.count {
                guard rest.first == ASCII.colon else { return nil }
                rest = rest.dropFirst()
            }
            let group = rest.prefix { $0 != ASCII.colon }
            rest = rest[group.endIndex...]
            if rest.isEmpty, group.contains(ASCII.period) {
                let parts = group.split(separator: ASCII.period, omittingEmptySubsequences: false)
                guard parts.count == 4, let bytes = ipv4(parts) else { return nil }
                groups += bytes
            } else {
                guard 1...4 ~= group.count else { return nil }
                var value: UInt16 = 0
                for byte in group {
                    guard let digit = ASCII.hexadecimal(byte) else { return nil }
                    value = value << 4 | UInt16(digit)
                }
                groups += [UInt8(truncatingIfNeeded: value >> 8), UInt8(truncatingIfNeeded: value)]
            }
        }
        guard let gap else { return groups.count == 16 ? groups : nil }
        guard groups.count < 16 else { return nil }
        return groups[..<gap] + [UInt8](repeating: 0, count: 16 - groups.count) + groups[gap...]
    }

    // MARK: Ranges

    private static func isPublicIPv4(_ bytes: ArraySlice<UInt8>) -> Bool {
        let bytes = Array(bytes)
        switch (bytes[0], bytes[1], bytes[2]) {
        case (0, _, _), (10, _, _), (127, _, _), (224..., _, _): return false
        case (100, 64...127, _), (169, 254, _), (172, 16...31, _), (192, 168, _), (198, 18...19, _): return false
        case (192, 0, 0), (192, 0, 2), (192, 88, 99), (198, 51, 100), (203, 0, 113): return false
        default: return true
        }
    }

    /// Those of which an IPv4 address is a part are as public as that is.
    private static func isPublicIPv6(_ bytes: [UInt8]) -> Bool {
        let zeros = [UInt8](repeating: 0, count: 8)
        if bytes.starts(with: zeros + [0, 0, 0xFF, 0xFF]) || bytes.starts(with: [0, 0x64, 0xFF, 0x9B] + zeros) {
            return isPublicIPv4(bytes[12...])
        }
        if bytes.starts(with: [0x20, 0x02]) { return isPublicIPv4(bytes[2..<6]) }
        let isDocumentation = bytes.starts(with: [0x20, 0x01, 0x0D, 0xB8]) || bytes.starts(with: [0x3F, 0xFF])
        let isProtocol = bytes.starts(with: [0x20, 0x01]) && bytes[2] < 2
        return bytes[0] >> 5 == 1 && !isDocumentation && !isProtocol
    }
}
