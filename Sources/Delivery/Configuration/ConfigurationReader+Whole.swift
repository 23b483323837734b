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
            case .edits: try edits(&configuration)
            case .mapURI: try add(.mapURI, next(), to: &configuration)
            case .scheme: try changes(.scheme, &configuration)
            case .host: try changes(.host, &configuration)
            case .appendQuery: try changes(.appendQuery, &configuration)
            case .keepVariants: try add(.keepVariants, next(), to: &configuration)
            case .limits: try limits(&configuration)
            case .map:
                configuration.map = try map()
                configuration.policies.map = configuration.map
            case .segment: configuration.isSegmented = try truth()
            case .target: configuration.target = try time()
            case .master: configuration.master = try master()
            case .schemes: try schemes(&configuration.addresses)
            case .base: configuration.addresses = try addressBase()
            case .headers: configuration.headers = try headers()
            case .origins: configuration.origins = try origins()
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
        case .headersTo: policies.appHeaders = try word()
        case .probe: policies.probe = try word()
        case .variants: policies.variants = try word()
        case .segments: policies.segments = try word()
        case .keys: policies.keys = try word()
        case .missingTrack: policies.missingTrack = try word()
        default: policies.webVTT = try webVTT()
        }
    }

    private mutating func limits(_ configuration: inout Configuration) throws(ConfigurationError) {
        try enterObject(next())
        while let key = try key(LimitKey.self) {
            switch key {
            case .longestLine: configuration.limits.lines.longestLine = try limit()
            case .pastLimit:
                let policy: LinePolicy = try word()
                configuration.limits.lines.policy = policy == .fail ? .fail : .passThrough
            case .heldRenditions: configuration.limits.heldRenditions = try limit()
            case .longestGroupID: configuration.limits.longestGroupID = try limit()
            case .appendedTags: configuration.limits.appendedTags = try limit()
            case .heldVariables: configuration.uriLimits.heldVariables = try limit()
            case .longestURI: configuration.uriLimits.longestURI = try limit()
            }
        }
    }

    private mutating func map() throws(ConfigurationError) -> TimestampMapChoice {
        let words: ConfigurationError.Words = "\"auto\", \"none\" or \"MPEGTS[:LOCAL]\", as in \"900000:00:00:10.000\""
        guard case .string(let text) = try next() else { throw failure(.expected(words)) }
        return try refusing(try TimestampMapChoice(spelling: text)) { (_: TimestampMapFault) in
            failure(.expected(words))
        }
    }

    /// A time above 0: a number of seconds, or as people write it.
    mutating func time() throws(ConfigurationError) -> DecimalSeconds {
        let time: DecimalSeconds? =
            switch try next() {
            case .number(let number): DecimalSeconds(number)
            case .string(let text): DecimalSeconds(clock: text)
            default: nil
            }
        guard let time, time > .zero else {
            throw failure(.expected("a time above 0: seconds such as 90.5, or a string such as \"1:30.5\""))
        }
        return time
    }

    /// A number of seconds, or a time as people write it.
    mutating func numberOrText() throws(ConfigurationError) -> ByteView {
        switch try next() {
        case .number(let text), .string(let text): return text
        default: throw failure(.expected("a number of seconds such as 90.5, or a string such as \"1:30.5\""))
        }
    }
}
