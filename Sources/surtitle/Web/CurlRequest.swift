internal import ByteScan
internal import Delivery

// What curl is told: nothing on its command line but where its configuration is, which is standard input. So neither
// URLs nor credentials are seen by who lists processes, and no word of a URL is taken for an option.
//
//     curl -q --config -
//
//     url = "https://example.com/master.m3u8"      in quotes, in which \ and " have a \ before them
//     header = "Accept-Encoding: identity"
//     globoff                                      [1-9] and {a,b} in a URL mean nothing
//     path-as-is                                   references have been resolved
//     proto = "=http,https"
//     connect-timeout = "15"
//     max-time = "120"
//     include                                      the head comes before the body
//
// -q leaves .curlrc unread. There is no `location`: redirects are followed by the command, which asks before each.

/// A request as curl is told it.
struct CurlRequest {
    /// The words after the program's name.
    static let words = ["-q", "--config", "-"]
    /// How many seconds a connection may take.
    static let connectSeconds = 15

    /// What curl reads on standard input.
    let configuration: [UInt8]

    /// The request for `url` with `fields`, which may take so many `seconds`. Nil if one of them holds CR, LF or NUL.
    init?(_ url: [UInt8], _ fields: [HeaderLine], seconds: Int) {
        var lines: [[UInt8]] = []
        func add(_ name: String, _ value: [UInt8]) -> Bool {
            guard let quoted = Self.quoted(value) else { return false }
            lines.append(Array(name.utf8) + Array(" = ".utf8) + quoted)
            return true
        }
        guard add("url", url) else { return nil }
        for field in fields {
            // A name with a colon and nothing behind it would remove the field; a semicolon sends it empty.
            let end = field.value.isEmpty ? Array(";".utf8) : Array(": ".utf8) + field.value
            guard add("header", field.name + end) else { return nil }
        }
        _ = add("proto", Array("=http,https".utf8))
        _ = add("connect-timeout", Array("\(min(Self.connectSeconds, seconds))".utf8))
        _ = add("max-time", Array("\(seconds)".utf8))
        for word in [
            "globoff", "path-as-is", "include", "suppress-connect-headers", "no-buffer", "silent", "show-error",
        ] {
            lines.append(Array(word.utf8))
        }
        configuration = Array(lines.joined(separator: [ASCII.lineFeed])) + [ASCII.lineFeed]
    }

    /// `value` between quotes; nil if no line can hold it.
    private static func quoted(_ value: [UInt8]) -> [UInt8]? {
        var quoted = [ASCII.quote]
        for byte in value {
            if byte == ASCII.carriageReturn || byte == ASCII.lineFeed || byte == 0 { return nil }
            if byte == ASCII.quote || byte == ASCII.backslash { quoted.append(ASCII.backslash) }
            quoted.append(byte)
        }
        return quoted + [ASCII.quote]
    }
}
