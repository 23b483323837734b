internal import ByteScan
internal import CSurtitle
internal import Delivery
internal import M3U8
internal import Sideload
internal import WebVTT

/// Makes a configuration of what a caller has put into structs.
@safe
struct SettingsReader {
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
        guard tracks.count <= Configuration.mostTracks else {
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
        configuration.replacesDefault = unsafe settings.flags & UInt32(SURTITLE_REPLACES_DEFAULT.rawValue) != 0
        for index in 0..<tracks.count {
            guard let track = unsafe tracks[index]?.track else { continue }
            configuration.tracks.append(try unsafe self.track(track, index))
        }
        let group: [UInt8]?
        do throws(Refusal) {
            group = try unsafe Arguments.text(settings.fallback_group)
        } catch {
            throw error.of("fallback_group")
        }
        let tracks = try configuration.compiledTracks(fallbackGroup: group)
        return try ConfigurationHandle.make(configuration, tracks, source: source)
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

    private func track(_ track: surtitle_track, _ index: Int) throws(Refusal) -> TrackConfiguration {
        let count = unsafe track.key_count
        guard count >= 0 else { throw Refusal(SURTITLE_TOO_LONG) }
        guard unsafe track.keys != nil || count == 0 else { throw Refusal(SURTITLE_NULL_ARGUMENT) }
        var fields = TrackFields()
        for number in 0..<count {
            guard let key = unsafe track.keys?[number] else { continue }
            let name: [UInt8]
            do throws(Refusal) { name = try unsafe Arguments.requiredText(key.name) } catch {
                throw error.of("tracks", index)
            }
            let value: [UInt8]?
            do throws(Refusal) { value = try unsafe Arguments.text(key.value) } catch {
                throw error.of("tracks", index, "\(name)")
            }
            do throws(TrackKeyError) {
                try name.withView { name throws(TrackKeyError) in try fields.read(name, value) }
            } catch {
                throw Refusal(error, track: index)
            }
        }
        do throws(TrackKeyError) {
            // Whatever its name ends in, it is for a player to find a playlist there.
            return try fields.finished(otherwise: .playlist)
        } catch {
            throw Refusal(error, track: index)
        }
    }

    // MARK: Edits

    private func add(
        _ edit: surtitle_edit, to configuration: inout Configuration, _ source: inout Fingerprint
    ) throws(Refusal) {
        let text = try unsafe Arguments.requiredText(edit.text)
        guard let kind = unsafe EditKind.all.element(at: edit.verb),
            let name = unsafe URIRoleName.allCases.element(at: edit.role), kind.takesRole || name.role == nil
        else { throw Refusal(SURTITLE_INVALID_VALUE) }
        var status = SURTITLE_URI_REFUSED
        if case .lines = kind { status = SURTITLE_EDIT_REFUSED }
        if kind == .keepVariants {
            status = SURTITLE_CONDITION_REFUSED
            guard configuration.keptVariants == nil else {
                throw Refusal(status, "there is a condition already; join them by &&")
            }
        }
        if status != SURTITLE_EDIT_REFUSED {
            unsafe source.add(Int(edit.verb))
            unsafe source.add(Int(edit.role))
            source.add(text)
        }
        do {
            try configuration.add(kind, text, of: name.role)
        } catch {
            throw Refusal(status, error.words, at: error.position)
        }
    }
}

extension Array {
    /// The element with that number, if there is one.
    fileprivate func element(at number: Int32) -> Element? {
        indices.contains(Int(number)) ? self[Int(number)] : nil
    }
}
