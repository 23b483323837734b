public import M3U8

/// Which URIs a request is for: those of a role, or all.
public struct URIRoleName: ConfigurationWord, Sendable {
    /// The role; nil for all.
    public let role: URIRole?

    /// Every role, and all of them.
    public static var allCases: [URIRoleName] {
        [URIRoleName(role: nil)] + URIRole.allCases.map { URIRoleName(role: $0) }
    }

    /// The word: `all`, or what the role is called.
    public var name: StaticString {
        switch role {
        case nil: "all"
        case .variant: "variant"
        case .media: "media"
        case .rendition: "rendition"
        case .key: "key"
        case .map: "map"
        case .other: "other"
        }
    }
}
