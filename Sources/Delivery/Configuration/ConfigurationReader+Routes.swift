internal import ByteScan
internal import M3U8
internal import Sideload

extension ConfigurationReader {
    /// `"master": "https://example.com/master.m3u8"`
    mutating func master() throws(ConfigurationError) -> [UInt8] {
        let url = try text(next())
        guard HTTPPlace(of: url) != nil else {
            throw failure(.expected("an http or https URL with a host"))
        }
        return url
    }

    /// `"schemes": "WORD"`, or an object of roles with a word for each.
    mutating func schemes(_ addresses: inout RouteAddresses) throws(ConfigurationError) {
        let event = try next()
        guard event == .beginObject else {
            let word = try text(event)
            return addresses = try refusing(try RouteAddresses(schemes: word)) { failure(.edit(EditTextError($0))) }
        }
        try enterObject(event)
        while let name = try key(RouteRoleName.self) {
            let word = try text(next())
            try refusing(try addresses.setScheme(word, of: name.role)) { failure(.edit(EditTextError($0))) }
        }
    }

    /// `"base": "http://localhost:8080/"`
    mutating func addressBase() throws(ConfigurationError) -> RouteAddresses { try base().addresses }

    private mutating func base() throws(ConfigurationError) -> (text: [UInt8], addresses: RouteAddresses) {
        let base = try text(next())
        return (base, try refusing(try RouteAddresses(base: base)) { failure(.edit(EditTextError($0))) })
    }

    /// `"webvtt": "bytes"`, or `{"served": "http://localhost:8080/"}`
    mutating func webVTT() throws(ConfigurationError) -> RoutePolicies.WebVTT {
        let words: ConfigurationError.Words = "\"auto\", \"direct\", \"bytes\", \"redirect\" or {\"served\": \"BASE\"}"
        let event = try next()
        guard event == .beginObject else {
            guard case .string(let text) = event, let word = WebVTTWord(text) else { throw failure(.expected(words)) }
            return switch word {
            case .automatic: .automatic
            case .direct: .direct
            case .bytes: .bytes
            case .redirect: .redirect
            }
        }
        try enterObject(event)
        let start = position
        var policy: RoutePolicies.WebVTT?
        while try key(WebVTTKey.self) != nil {
            policy = .served(base: try base().text)
        }
        guard let policy else { throw failure(.missing("served"), at: start) }
        return policy
    }

    /// `"origins": ["https://keys.example.com"]`, or `"any"`
    mutating func origins() throws(ConfigurationError) -> RouteOrigins {
        let words: ConfigurationError.Words = "\"any\", or an array of origins such as \"https://example.com\""
        let event = try next()
        if case .string(let text) = event, text == "any" { return .any }
        guard event == .beginArray else { throw failure(.expected(words)) }
        var origins: [RouteOrigin] = []
        try enterArray(event)
        while let event = try element() {
            guard let origin = RouteOrigin(try text(event, orExpect: words)) else {
                throw failure(.expected("an http or https URL of a host, with nothing behind it"))
            }
            origins.append(origin)
        }
        return .listed(origins)
    }

    /// `"headers": {"Authorization": "Bearer …"}`
    mutating func headers() throws(ConfigurationError) -> [HeaderLine] {
        var lines: [HeaderLine] = []
        try enterObject(next())
        while let name = try anyKey() {
            guard !name.isEmpty, name.allSatisfy(HeaderLine.isNameByte) else {
                throw failure(.expected("the name of a header field"))
            }
            let value = try text(next())
            guard value.allSatisfy(HeaderLine.isValueByte) else {
                throw failure(.expected("a value of a header field, without control characters"))
            }
            lines.append(HeaderLine(name, value))
        }
        return lines
    }
}
