// A page of anywhere can let its own name lead to this machine (DNS rebinding). Its browser takes what a server on
// loopback answers for the page's own, and lets it read that. But Host says what name the page has: on loopback,
// requests for other names than those of loopback are refused.

/// The names by which clients may call a listener.
package struct HostNames: Equatable, Sendable {
    /// As Host has them, in lower case; nil if any will do.
    private let names: [String]?

    /// Any name will do.
    package static let any = HostNames(names: nil)

    private init(names: [String]?) { self.names = names }

    /// Those of loopback at `port`, and `others`: names with a port if that is not 80.
    package init(loopbackAt port: Int, _ others: [String]) {
        let names = ["127.0.0.1", "[::1]", "localhost"]
        self.names =
            (port == 80 ? names : []) + names.map { "\($0):\(port)" } + others.map { $0.lowercased() }
    }

    /// Whether `host`, the value of a Host field, is one of them, and so a host; nil if any will do.
    func contain(_ host: String) -> Bool? {
        guard let names else { return nil }
        return names.contains { name in
            name.utf8.count == host.utf8.count
                && name.utf8.elementsEqual(host.utf8) { $0 == $1 || ($0 > 0x60 && $1 | 0x20 == $0) }
        }
    }

    /// Whether `host` is a host and at most a port (RFC 9110 7.2), of bytes that nobody can take for something else.
    static func isHost(_ host: String) -> Bool {
        let isPlain = host.utf8.allSatisfy { byte in
            switch byte {
            case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
                UInt8(ascii: "0")...UInt8(ascii: ":"), UInt8(ascii: "-"), UInt8(ascii: "."), UInt8(ascii: "_"),
                UInt8(ascii: "["), UInt8(ascii: "]"):
                true
            default: false
            }
        }
        return isPlain && OriginURL.split(Substring(host)) != nil
    }
}
