public import ByteScan
internal import M3U8

// What is decided about a response, by its status (RFC 9110 15):
//
//     200, 203   the resource itself: edited if it is a playlist, is not encoded, and may be
//     206        never edited: a part; asked again if the request was not changed
//     304        the tag that the client knows is put on; asked again if the request was not changed, since
//                then the client has the origin's bytes
//     others     pass
//
// The same for HEAD and for a 304, which tell the header of what a GET would have got (9.3.2, 15.4.5).

extension HTTPRules {
    /// Decides about a response, and what is changed of its header before it goes to the client.
    ///
    /// A decision with ``ResponseDecision/Action/look`` or ``ResponseDecision/Action/askAgain`` has no edits.
    ///
    /// - Complexity: O(*n*) in the bytes of the fields.
    public func decide(
        _ response: ResponseHead, _ fields: borrowing HeaderFields, after request: RequestDecision,
        into edits: inout HeaderEdits
    ) -> ResponseDecision {
        edits.removeAll()
        if request.standing == .excluded { return ResponseDecision(.pass, request.reason) }
        if fields.isOverfull { return ResponseDecision(.pass, .fieldsTooLong) }
        switch response.status {
        case 200, 203: return decideContent(response.content, fields, request, &edits)
        case 206: return decideBodiless(.partialContent, fields, request)
        case 304:
            guard request.isEdited else { return decideBodiless(.notModified, fields, request) }
            edits.derive(fields, request.tracks)
            return ResponseDecision(.pass, .notModified)
        case 100..<200, 204, 205: return ResponseDecision(.pass, .noContent)
        case 300..<400: return ResponseDecision(.pass, .redirect)
        case 400..<600: return ResponseDecision(.pass, .errorStatus)
        default: return ResponseDecision(.pass, .otherStatus)
        }
    }

    /// What a body is that begins with `bytes`; nil if more of it is needed, which is never so with 12 bytes or if it
    /// `isWhole`.
    ///
    /// A playlist begins with `#EXTM3U` (RFC 8216 4.3.1.1), after a byte order mark or not.
    public static func content(of bytes: ByteView, isWhole: Bool) -> ResponseHead.Content? {
        PlaylistSignature.matches(bytes, isWhole: isWhole).map { $0 ? .playlist : .other }
    }

    /// A response that cannot be edited, whatever its body: if it is of a playlist, and the request was not changed,
    /// another can be asked for.
    private func decideBodiless(
        _ reason: DecisionReason, _ fields: borrowing HeaderFields, _ request: RequestDecision
    ) -> ResponseDecision {
        guard fields.hasPlaylistType, !request.isEdited else { return ResponseDecision(.pass, reason) }
        if isUntouchable(fields) { return ResponseDecision(.pass, .noTransform) }
        return ResponseDecision(.askAgain, reason)
    }

    private func decideContent(
        _ content: ResponseHead.Content, _ fields: borrowing HeaderFields, _ request: RequestDecision,
        _ edits: inout HeaderEdits
    ) -> ResponseDecision {
        let isTyped = fields.hasPlaylistType
        if content == .other { return ResponseDecision(.pass, .otherContent) }
        guard isTyped || request.isEdited || content == .playlist else { return ResponseDecision(.pass, .otherType) }
        if isUntouchable(fields) { return ResponseDecision(.pass, .noTransform) }
        if let coding = fields.contentCoding {
            return ResponseDecision(request.isEdited ? .pass : .askAgain, .encoded, coding)
        }
        let isKnown = isTyped || content == .playlist
        if request.isHead {
            if isKnown { edits.derive(fields, request.tracks) } else { edits.omit(fields) }
            return ResponseDecision(.pass, .head)
        }
        guard isKnown else { return ResponseDecision(.look, .unknownContent) }
        edits.derive(fields, request.tracks)
        let isHeld = longestHeld > 0 && (fields.contentLength ?? 0) <= longestHeld
        return ResponseDecision(
            isHeld ? .hold(upTo: longestHeld) : .stream, content == .playlist ? .playlistContent : .playlistType)
    }

    private func isUntouchable(_ fields: borrowing HeaderFields) -> Bool {
        noTransform == .obeyed && fields.forbidsTransforming
    }
}

extension HeaderEdits {
    /// The header of a playlist with tracks in it, from that of the origin's.
    fileprivate mutating func derive(_ fields: borrowing HeaderFields, _ tracks: TracksVersion) {
        dropBodyFields(fields)
        deriveTag(fields, tracks.fingerprint)
        deriveModified(fields, tracks.modified)
    }

    /// The header of what may become a playlist with tracks in it or not: HEAD may leave out what is known only once
    /// the body is (RFC 9110 9.3.2).
    fileprivate mutating func omit(_ fields: borrowing HeaderFields) {
        dropBodyFields(fields)
        drop(.entityTag, of: fields)
        drop(.lastModified, of: fields)
    }

    /// Drops what is true of the origin's bytes only.
    private mutating func dropBodyFields(_ fields: borrowing HeaderFields) {
        // The length that goes out is known when the body is whole, or never (RFC 9110 8.6; RFC 9112 6.2, 6.3).
        let length = FieldName.contentLength.bit
        // Digests: of content and of representation (RFC 9530 2, 3), and their forerunners (RFC 3230 4.3.2; RFC 2616
        // 14.15).
        let digests =
            FieldName.contentDigest.bit | FieldName.reprDigest.bit | FieldName.digest.bit | FieldName.contentMD5.bit
        // Says nothing with these statuses, and something wrong (RFC 9110 14.4).
        let range = FieldName.contentRange.bit
        // Trailers may be digests too, and are dropped with their announcement (RFC 9110 6.5.1, 6.6.2).
        let trailer = FieldName.trailer.bit
        drop(length | digests | range | trailer, of: fields)
        // Range is not honoured for playlists; `none` tells clients not to try (RFC 9110 14.3).
        if fields.has(.acceptRanges), fields.onlyValue(of: .acceptRanges)?.equalsIgnoringCase("none") != true {
            set(.acceptRanges, "none")
        }
    }

    /// Puts the fingerprint into the tag (RFC 9110 8.8.3).
    ///
    /// Without a tag of the origin's none is made: it would have to change with the playlist, which has not been seen
    /// yet. One that is no tag could not be given back to the origin.
    private mutating func deriveTag(_ fields: borrowing HeaderFields, _ fingerprint: UInt64) {
        guard let tag = fields.onlyValue(of: .entityTag).flatMap({ EntityTag($0) }) else {
            return drop(.entityTag, of: fields)
        }
        let start = text.count
        tag.writeDerived(fingerprint, into: &text)
        set(.entityTag, toTextFrom: start)
    }

    /// Leaves or sets the later of the playlist's and the tracks' times, or drops it if either is unknown (RFC 9110
    /// 8.8.2).
    private mutating func deriveModified(_ fields: borrowing HeaderFields, _ modified: HTTPDate?) {
        guard let modified, let origin = fields.onlyValue(of: .lastModified).flatMap({ HTTPDate($0) }) else {
            return drop(.lastModified, of: fields)
        }
        guard origin < modified else { return }
        let start = text.count
        modified.write(into: &text)
        set(.lastModified, toTextFrom: start)
    }
}
