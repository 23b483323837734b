/// What a proxy does to the headers of an exchange, in the obvious way: whole lists in, whole lists out.
///
/// Texts are Latin-1, a character for each byte, so that nothing is repaired.
public struct NaiveHTTP: Sendable {
    /// A header field line.
    public struct Field: Equatable, Sendable {
        /// The name as it was sent.
        public let name: String
        /// The name in small letters.
        public let key: String
        /// The value as it was sent, line breaks of folded lines among it.
        public var value: String

        /// A field line.
        public init(_ name: String, _ value: String) {
            self.name = name
            key = NaiveHTTP.lower(name)
            self.value = value
        }
    }

    /// The forms of likely paths.
    public var patterns = ["*.m3u8", "*.m3u", "*.m3u8;*", "*/manifest(*format=m3u8-*)"]
    /// The fingerprint of the tracks, as 16 digits.
    public var fingerprint: String
    /// When the tracks changed, in seconds.
    public var modified: Int?
    /// The longest playlist that is held.
    public var longestHeld = 65_536
    /// Whether no-transform counts.
    public var obeysNoTransform = true

    /// The usual rules for tracks of a fingerprint.
    public init(fingerprint: UInt64) {
        let digits = String(fingerprint, radix: 16)
        self.fingerprint = String(repeating: "0", count: 16 - digits.count) + digits
    }

    /// `bytes` as a text of as many characters.
    public static func text(_ bytes: some Sequence<UInt8>) -> String {
        String(String.UnicodeScalarView(bytes.map { Unicode.Scalar($0) }))
    }

    /// The bytes of such a text.
    public static func bytes(_ text: String) -> [UInt8] {
        text.unicodeScalars.map { UInt8(truncatingIfNeeded: $0.value) }
    }

    // MARK: Requests

    /// What is expected after a request, and the header that goes to the origin.
    public func request(
        _ method: String, _ target: String, _ header: [Field]
    ) -> (standing: String, header: [Field]) {
        guard method == "GET" || method == "HEAD" else { return ("excluded", header) }
        if obeysNoTransform, Self.forbidsTransforming(header) { return ("excluded", header) }
        let path = Self.decoded(Self.path(of: target))
        let conditions = Self.list(["if-none-match", "if-match", "if-range"], header, escapes: false)
        let isOurs = conditions.contains { Self.tag($0).map { Self.parts($0.opaque) != nil } ?? false }
        guard isOurs || patterns.contains(where: { Self.matches(path, $0) }) else { return ("unlikely", header) }
        var answer = Self.whole(header)
        for name in ["If-None-Match", "If-Match"] where Self.only(name, header) != "*" {
            let kept = Self.list([name.lowercased()], header, escapes: false).compactMap(mappedBack)
            let isThere = Self.has(name, header)
            Self.set(name, to: isThere && !kept.isEmpty ? kept.joined(separator: ", ") : nil, in: &answer)
        }
        let since = Self.only("If-Modified-Since", header).flatMap(NaiveDate.seconds)
        let keepsTime = modified != nil && since != nil && !Self.has("If-None-Match", header)
        if !keepsTime || (since ?? 0) < (modified ?? 0) { Self.set("If-Modified-Since", to: nil, in: &answer) }
        return ("likely", answer)
    }

    /// The header of the second request.
    public func again(_ header: [Field]) -> [Field] {
        Self.without(["if-none-match", "if-match", "if-modified-since"], Self.whole(header))
    }

    private static func whole(_ header: [Field]) -> [Field] {
        var answer = without(
            [
                "range", "if-range", "a-im", "if-unmodified-since", "want-content-digest", "want-repr-digest",
                "want-digest",
            ], header)
        if lower(only("Accept-Encoding", header) ?? "") != "identity" {
            set("Accept-Encoding", to: "identity", in: &answer)
        }
        return answer
    }

    /// The origin's tag of which `element` was made with the same tracks.
    private func mappedBack(_ element: String) -> String? {
        guard let tag = Self.tag(element), let parts = Self.parts(tag.opaque), parts.fingerprint == fingerprint else {
            return nil
        }
        return "\(tag.weakness)\"\(parts.origin)\""
    }

    // MARK: Responses

    /// What is done with a body, and the header that goes to the client.
    public func response(
        _ status: Int, _ content: String, _ header: [Field], after standing: String, isHead: Bool
    ) -> (action: String, header: [Field]) {
        let isEdited = standing == "likely" || standing == "again"
        let isTyped = Self.isPlaylistType(header)
        let mustStay = obeysNoTransform && Self.forbidsTransforming(header)
        if standing == "excluded" { return ("pass", header) }
        if status == 304, isEdited { return ("pass", derived(header)) }
        if status == 206 || status == 304 {
            return (isTyped && !isEdited && !mustStay ? "askAgain" : "pass", header)
        }
        guard status == 200 || status == 203, content != "other", !mustStay else { return ("pass", header) }
        let isKnown = isTyped || content == "playlist"
        guard isKnown || isEdited else { return ("pass", header) }
        let codings = Self.list(["content-encoding"], header).filter { Self.lower($0) != "identity" }
        if !codings.isEmpty { return (isEdited ? "pass" : "askAgain", header) }
        if isHead {
            return ("pass", isKnown ? derived(header) : Self.without(["etag", "last-modified"], bodiless(header)))
        }
        if !isKnown { return ("look", header) }
        let isHeld = longestHeld > 0 && (Self.length(header) ?? 0) <= longestHeld
        return (isHeld ? "hold \(longestHeld)" : "stream", derived(header))
    }

    private func bodiless(_ header: [Field]) -> [Field] {
        var answer = Self.without(
            [
                "content-length", "content-digest", "repr-digest", "digest", "content-md5", "content-range", "trailer",
            ], header)
        if Self.has("Accept-Ranges", header), Self.lower(Self.only("Accept-Ranges", header) ?? "") != "none" {
            Self.set("Accept-Ranges", to: "none", in: &answer)
        }
        return answer
    }

    private func derived(_ header: [Field]) -> [Field] {
        var answer = bodiless(header)
        let tag = Self.only("ETag", header).flatMap(Self.tag)
        let derived = tag.map { "\($0.weakness)\"\($0.opaque)-surtitle-\(fingerprint)\"" }
        Self.set("ETag", to: derived, in: &answer)
        let time = Self.only("Last-Modified", header).flatMap(NaiveDate.seconds)
        guard let modified, let time else {
            Self.set("Last-Modified", to: nil, in: &answer)
            return answer
        }
        if time < modified { Self.set("Last-Modified", to: NaiveDate.text(modified), in: &answer) }
        return answer
    }

    private static func isPlaylistType(_ header: [Field]) -> Bool {
        guard let value = values("content-type", header).last else { return false }
        let name = value.split(separator: ";", omittingEmptySubsequences: false)[0]
        return [
            "application/vnd.apple.mpegurl", "application/x-mpegurl", "audio/mpegurl", "audio/x-mpegurl",
        ].contains(lower(trimmed(String(name))))
    }

    private static func length(_ header: [Field]) -> Int? {
        let numbers = list(["content-length"], header).map { text in
            text.allSatisfy { ("0"..."9").contains($0) } ? Int(text) : nil
        }
        guard let first = numbers.first, numbers.allSatisfy({ $0 == first }) else { return nil }
        return has("Transfer-Encoding", header) ? nil : first
    }
}
