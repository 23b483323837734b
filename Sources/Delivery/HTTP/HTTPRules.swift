internal import ByteScan

// What happens to the header fields of a playlist that gets tracks on its way through a proxy.
//
// Nobody knows what will come back when a request goes out. So there are two questions, and the proxy asks both:
//
//     client ── request ──▶ decide ──▶ origin        likely a playlist? then: whole, not encoded, our tags taken off
//     client ◀── decide ◀── response ── origin       a playlist? then: held or streamed, rewritten, our tag put on
//                  │
//                  ├─ look         the path is likely, the type is not: the first bytes tell
//                  └─ askAgain     a playlist after all, but partial, encoded, or the client's own copy holds
//
// A request that is not likely for a playlist is never changed: without Range, media would come whole. That is why the
// second question can ask for another request; paths that are known to lead to playlists save it.
//
// Nothing here does input or output or knows the time. All answers are data: an action, a reason, and a list of header
// edits.
//
// What is left to the proxy, because it belongs to its connections (RFC 9110 7.6.1, RFC 9112 6 and 7): Connection and
// what it names, TE, Upgrade, Expect, Transfer-Encoding, and the trailers of a response that is edited, which must be
// dropped (RFC 9110 6.5.1) since digests may be among them. What is left alone: Vary, Cache-Control, Age, Date,
// Expires, Content-Location.
//
// To add a rule: a case of FieldName, a line here or in HTTPRules+Response.swift, a row in the tables of
// Tests/DeliveryTests/HTTP with the clause, and the same in NaiveHTTP.

/// The rules for header fields, checked once, immutable, and shared by all connections.
public struct HTTPRules: Sendable {
    /// What is done with a message whose Cache-Control says `no-transform`.
    public enum NoTransform: Sendable {
        /// It is not edited, as proxies must not (RFC 9110 7.7).
        case obeyed
        /// It is edited like any other: for a gateway, which speaks for the origin (RFC 9110 3.7).
        case ignored
    }

    /// The forms of paths that are likely to lead to playlists.
    public var paths: [PathPattern]

    /// The longest playlist, in bytes as the origin sends it, that is held so that it can be sent with its length. 64
    /// KiB unless said otherwise; 0 holds none.
    public var longestHeld: Int

    /// What is done with a message whose Cache-Control says `no-transform`; obeyed unless said otherwise.
    public var noTransform: NoTransform

    /// Rules with the documented defaults.
    public init(
        paths: [PathPattern] = PathPattern.usual, longestHeld: Int = 64 << 10, noTransform: NoTransform = .obeyed
    ) {
        self.paths = paths
        self.longestHeld = longestHeld
        self.noTransform = noTransform
    }

    /// Decides about a request, and what is changed of its header before it goes to the origin.
    ///
    /// - Complexity: O(*n*) in the bytes of the fields, and in those of the path for each pattern.
    public func decide(
        _ line: RequestLine, _ fields: borrowing HeaderFields, for tracks: TracksVersion, into edits: inout HeaderEdits
    ) -> RequestDecision {
        edits.removeAll()
        let isHead = line.method == "HEAD"
        func decision(_ standing: RequestDecision.Standing, _ reason: DecisionReason) -> RequestDecision {
            RequestDecision(standing: standing, reason: reason, isHead: isHead, tracks: tracks)
        }
        guard isHead || line.method == "GET" else { return decision(.excluded, .method) }
        if fields.isOverfull { return decision(.excluded, .fieldsTooLong) }
        if noTransform == .obeyed, fields.forbidsTransforming { return decision(.excluded, .noTransform) }
        let reason: DecisionReason
        if isLikely(line) {
            reason = .likelyPath
        } else if fields.namesDerivedTag {
            reason = .derivedTag
        } else {
            return decision(.unlikely, .unlikelyPath)
        }
        edits.askForAll(fields)
        edits.mapBack(.ifNoneMatch, of: fields, from: tracks.fingerprint)
        edits.mapBack(.ifMatch, of: fields, from: tracks.fingerprint)
        edits.mapModifiedSince(fields, tracks.modified)
        return decision(.likely, reason)
    }

