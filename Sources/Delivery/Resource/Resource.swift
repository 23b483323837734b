/// Bytes in memory that a player asks for: what they are, and how many.
public struct Resource: Equatable, Sendable {
    /// The bytes.
    public let bytes: [UInt8]

    /// What they are.
    public let contentType: ContentType

    /// A resource.
    public init(_ bytes: [UInt8], _ contentType: ContentType) {
        self.bytes = bytes
        self.contentType = contentType
    }

    /// What a player is told of the resource: its length is that of these bytes, and any range of them can be had.
    public var information: ResourceInformation {
        ResourceInformation(contentType: contentType, length: bytes.count, servesRanges: true)
    }
}

/// What a player is told of a resource before its bytes.
public struct ResourceInformation: Equatable, Sendable {
    /// What it is.
    public let contentType: ContentType

    /// How many bytes it has.
    public let length: Int

    /// Whether ranges of it can be asked for.
    public let servesRanges: Bool
}

/// What a player's request gets of a resource.
public struct ResourceAnswer: Equatable, Sendable {
    /// The bytes that it gets.
    public enum Data: Equatable, Sendable {
        /// None, and the request is finished.
        case none
        /// These bytes of the resource.
        case range(Range<Int>)
        /// None: the request is for bytes past the end, or its numbers make no sense.
        case unsatisfiable
    }

    /// What the player is told; nil if it is told nothing.
    public let information: ResourceInformation?

    /// The bytes that the player gets.
    public let data: Data

    /// An answer.
    public init(information: ResourceInformation?, data: Data) {
        self.information = information
        self.data = data
    }
}
