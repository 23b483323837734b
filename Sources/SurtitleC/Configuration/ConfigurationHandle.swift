internal import ByteScan
public import CSurtitle
internal import Delivery
internal import M3U8
internal import Sideload

/// What is done to playlists, checked: immutable, and shared by threads.
///
/// What a rewriter needs of it is copied into the rewriter, as references that are counted atomically.
final class ConfigurationHandle: Sendable {
    /// What is done to lines and URIs.
    struct Edits: Sendable {
        let edits: PlaylistEdits
        let mapping: URIMapping?
        let condition: VariantExpression?
        let uriLimits: URIMapper.Limits
    }

    let tracks: SubtitleTracks?
    let edits: Edits?
    let limits: SideloadLimits

    /// A number that is another if the output may be.
    let fingerprint: UInt64

    /// A configuration of what has been checked. `source` is what its URI mapping and its condition have been made of.
    ///
    /// It does not throw: Embedded Swift leaks an object whose initializer does.
    private init(
        _ configuration: Configuration, _ tracks: SubtitleTracks?, _ edits: PlaylistEdits?, source: Fingerprint
    ) {
        self.tracks = tracks
        limits = configuration.limits
        let limits = configuration.limits
        self.edits = edits.map {
            Edits(
                edits: $0, mapping: configuration.uris.mapping(), condition: configuration.keptVariants,
                uriLimits: configuration.uriLimits)
        }
        var fingerprint = source
        fingerprint.add(ifThere: tracks?.fingerprint(with: limits))
        fingerprint.add(ifThere: edits?.fingerprint(with: limits.lines))
        fingerprint.add(configuration.uriLimits.heldVariables)
        fingerprint.add(configuration.uriLimits.longestURI)
        self.fingerprint = fingerprint.value
    }
}

extension ConfigurationHandle {
    /// A configuration of what has been checked, if there is anything to do.
    static func make(
        _ configuration: Configuration, _ tracks: SubtitleTracks?, _ edits: PlaylistEdits?, source: Fingerprint
    ) throws(Refusal) -> ConfigurationHandle {
        guard tracks != nil || edits != nil else {
            throw Refusal(SURTITLE_CONFIGURATION_REFUSED, "there is nothing to do; give a track or an edit")
        }
        return ConfigurationHandle(configuration, tracks, edits, source: source)
    }

    /// The configuration that `settings` describe.
    static func make(_ settings: UnsafePointer<surtitle_settings>?) throws(Refusal) -> ConfigurationHandle {
        let settings = try unsafe Arguments.required(settings)
        try unsafe Arguments.check(size: settings.pointee.size, of: surtitle_settings.self)
        let reader = try unsafe SettingsReader(settings.pointee)
        return try reader.configuration()
    }

    /// The configuration that a JSON text describes.
    static func make(json text: ByteView) throws(Refusal) -> ConfigurationHandle {
        let configuration: Configuration
        do throws(ConfigurationError) {
            configuration = try Configuration(text)
        } catch {
            throw Refusal(error)
        }
        var source = Fingerprint(of: "c-json", version: 1)
        if !configuration.uris.isEmpty || configuration.keptVariants != nil { source.add(text) }
        var tracks: SubtitleTracks?
        if !configuration.tracks.isEmpty {
            for (index, track) in configuration.tracks.enumerated() where track.source == .webVTT {
                throw Refusal(SURTITLE_TRACK_REFUSED, TrackWords.subtitleFile).of("tracks", index, "uri")
            }
            do throws(SubtitleTrackError) { tracks = try configuration.subtitleTracks() } catch { throw Refusal(error) }
        }
        return try make(configuration, tracks, configuration.compiledEdits(), source: source)
    }
}

extension Configuration {
    /// The edits, or nil if there is none.
    func compiledEdits() throws(Refusal) -> PlaylistEdits? {
        if edits.isEmpty, uris.isEmpty, keptVariants == nil { return nil }
        do throws(PlaylistEditError) {
            return try playlistEdits()
        } catch {
            throw Refusal(SURTITLE_EDIT_REFUSED, EditWords.words(for: error.reason)).of("edits", error.index)
        }
    }
}

/// `surtitle_configuration_create` of surtitle.h.
@c @implementation
public func surtitle_configuration_create(
    _ settings: UnsafePointer<surtitle_settings>!, _ configuration: UnsafeMutablePointer<OpaquePointer?>!,
    _ error: UnsafeMutablePointer<surtitle_error>!
) -> Int32 {
    unsafe status(error) { () throws(Refusal) in
        let place = try unsafe Arguments.place(configuration)
        unsafe place.pointee = nil
        let made = try unsafe ConfigurationHandle.make(settings)
        unsafe place.pointee = OpaquePointer(Unmanaged.passRetained(made).toOpaque())
        return SURTITLE_OK.code
    }
}

/// `surtitle_configuration_create_json` of surtitle.h.
@c @implementation
public func surtitle_configuration_create_json(
    _ bytes: UnsafePointer<UInt8>!, _ count: Int, _ configuration: UnsafeMutablePointer<OpaquePointer?>!,
    _ error: UnsafeMutablePointer<surtitle_error>!
) -> Int32 {
    unsafe status(error) { () throws(Refusal) in
        let place = try unsafe Arguments.place(configuration)
        unsafe place.pointee = nil
        let text = try unsafe Arguments.bytes(bytes, count)
        let made = try unsafe ConfigurationHandle.make(json: ByteView(text))
        unsafe place.pointee = OpaquePointer(Unmanaged.passRetained(made).toOpaque())
        return SURTITLE_OK.code
    }
}

/// `surtitle_configuration_fingerprint` of surtitle.h.
@c @implementation
public func surtitle_configuration_fingerprint(
    _ configuration: OpaquePointer!, _ fingerprint: UnsafeMutablePointer<UInt64>!
) -> Int32 {
    status { () throws(Refusal) in
        let configuration = try unsafe configuration.shared(ConfigurationHandle.self)
        let place = try unsafe Arguments.place(fingerprint)
        unsafe place.pointee = configuration.fingerprint
        return SURTITLE_OK.code
    }
}

/// `surtitle_configuration_destroy` of surtitle.h.
@c @implementation
public func surtitle_configuration_destroy(_ configuration: OpaquePointer!) {
    guard let pointer = unsafe configuration else { return }
    unsafe Unmanaged<ConfigurationHandle>.fromOpaque(UnsafeRawPointer(pointer)).release()
}
