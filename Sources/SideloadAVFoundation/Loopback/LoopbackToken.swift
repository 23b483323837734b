#if canImport(AVFoundation) && !os(watchOS)
/// What makes the listener's addresses nobody else's: 128 random bits. It has no description, so that it stands in no
/// message.
struct LoopbackToken: Sendable {
    private let digits: [UInt8]

    init() {
        var random = SystemRandomNumberGenerator()
        self.init([random.next(), random.next()])
    }

    /// A token of these bits, in hexadecimal digits.
    init(_ bits: [UInt64]) {
        digits = bits.flatMap { word in
            let digits = Array(String(word, radix: 16).utf8)
            return [UInt8](repeating: UInt8(ascii: "0"), count: 16 - digits.count) + digits
        }
    }

    /// The beginning of all paths: `/TOKEN/`.
    var path: [UInt8] { [UInt8(ascii: "/")] + digits + [UInt8(ascii: "/")] }

    /// What comes behind the token in `path`; nil if that begins with another one. How long it takes does not tell
    /// where they differ.
    func handle(in path: [UInt8]) -> [UInt8]? {
        let own = self.path
        guard path.count >= own.count else { return nil }
        var difference: UInt8 = 0
        for place in own.indices { difference |= own[place] ^ path[place] }
        return difference == 0 ? Array(path[own.count...]) : nil
    }
}
#endif
