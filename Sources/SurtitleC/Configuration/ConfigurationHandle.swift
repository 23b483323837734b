internal import ByteScan
public import CSurtitle
internal import Delivery
internal import M3U8
internal import Sideload
internal import WebVTT

/// What is done to playlists, checked: immutable, and shared by threads.
///
/// What a rewriter needs of it is copied into the rewriter, as references that are counted atomically.
final class ConfigurationHandle: Sendable {
    let recipe: PlaylistRecipe
    let limits: PipelineLimits

    /// A number that is another if the output may be.
    let fingerprint: UInt64

    /// A configuration of what has been checked. `source` is what its URI mapping and its condition have been made of.
    ///
    /// It does not throw: Embedded Swift leaks an object whose initializer does.
    private init(_ recipe: PlaylistRecipe, _ limits: PipelineLimits, source: Fingerprint) {
        self.recipe = recipe
        self.limits = limits
        var fingerprint = source
        fingerprint.add(ifThere: recipe.tracks?.fingerprint(with: limits.tracks))
        fingerprint.add(ifThere: recipe.edits?.fingerprint(with: limits.lines))
        fingerprint.add(limits.uris.heldVariables)
        fingerprint.add(limits.uris.longestURI)
        self.fingerprint = fingerprint.value
    }
}

extension ConfigurationHandle {
    /// The configuration of what `configuration` says besides its tracks, and of `tracks`, if there is anything to do.
    static func make(
        _ configuration: Configuration, _ tracks: SubtitleTracks?, source: Fingerprint
    ) throws(Refusal) -> ConfigurationHandle {
        if tracks == nil, configuration.edits.isEmpty, configuration.uris.isEmpty, configuration.keptVariants == nil {
            throw Refusal(SURTITLE_CONFIGURATION_REFUSED, "there is nothing to do; give a track or an edit")
        }
        do throws(PlaylistEditError) {
            return ConfigurationHandle(
                try configuration.recipe(with: tracks), configuration.pipelineLimits, source: source)
        } catch {
            throw Refusal(SURTITLE_EDIT_REFUSED, error.reason.message).of("edits", error.index)
        }
    }

    /// The configuration that `settings` describe.
    static func make(_ settings: UnsafePointer<surtitle_settings>?) throws(Refusal) -> ConfigurationHandle {
        let settings = try unsafe Arguments.sized(settings)
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
        let tracks = try configuration.compiledTracks()
        return try make(configuration, tracks, source: source)
    }
}

extension Configuration {
    /// The tracks, or nil if there is none: subtitle playlists, since nobody here makes them. Without a fallback group
    /// that is `subs`.
    func compiledTracks(fallbackGroup: [UInt8]? = nil) throws(Refusal) -> SubtitleTracks? {
        guard !tracks.isEmpty else { return nil }
        if let index = tracks.firstIndex(where: { $0.format != .playlist }) {
            throw Refusal(SubtitleTrackError(.subtitleFile, track: index, .uri))
        }
        do throws(SubtitleTrackError) {
            guard let fallbackGroup else { return try subtitleTracks() }
            return try subtitleTracks(fallbackGroup: String(utf8: fallbackGroup))
        } catch {
            throw Refusal(error)
        }
    }
}

/// `surtitle_configuration_create` of surtitle.h.
@c @implementation
public func surtitle_configuration_create(
    _ settings: UnsafePointer<surtitle_settings>!, _ configuration: UnsafeMutablePointer<OpaquePointer?>!,
    _ error: UnsafeMutablePointer<surtitle_error>!
) -> Int32 {
    unsafe make(configuration, error) { () throws(Refusal) in
        try unsafe ConfigurationHandle.make(settings)
    }
}

/// `surtitle_configuration_create_json` of surtitle.h.
@c @implementation
public func surtitle_configuration_create_json(
    _ bytes: UnsafePointer<UInt8>!, _ count: Int, _ configuration: UnsafeMutablePointer<OpaquePointer?>!,
    _ error: UnsafeMutablePointer<surtitle_error>!
) -> Int32 {
    unsafe make(configuration, error) { () throws(Refusal) in
        let text = try unsafe Arguments.bytes(bytes, count)
        return try unsafe ConfigurationHandle.make(json: ByteView(text))
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
    unsafe configuration.release(ConfigurationHandle.self)
}
