/// Somebody who asks for something of a stream, and what has been done for that.
public struct LiveAsk: Sendable {
    /// What is asked for.
    public enum Kind: Equatable, Sendable {
        /// A rendition's playlist, perhaps one that is not there yet.
        case playlist(LiveDirectives?)
        /// A segment or a part by its name, without the prefix of the rendition.
        case segment([UInt8])
    }

    /// What is asked for.
    public let kind: Kind

    /// When, in the caller's milliseconds.
    public let began: Int64

    /// Whether the playlist has been fetched for it.
    package internal(set) var hasFetched = false
    /// The fetch that it waits for.
    package internal(set) var waitsFor: LiveFetch?

    var name: [UInt8] { if case .segment(let name) = kind { name } else { [] } }

    /// Somebody who asks at `began`.
    public init(_ kind: Kind, at began: Int64) {
        self.kind = kind
        self.began = began
    }

    /// The same of one for whom something has been done already.
    package init(_ kind: Kind, at began: Int64, hasFetched: Bool, waitsFor: LiveFetch?) {
        self.init(kind, at: began)
        self.hasFetched = hasFetched
        self.waitsFor = waitsFor
    }
}

/// A fetch for a stream.
public struct LiveFetch: Equatable, Sendable {
    package let number: UInt64

    package init(number: UInt64) { self.number = number }
}
