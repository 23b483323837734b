internal import ByteScan
internal import CSurtitle
internal import Delivery
internal import M3U8
internal import Sideload
internal import WebVTT

extension ConfigurationHandle {
    private static let mostEdits = 10_000

    static func make(_ settings: surtitle_settings) throws(Refusal) -> ConfigurationHandle {
        let known = SURTITLE_REPLACES_DEFAULT.rawValue | SURTITLE_FAILS_PAST_LIMIT.rawValue
        guard unsafe settings.flags & ~UInt32(known) == 0, unsafe settings.reserved == 0 else {
            throw Refusal(SURTITLE_INVALID_VALUE)
        }
        let tracks = try unsafe SizedArray(settings.tracks, settings.track_count)
        let edits = try unsafe SizedArray(settings.edits, settings.edit_count)
        guard unsafe tracks.count <= Configuration.mostTracks else {
            throw Refusal(SURTITLE_TRACK_REFUSED, "there are too many tracks")
        }
        guard unsafe edits.count <= mostEdits else { throw Refusal(SURTITLE_EDIT_REFUSED, "there are too many edits") }
        var configuration = Configuration()
        try unsafe configuration.setLimits(settings)
        configuration.replacesDefault = unsafe settings.flags & UInt32(SURTITLE_REPLACES_DEFAULT.rawValue) != 0
        var source = Fingerprint(of: "c-settings", version: 1)
        try unsafe edits.forEach("edits") { edit throws(Refusal) in try unsafe configuration.add(edit, &source) }
        try unsafe tracks.forEach("tracks") { track throws(Refusal) in
            configuration.tracks.append(try unsafe TrackConfiguration(track))
        }
        let group = try refusing(try unsafe Arguments.text(settings.fallback_group)) { (refusal: Refusal) in
            refusal.of("fallback_group")
        }
        return try make(configuration, fallbackGroup: group, source: source)
    }
}

extension Configuration {
    fileprivate mutating func setLimits(_ settings: surtitle_settings) throws(Refusal) {
        let fails = unsafe settings.flags & UInt32(SURTITLE_FAILS_PAST_LIMIT.rawValue) != 0
        limits = try unsafe SideloadLimits(
            lines: LineLimits(
                longestLine: Arguments.limit(settings.longest_line, or: limits.lines.longestLine),
                policy: fails ? .fail : .passThrough),
            heldRenditions: Arguments.limit(settings.held_renditions, or: limits.heldRenditions),
            longestGroupID: Arguments.limit(settings.longest_group_id, or: limits.longestGroupID),
            appendedTags: Arguments.limit(settings.appended_tags, or: limits.appendedTags))
        uriLimits.heldVariables = try unsafe Arguments.limit(settings.held_variables, or: uriLimits.heldVariables)
        uriLimits.longestURI = try unsafe Arguments.limit(settings.longest_uri, or: uriLimits.longestURI)
    }

    /// Adds an edit; what it makes of URIs and variants counts for `source`.
    fileprivate mutating func add(_ edit: surtitle_edit, _ source: inout Fingerprint) throws(Refusal) {
        let text = try unsafe Arguments.required(Arguments.text(edit.text))
        guard let kind = unsafe EditKind.all.element(at: edit.verb),
            let name = unsafe URIRoleName.allCases.element(at: edit.role), kind.takesRole || name.role == nil
        else { throw Refusal(SURTITLE_INVALID_VALUE) }
        let status: surtitle_status =
            switch kind {
            case .lines: SURTITLE_EDIT_REFUSED
            case .keepVariants: SURTITLE_CONDITION_REFUSED
            case .mapURI, .scheme, .host, .appendQuery: SURTITLE_URI_REFUSED
            }
        if kind == .keepVariants, keptVariants != nil {
            throw Refusal(status, "there is a condition already; join them by &&")
        }
        if status != SURTITLE_EDIT_REFUSED {
            unsafe source.add(Int(edit.verb))
            unsafe source.add(Int(edit.role))
            source.add(text)
        }
        try refusing(try add(kind, text, of: name.role)) { (error: EditTextError) in
            Refusal(status, error.words, at: error.position)
        }
    }
}

extension TrackConfiguration {
    /// A track as a caller has put it into a struct.
    fileprivate init(_ track: surtitle_track) throws(Refusal) {
        let keys = try unsafe Arguments.array(track.keys, track.key_count)
        var fields = TrackFields()
        for index in keys.indices {
            let name = try unsafe Arguments.required(Arguments.text(keys[index].name))
            let value = try refusing(try unsafe Arguments.text(keys[index].value)) { (refusal: Refusal) in
                refusal.of("\(name)")
            }
            try refusing(try name.withView { name throws(TrackKeyError) in try fields.read(name, value) }) {
                Refusal(key: $0)
            }
        }
        // Whatever its name ends in, it is for a player to find a playlist there.
        self = try refusing(try fields.finished(otherwise: .playlist)) { Refusal(key: $0) }
    }
}

extension Array {
    fileprivate func element(at number: Int32) -> Element? { indices.contains(Int(number)) ? self[Int(number)] : nil }
}
