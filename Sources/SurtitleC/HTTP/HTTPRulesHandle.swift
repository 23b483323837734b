// swift-format-ignore-file: AllPublicDeclarationsHaveDocumentation

internal import ByteScan
public import CSurtitle
internal import Delivery

/// Rules for header fields: immutable, and shared by threads.
final class HTTPRulesHandle: Sendable {
    let rules: HTTPRules

    init(_ rules: HTTPRules) { self.rules = rules }

    private static let mostPatterns = 1000

    static func make(_ settings: UnsafePointer<surtitle_http_settings>?) throws(Refusal) -> HTTPRulesHandle {
        var rules = HTTPRules()
        try unsafe Arguments.check(settings)
        guard let settings = unsafe settings?.pointee else { return HTTPRulesHandle(rules) }
        guard unsafe settings.reserved == 0 else { throw Refusal(SURTITLE_INVALID_VALUE) }
        let patterns = try unsafe Arguments.array(settings.patterns, settings.pattern_count)
        guard patterns.count <= mostPatterns else {
            throw Refusal(SURTITLE_PATTERN_REFUSED, "there are too many patterns")
        }
        if unsafe settings.patterns != nil { rules.paths = [] }
        for index in patterns.indices {
            do throws(Refusal) { rules.paths.append(try unsafe PathPattern(patterns[index])) } catch {
                throw error.of("patterns", index)
            }
        }
        // SIZE_MAX comes as -1.
        let longest = unsafe settings.longest_held
        guard longest >= -1 else { throw Refusal(SURTITLE_TOO_LONG) }
        if longest >= 0 { rules.longestHeld = longest }
        if try unsafe Arguments.truth(settings.ignores_no_transform) { rules.noTransform = .ignored }
        return HTTPRulesHandle(rules)
    }
}

extension PathPattern {
    fileprivate init(_ text: surtitle_text) throws(Refusal) {
        let bytes = try unsafe Arguments.required(Arguments.text(text))
        self = try refusing(try PathPattern(bytes)) { (error: PathPatternError) in
            Refusal(SURTITLE_PATTERN_REFUSED, error.message, at: error.position)
        }
    }
}

@c @implementation
public func surtitle_http_rules_create(
    _ settings: UnsafePointer<surtitle_http_settings>!, _ rules: Place<OpaquePointer?>!, _ error: Place<surtitle_error>!
) -> Int32 {
    unsafe make(rules, error, try unsafe HTTPRulesHandle.make(settings))
}

@c @implementation
public func surtitle_http_rules_destroy(_ rules: OpaquePointer!) { unsafe rules.release(HTTPRulesHandle.self) }

@c @implementation
public func surtitle_http_content(
    _ bytes: UnsafeRawPointer!, _ count: Int, _ is_whole: Int32, _ content: Place<Int32>!
) -> Int32 {
    status { () throws(Refusal) in
        let place = try unsafe Arguments.required(content)
        let view = try unsafe ByteView(Arguments.bytes(bytes, count))
        guard let answer = HTTPRules.content(of: view, isWhole: try Arguments.truth(is_whole)) else {
            return SURTITLE_NEEDS_MORE
        }
        let known = answer == .playlist ? SURTITLE_CONTENT_PLAYLIST : SURTITLE_CONTENT_OTHER
        unsafe place.pointee = Int32(known.rawValue)
        return SURTITLE_OK
    }
}
