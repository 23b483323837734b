public import ByteScan

/// How a word is spelled: the raw value of an enumeration whose cases are words.
public struct Spelling: Equatable, Sendable, ExpressibleByStringLiteral {
    /// The letters.
    public let text: StaticString

    package init(_ text: StaticString) { self.text = text }

    /// The spelling that a literal is.
    public init(stringLiteral text: StaticString) { self.text = text }

    /// Whether both have the same letters.
    public static func == (left: Spelling, right: Spelling) -> Bool { ByteView(left.text) == right.text }
}

extension Spelling: Described {
    /// The letters.
    public var message: Message { Message(text) }
}

/// A word that a configuration may hold, as a key or as a value.
public protocol ConfigurationWord: CaseIterable {
    /// How it is spelled.
    var name: StaticString { get }
}

extension ConfigurationWord where Self: RawRepresentable, RawValue == Spelling {
    /// How it is spelled.
    public var name: StaticString { rawValue.text }
}

extension ConfigurationWord {
    /// The word that is spelled so, or nil if there is none.
    @inlinable
    package init?(_ spelling: ByteView) {
        guard let word = Self.allCases.first(where: { spelling == $0.name }) else { return nil }
        self = word
    }

    /// The word that may have been meant by `spelling`, or nil if none is near.
    package static func nearest(to spelling: ByteView) -> Self? {
        let words = Array(allCases)
        let names = words.map { Array(ByteView($0.name)) }
        return NearestName.index(of: Array(spelling), among: names).map { words[$0] }
    }
}