    /// What is changed of the header of a request, whose `fields` they are, to send it again after
    /// ``ResponseDecision/Action/askAgain``.
    ///
    /// The edits take the place of those of the first decision, and are made to the request as the client sent it.
    public func decideAgain(
        _ fields: borrowing HeaderFields, after first: RequestDecision, into edits: inout HeaderEdits
    ) -> RequestDecision {
        edits.removeAll()
        edits.askForAll(fields)
        edits.drop(FieldName.ifNoneMatch.bit | FieldName.ifMatch.bit | FieldName.ifModifiedSince.bit, of: fields)
        return RequestDecision(
            standing: .again, reason: .secondRequest, isHead: first.isHead, tracks: first.tracks)
    }

    private func isLikely(_ line: RequestLine) -> Bool {
        let path = line.path
        // By index: to go over the patterns would retain each.
        for index in paths.indices where paths[index].matches(path.bytes, hasEscape: path.hasEscape) { return true }
        return false
    }
}

extension HeaderEdits {
    mutating func drop(_ name: FieldName, of fields: borrowing HeaderFields) { if fields.has(name) { remove(name) } }

    /// Drops those of several fields, a ``FieldName/bit`` each, that are there.
    mutating func drop(_ names: UInt32, of fields: borrowing HeaderFields) {
        var left = names & fields.present
        while left != 0 {
            if let name = FieldName(rawValue: UInt8(left.trailingZeroBitCount)) { remove(name) }
            left &= left &- 1
        }
    }

    /// Asks for the whole playlist, not encoded, whatever its time and without digests.
    fileprivate mutating func askForAll(_ fields: borrowing HeaderFields) {
        // A part cannot be edited, and its offsets are not those of the edited whole (RFC 9110 14.2); without Range,
        // If-Range means nothing (13.1.5). A difference to what the client has is a part too (RFC 3229 10.5.3).
        let parts = FieldName.range.bit | FieldName.ifRange.bit | FieldName.aIM.bit
        // The origin's time says nothing of the tracks, and an intermediary may ignore it (RFC 9110 13.1.4).
        let time = FieldName.ifUnmodifiedSince.bit
        // They would be of the origin's bytes (RFC 9530 4; RFC 3230 4.3.1).
        let digests = FieldName.wantContentDigest.bit | FieldName.wantReprDigest.bit | FieldName.wantDigest.bit
        drop(parts | time | digests, of: fields)
        // Without the field any coding would be welcome (RFC 9110 12.5.3).
        if fields.onlyValue(of: .acceptEncoding)?.equalsIgnoringCase("identity") != true {
            set(.acceptEncoding, "identity")
        }
    }

    /// Puts the origin's tags in the place of those derived from them, and drops all others (RFC 9110 13.1.1, 13.1.2).
    ///
    /// `*` stays: it asks for whatever there is.
    fileprivate mutating func mapBack(
        _ name: FieldName, of fields: borrowing HeaderFields, from fingerprint: UInt64
    ) {
        guard fields.has(name), fields.onlyValue(of: name).map({ $0 == "*" }) != true else { return }
        let start = text.count
        _ = fields.hasElement(of: name, .entityTags) { element in
            guard let derived = EntityTag(element)?.derivation, derived.fingerprint == fingerprint else { return false }
            if text.count > start { text.append(ByteView(", ")) }
            derived.origin.write(into: &text)
            return false
        }
        set(name, toTextFrom: start)
    }

    /// Keeps If-Modified-Since only where the origin's answer is ours too: the tracks have not changed since then (RFC
    /// 9110 13.1.3).
    ///
    /// Beside If-None-Match it must be ignored. Were that dropped and this kept, the origin would answer by time alone.
    fileprivate mutating func mapModifiedSince(_ fields: borrowing HeaderFields, _ modified: HTTPDate?) {
        if let modified, !fields.has(.ifNoneMatch),
            let time = fields.onlyValue(of: .ifModifiedSince).flatMap({ HTTPDate($0) }), modified <= time
        {
            return
        }
        drop(.ifModifiedSince, of: fields)
    }
}
