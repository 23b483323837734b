package import M3U8
public import Sideload

/// A key of the configuration itself. ``Configuration`` has a property for each.
public enum ConfigurationKey: Spelling, ConfigurationWord, Sendable {
    case tracks
    case replaceDefault = "replace-default"
    case edits
    case mapURI = "map-uri"
    case scheme, host
    case appendQuery = "append-query"
    case keepVariants = "keep-variants"
    case limits, map, segment, target, master, schemes, base, headers
    case headersTo = "headers-to"
    case origins, probe, variants, segments, keys
    case webVTT = "webvtt"
    case missingTrack = "missing-track"
}

/// A key of the limits.
package enum LimitKey: Spelling, ConfigurationWord {
    case longestLine = "longest-line"
    case pastLimit = "past-limit"
    case heldRenditions = "held-renditions"
    case longestGroupID = "longest-group-id"
    case appendedTags = "appended-tags"
    case heldVariables = "held-variables"
    case longestURI = "longest-uri"
}

/// What happens past a limit: a value of `past-limit`.
enum LinePolicy: Spelling, ConfigurationWord {
    case passThrough = "pass-through"
    case fail
}

/// How WebVTT files reach the player: a value of `webvtt` that is a word.
enum WebVTTWord: Spelling, ConfigurationWord {
    case automatic = "auto"
    case direct, bytes, redirect
}

/// The key of the other value of `webvtt`, which is an object.
enum WebVTTKey: Spelling, ConfigurationWord {
    case served
}

/// Which URIs a request is for: those of a role, or all.
package struct URIRoleName: ConfigurationWord {
    /// The role; nil for all.
    package let role: URIRole?

    package static var allCases: [URIRoleName] {
        [URIRoleName(role: nil)] + URIRole.allCases.map { URIRoleName(role: $0) }
    }

    package var name: StaticString {
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

/// Whose addresses a scheme is for: a key of `schemes`.
package struct RouteRoleName: ConfigurationWord {
    /// The role; nil for tracks.
    let role: RouteRole?

    package static var allCases: [RouteRoleName] {
        RouteRole.allCases.map { RouteRoleName(role: $0) } + [RouteRoleName(role: nil)]
    }

    package var name: StaticString { role?.word ?? "track" }
}
