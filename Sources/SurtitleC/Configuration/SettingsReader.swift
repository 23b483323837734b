internal import ByteScan
internal import CSurtitle
internal import Delivery
internal import M3U8
internal import Sideload

/// Makes a configuration of what a caller has put into structs.
@safe
struct SettingsReader {
    private static let mostTracks = 1000
    private static let mostEdits = 10_000

    @safe
    private struct Track {
        let track: surtitle_track
    }

    @safe
    private struct Edit {
        let edit: surtitle_edit
    }

    private let settings: surtitle_settings
    private let tracks: SizedArray<Track>
    private let edits: SizedArray<Edit>

    /// Checks what can be checked before texts are read.
    init(_ settings: surtitle_settings) throws(Refusal) {
        unsafe self.settings = settings
        let known = SURTITLE_REPLACES_DEFAULT.rawValue | SURTITLE_FAILS_PAST_LIMIT.rawValue
        guard unsafe settings.flags & ~UInt32(known) == 0, unsafe settings.reserved == 0 else {
            throw Refusal(SURTITLE_INVALID_VALUE)
        }
        tracks = try unsafe SizedArray(settings.tracks, settings.track_count)
        edits = try unsafe SizedArray(settings.edits, settings.edit_count)
        guard tracks.count <= Self.mostTracks else {
            throw Refusal(SURTITLE_TRACK_REFUSED, "there are too many tracks")
        }
        guard edits.count <= Self.mostEdits else { throw Refusal(SURTITLE_EDIT_REFUSED, "there are too many edits") }
    }

    func configuration() throws(Refusal) -> ConfigurationHandle {
        var configuration = Configuration()
        configuration.limits = try limits()
        configuration.uriLimits.heldVariables = try unsafe Self.limit(
            settings.held_variables, or: configuration.uriLimits.heldVariables)
        configuration.uriLimits.longestURI = try unsafe Self.limit(
            settings.longest_uri, or: configuration.uriLimits.longestURI)
        var source = Fingerprint(of: "c-settings", version: 1)
        for index in 0..<edits.count {
            guard let edit = unsafe edits[index]?.edit else { continue }
            do throws(Refusal) {
                try unsafe add(edit, to: &configuration, &source)
            } catch {
                throw error.of("edits", index)
            }
        }
        return try ConfigurationHandle.make(
            configuration, subtitleTracks(), configuration.compiledEdits(), source: source)
    }

    /// A limit of at most 1 GiB, so that no sum of limits is too large for a number.
    private static func limit(_ number: Int, or standard: Int) throws(Refusal) -> Int {
        let limit = try Arguments.limit(number, or: standard)
        guard limit <= 1 << 30 else { throw Refusal(SURTITLE_INVALID_VALUE) }
        return limit
    }

    private func limits() throws(Refusal) -> SideloadLimits {
        let standard = SideloadLimits()
        let fails = unsafe settings.flags & UInt32(SURTITLE_FAILS_PAST_LIMIT.rawValue) != 0
        return SideloadLimits(
            lines: LineLimits(
                longestLine: try unsafe Self.limit(settings.longest_line, or: standard.lines.longestLine),
                policy: fails ? .fail : .passThrough),
            heldRenditions: try unsafe Self.limit(settings.held_renditions, or: standard.heldRenditions),
            longestGroupID: try unsafe Self.limit(settings.longest_group_id, or: standard.longestGroupID),
            appendedTags: try unsafe Self.limit(settings.appended_tags, or: standard.appendedTags))
    }

    // MARK: Tracks

    private func subtitleTracks() throws(Refusal) -> SubtitleTracks? {
        guard tracks.count > 0 else { return nil }
        var checked: [SubtitleTrack] = []
        for index in 0..<tracks.count {
            guard let track = unsafe tracks[index]?.track else { continue }
            checked.append(try unsafe self.track(track, index))
        }
        let group: [UInt8]
        do throws(Refusal) {
            group = try unsafe Arguments.text(settings.fallback_group) ?? Array(ByteView("subs"))
        } catch {
            var refusal = error
            refusal.field = Array(ByteView("fallback_group"))
            throw refusal
        }
        do throws(SubtitleTrackError) {
            let replaces = unsafe settings.flags & UInt32(SURTITLE_REPLACES_DEFAULT.rawValue) != 0
            return try SubtitleTracks(
                checked, fallbackGroup: String(decoding: group, as: UTF8.self),
                defaultPolicy: replaces ? .prefersTracks : .keepsExisting)
        } catch {
            throw Refusal(error)
        }
    }

