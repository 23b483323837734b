internal import ByteScan
internal import M3U8
internal import Sideload
internal import WebVTT

extension ConfigurationReader {
    /// The configuration that the text is.
    mutating func configuration() throws(ConfigurationError) -> Configuration {
        var configuration = Configuration()
        try enterObject(next())
        while let key = try key(ConfigurationKey.self) {
            configuration.keys.append(key)
            if configuration.keys.contains(.base), configuration.keys.contains(.schemes) {
                throw failure(
                    .contradiction("addresses are below a base, or of schemes of their own; give one of both"))
            }
            switch key {
            case .tracks: configuration.tracks = try tracks()
            case .replaceDefault: configuration.replacesDefault = try truth()
            case .edits: configuration.edits = try edits()
            case .mapURI: try base(&configuration.uris)
            case .scheme: try changes(&configuration.uris, by: .scheme)
            case .host: try changes(&configuration.uris, by: .host)
            case .appendQuery: try changes(&configuration.uris, by: .appendQuery)
            case .keepVariants: configuration.keptVariants = try condition()
            case .limits: try limits(&configuration)
            case .map: configuration.map = try map()
            case .segment: configuration.isSegmented = try truth()
            case .target: configuration.target = try time()
            case .master: configuration.master = try master()
            case .schemes: try schemes(&configuration.addresses)
            case .base: configuration.addresses = try addressBase()
            case .headers: configuration.headers = try headers()
            case .headersTo, .probe, .variants, .segments, .keys, .webVTT, .missingTrack:
                try policy(key, &configuration.policies)
            }
        }
        try finish()
        return configuration
    }

    /// How a kind of request is answered.
    private mutating func policy(
        _ key: ConfigurationKey, _ policies: inout RoutePolicies
    ) throws(ConfigurationError) {
        switch key {
        case .headersTo: policies.appHeaders = try word(orExpect: "\"master\" or \"everywhere\"")
        case .probe:
            policies.probe = try word(
                orExpect: "\"redirect\", \"information\", \"exact-range\" or \"data-only\"")
        case .variants: policies.variants = try word(orExpect: "\"absolute\", \"redirect\" or \"mapped\"")
        case .segments: policies.segments = try word(orExpect: "\"absolute\" or \"redirect\"")
        case .keys: policies.keys = try word(orExpect: "\"player\", \"fetch\", \"redirect\" or \"decline\"")
        case .missingTrack: policies.missingTrack = try word(orExpect: "\"leave-out\", \"empty\" or \"fail\"")
        default: policies.webVTT = try webVTT()
        }
    }

    private mutating func edits() throws(ConfigurationError) -> [ConfiguredEdit] {
        var edits: [ConfiguredEdit] = []
        try enterArray(next())
        while let event = try element() { edits.append(try edit(event)) }
        return edits
    }

    /// An edit: an object of one key.
    private mutating func edit(_ event: JSONEvent) throws(ConfigurationError) -> ConfiguredEdit {
        try enterObject(event, orExpect: "an object such as {\"drop\": \"EXT-X-MEDIA\"}")
        let start = position
        var edit: ConfiguredEdit?
        while let verb = try key(EditVerb.self) {
            if edit != nil { throw failure(.contradiction("an object has one edit; give each its own")) }
            let text = try text(next())
            guard let read = ConfiguredEdit(verb, text) else { throw failure(.expected(.init(verb.form))) }
            do {
                try read.check()
            } catch {
                throw failure(.edit(error.reason))
            }
            edit = read
        }
        guard let edit else { throw failure(.missing("set, replace, remove, drop or append-line"), at: start) }
        return edit
    }

    private mutating func condition() throws(ConfigurationError) -> VariantExpression {
        let text = try text(next())
        do {
            return try VariantExpression(text)
        } catch {
            throw failure(.condition(error))
        }
    }

    private mutating func limits(_ configuration: inout Configuration) throws(ConfigurationError) {
        try enterObject(next())
        while let key = try key(LimitKey.self) {
            switch key {
            case .longestLine: configuration.limits.lines.longestLine = try limit()
            case .pastLimit:
                let policy: LinePolicy = try word(orExpect: "\"pass-through\" or \"fail\"")
                configuration.limits.lines.policy = policy == .fail ? .fail : .passThrough
            case .heldRenditions: configuration.limits.heldRenditions = try limit()
            case .longestGroupID: configuration.limits.longestGroupID = try limit()
            case .appendedTags: configuration.limits.appendedTags = try limit()
            case .heldVariables: configuration.uriLimits.heldVariables = try limit()
            case .longestURI: configuration.uriLimits.longestURI = try limit()
            }
        }
    }

    private mutating func map() throws(ConfigurationError) -> Configuration.Map {
        let words: ConfigurationError.Words = "\"auto\", \"none\" or \"MPEGTS[:LOCAL]\", as in \"900000:00:00:10.000\""
        guard case .string(let text) = try next() else { throw failure(.expected(words)) }
        switch text {
        case "auto": return .auto
        case "none": return .none
        default:
            do throws(TimestampMapFault) {
                return .given(try TimestampMap(spelling: text))
            } catch {
                throw failure(.expected(words))
            }
        }
    }

    /// A time above 0: a number of seconds, or as people write it.
    mutating func time() throws(ConfigurationError) -> DecimalSeconds {
        let time: DecimalSeconds? =
            switch try next() {
            case .number(let number): number.seconds
            case .string(let text): DecimalSeconds(clock: text)
            default: nil
            }
        guard let time, time > .zero else {
            throw failure(.expected("a time above 0: seconds such as 90.5, or a string such as \"1:30.5\""))
        }
        return time
    }
}
