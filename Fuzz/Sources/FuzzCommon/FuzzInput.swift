/// An input of a fuzzer: bytes that choose how the library is used, then the text that it is used on.
///
/// The choices are the first 16 bytes, of which the last says nothing: a line feed there makes a file of the corpus two
/// parts for a reader, too.
///
///     q0z9-------0---⏎
///     #EXTM3U⏎ …
public struct FuzzInput {
    /// How many bytes come before the text.
    public static let headCount = 16

    /// How the library is used.
    public var choices: Choices
    /// What it is used on.
    public let text: [UInt8]

    /// The input that `bytes` are; choices that are missing are zeros.
    public init(_ bytes: [UInt8]) {
        choices = Choices(bytes.prefix(Self.headCount - 1))
        text = Array(bytes.dropFirst(Self.headCount))
    }

    /// The text whole, cut as the choices say, and one byte at a time if it is short.
    mutating func splits() -> [[Range<Int>]] {
        let count = text.count
        var splits = [[0..<count], choices.split(of: count)]
        if count <= 160 { splits.append((0..<count).map { $0..<($0 + 1) }) }
        return splits
    }
}