    private func track(_ track: surtitle_track, _ index: Int) throws(Refusal) -> SubtitleTrack {
        guard unsafe track.flags < 32, unsafe track.reserved == 0 else {
            throw Refusal(SURTITLE_INVALID_VALUE).of("tracks", index)
        }
        func text(_ text: surtitle_text, _ field: StaticString) throws(Refusal) -> String? {
            do throws(Refusal) {
                return try unsafe Arguments.text(text).map { String(decoding: $0, as: UTF8.self) }
            } catch {
                throw error.of("tracks", index, field)
            }
        }
        func required(_ field: StaticString) -> Refusal {
            Refusal(SURTITLE_TRACK_REFUSED, "it is missing").of("tracks", index, field)
        }
        guard let uri = try unsafe text(track.uri, "uri") else { throw required("uri") }
        guard let name = try unsafe text(track.name, "name") else { throw required("name") }
        func has(_ flag: surtitle_track_flags) -> Bool { unsafe track.flags & UInt32(flag.rawValue) != 0 }
        return SubtitleTrack(
            uri: uri, language: try unsafe text(track.language, "language"), name: name,
            isDefault: has(SURTITLE_TRACK_DEFAULT), isAutoselected: !has(SURTITLE_TRACK_NOT_AUTOSELECTED),
            isForced: has(SURTITLE_TRACK_FORCED), isSDH: has(SURTITLE_TRACK_SDH),
            associatedLanguage: try unsafe text(track.associated_language, "associated_language"),
            stableRenditionID: try unsafe text(track.stable_rendition_id, "stable_rendition_id"),
            groupID: try unsafe text(track.group_id, "group_id"), usesVariables: has(SURTITLE_TRACK_VARIABLES))
    }

    // MARK: Edits

    private func add(
        _ edit: surtitle_edit, to configuration: inout Configuration, _ source: inout Fingerprint
    ) throws(Refusal) {
        let text = try unsafe Arguments.requiredText(edit.text)
        let role = try unsafe Self.role(edit.role)
        let verb = unsafe surtitle_edit_verb(rawValue: .init(truncatingIfNeeded: edit.verb))
        if let lineVerb = Self.lineVerb(verb) {
            guard role == nil else { throw Refusal(SURTITLE_INVALID_VALUE) }
            guard let change = ConfiguredEdit(lineVerb, text) else {
                throw Refusal(SURTITLE_EDIT_REFUSED, lineVerb.form)
            }
            do throws(PlaylistEditError) { try change.check() } catch {
                throw Refusal(SURTITLE_EDIT_REFUSED, EditWords.words(for: error.reason))
            }
            configuration.edits.append(change)
            return
        }
        unsafe source.add(Int(edit.verb))
        unsafe source.add(Int(edit.role))
        source.add(text)
        switch verb {
        case SURTITLE_MAP_URI:
            guard role == nil else { throw Refusal(SURTITLE_INVALID_VALUE) }
            do throws(URIMappingError) { try configuration.uris.resolve(against: text) } catch {
                throw Refusal(SURTITLE_URI_REFUSED, "the base is no absolute URI")
            }
        case SURTITLE_KEEP_VARIANTS:
            guard role == nil else { throw Refusal(SURTITLE_INVALID_VALUE) }
            guard configuration.keptVariants == nil else {
                throw Refusal(SURTITLE_CONDITION_REFUSED, "there is a condition already; join them by &&")
            }
            do throws(VariantExpressionError) { configuration.keptVariants = try VariantExpression(text) } catch {
                throw Refusal(SURTITLE_CONDITION_REFUSED).at(error.position)
            }
        case SURTITLE_SCHEME, SURTITLE_HOST, SURTITLE_APPEND_QUERY:
            do throws(URIEditError) {
                switch verb {
                case SURTITLE_SCHEME: try configuration.uris.setScheme(text, of: role)
                case SURTITLE_HOST: try configuration.uris.setHost(text, of: role)
                default: try configuration.uris.appendQuery(text, of: role)
                }
            } catch {
                throw Refusal(SURTITLE_URI_REFUSED).at(error.position)
            }
        default: throw Refusal(SURTITLE_INVALID_VALUE)
        }
    }

    private static func lineVerb(_ verb: surtitle_edit_verb) -> EditVerb? {
        switch verb {
        case SURTITLE_SET: .set
        case SURTITLE_REPLACE: .replace
        case SURTITLE_REMOVE: .remove
        case SURTITLE_DROP: .drop
        case SURTITLE_APPEND_LINE: .appendLine
        default: nil
        }
    }

    /// The role with that number; nil for all URIs.
    private static func role(_ number: Int32) throws(Refusal) -> URIRole? {
        switch surtitle_uri_role(rawValue: .init(truncatingIfNeeded: number)) {
        case SURTITLE_ROLE_ALL: nil
        case SURTITLE_ROLE_VARIANT: .variant
        case SURTITLE_ROLE_MEDIA: .media
        case SURTITLE_ROLE_RENDITION: .rendition
        case SURTITLE_ROLE_KEY: .key
        case SURTITLE_ROLE_MAP: .map
        case SURTITLE_ROLE_OTHER: .other
        default: throw Refusal(SURTITLE_INVALID_VALUE)
        }
    }
}
