internal import Delivery

extension ConfigurationKey {
    /// The keys of `--config` that mean something to a command, for its help.
    static func help(of keys: [ConfigurationKey]) -> HelpBlock {
        HelpBlock(
            text: "FILE.json of --config is a JSON object with any of these keys.",
            terms: keys.map { Term("\($0.name)", $0.help) })
    }

    /// What the value may be, and what it does.
    private var help: String {
        switch self {
        case .tracks: "an array of objects with the keys of SPEC; flags are true or false"
        case .replaceDefault: "true or false: --replace-default"
        case .edits:
            "an array of objects with one key: set, replace, remove, drop or append-line, and what that option takes"
        case .mapURI: "a base: --map-uri"
        case .scheme: "\"[OLD:]SCHEME\", or an object with one for each ROLE: --scheme"
        case .host: "\"HOST[:PORT]\", or an object with one for each ROLE: --host"
        case .appendQuery: "\"K=V\" or an array of such, or an object with either for each ROLE: --append-query"
        case .keepVariants: "a condition: --keep-variants"
        case .limits:
            "an object of numbers of bytes: "
                + LimitKey.allCases.filter { $0 != .pastLimit }.map { "\($0.name)" }
                .joined(separator: ", ") + "; and past-limit, pass-through or fail"
        case .map: "auto, none or MPEGTS[:LOCAL]: the X-TIMESTAMP-MAP of WebVTT files"
        case .segment: "true or false: --segment"
        case .target: "a time: --target"
        case .master: "the URL of the multivariant playlist at the origin; required"
        case .schemes:
            "a word in place of surtitle, or an object with one for any of "
                + RouteRoleName.allCases.map { "\($0.name)" }
                .joined(separator: ", ")
        case .base: "an http URL below which addresses are, in place of schemes"
        case .headers: "an object: header fields for requests to the origin"
        case .headersTo: "who gets them: master (its scheme, host and port alone) or everywhere"
        case .origins: "an array of origins that addresses below base may name too, or any"
        case .probe: "what answers a player's first request: information, redirect, exact-range or data-only"
        case .variants: "how variants reach the player: absolute, redirect or mapped"
        case .segments: "how segments do: absolute or redirect"
        case .keys: "how keys do: player, fetch, redirect or decline"
        case .webVTT: "how WebVTT files do: auto, bytes, redirect, or an object with served and a base"
        case .missingTrack: "what becomes of a track that is not there: leave-out, empty or fail"
        }
    }
}
