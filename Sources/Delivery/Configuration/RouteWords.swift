extension RoutePolicies.Probe: ConfigurationWord {
    /// The word.
    public var name: StaticString {
        switch self {
        case .redirect: "redirect"
        case .information: "information"
        case .exactRange: "exact-range"
        case .dataOnly: "data-only"
        }
    }
}

extension RoutePolicies.Segments: ConfigurationWord {
    /// The word.
    public var name: StaticString {
        switch self {
        case .absolute: "absolute"
        case .redirect: "redirect"
        }
    }
}

extension RoutePolicies.Variants: ConfigurationWord {
    /// The word.
    public var name: StaticString {
        switch self {
        case .absolute: "absolute"
        case .redirect: "redirect"
        case .mapped: "mapped"
        }
    }
}

extension RoutePolicies.Keys: ConfigurationWord {
    /// The word.
    public var name: StaticString {
        switch self {
        case .player: "player"
        case .fetch: "fetch"
        case .redirect: "redirect"
        case .decline: "decline"
        }
    }
}

extension RoutePolicies.MissingTrack: ConfigurationWord {
    /// The word.
    public var name: StaticString {
        switch self {
        case .leaveOut: "leave-out"
        case .empty: "empty"
        case .fail: "fail"
        }
    }
}

extension RoutePolicies.AppHeaders: ConfigurationWord {
    /// The word.
    public var name: StaticString {
        switch self {
        case .masterOrigin: "master"
        case .everywhere: "everywhere"
        }
    }
}

/// How WebVTT files reach the player: a value of `webvtt` that is a word.
enum WebVTTWord: ConfigurationWord {
    case automatic, bytes, redirect

    var name: StaticString {
        switch self {
        case .automatic: "auto"
        case .bytes: "bytes"
        case .redirect: "redirect"
        }
    }
}

/// The key of the other value of `webvtt`, which is an object.
enum WebVTTKey: ConfigurationWord {
    case served

    var name: StaticString { "served" }
}

/// Whose addresses a scheme is for: a key of `schemes`.
struct RouteRoleName: ConfigurationWord {
    /// The role; nil for tracks.
    let role: RouteRole?

    static var allCases: [RouteRoleName] {
        RouteRole.allCases.map { RouteRoleName(role: $0) } + [RouteRoleName(role: nil)]
    }

    var name: StaticString { role?.word ?? "track" }
}
