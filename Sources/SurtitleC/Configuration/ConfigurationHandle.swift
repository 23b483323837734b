// swift-format-ignore-file: AllPublicDeclarationsHaveDocumentation

internal import ByteScan
public import CSurtitle
internal import Delivery
internal import M3U8
internal import Sideload
internal import WebVTT

/// What is done to playlists, checked: immutable, and shared by threads. Rewriters keep references to its parts.
final class ConfigurationHandle: Sendable {
    let recipe: PlaylistRecipe
    let limits: PipelineLimits

    let fingerprint: UInt64

    /// `source` is what its URI mapping and its condition have been made of.
    ///
    /// It does not throw: Embedded Swift leaks an object whose initializer does.
    private init(_ recipe: PlaylistRecipe, _ limits: PipelineLimits, source: Fingerprint) {
        self.recipe = recipe
        self.limits = limits
        // Of tracks alone it is theirs, as every face has it: behind one name nginx and another proxy may take turns.
        if recipe.edits == nil, let tracks = recipe.tracks {
            fingerprint = tracks.fingerprint(with: limits.tracks)
            return
        }
        var fingerprint = source
        fingerprint.add(ifThere: recipe.tracks?.fingerprint(with: limits.tracks))
        fingerprint.add(ifThere: recipe.edits?.fingerprint(with: limits.lines))
        fingerprint.add(limits.uris.heldVariables)
        fingerprint.add(limits.uris.longestURI)
        self.fingerprint = fingerprint.value
    }
}

extension ConfigurationHandle {
    /// The configuration of what `configuration` says, if there is anything to do. Its tracks are subtitle playlists,
    /// since nobody here makes them. Without a fallback group that is `subs`.
    static func make(
        _ configuration: Configuration, fallbackGroup: [UInt8]? = nil, source: Fingerprint
    ) throws(Refusal) -> ConfigurationHandle {
        if let index = configuration.tracks.firstIndex(where: { $0.format != .playlist }) {
            throw Refusal(tracks: SubtitleTrackError(.subtitleFile, track: index, .uri))
        }
        var tracks: SubtitleTracks?
        if let fallbackGroup, !configuration.tracks.isEmpty {
            let group = String(utf8: fallbackGroup)
            tracks = try refusing(try configuration.subtitleTracks(fallbackGroup: group)) { Refusal(tracks: $0) }
        } else if !configuration.tracks.isEmpty {
            tracks = try refusing(try configuration.subtitleTracks()) { Refusal(tracks: $0) }
        }
        if tracks == nil, configuration.edits.isEmpty, configuration.uris.isEmpty, configuration.keptVariants == nil {
            throw Refusal(SURTITLE_CONFIGURATION_REFUSED, "there is nothing to do; give a track or an edit")
        }
        let recipe = try refusing(try configuration.recipe(with: tracks)) { (error: PlaylistEditError) in
            Refusal(SURTITLE_EDIT_REFUSED, error.reason.message).of("edits", error.index)
        }
        return ConfigurationHandle(recipe, configuration.pipelineLimits, source: source)
    }

    /// The configuration that a JSON text describes.
    fileprivate static func make(json text: UnsafeRawBufferPointer) throws(Refusal) -> ConfigurationHandle {
        let text = unsafe ByteView(text)
        let configuration = try refusing(try Configuration(text)) { Refusal(json: $0) }
        var source = Fingerprint(of: "c-json", version: 1)
        if !configuration.uris.isEmpty || configuration.keptVariants != nil { source.add(text) }
        return try make(configuration, source: source)
    }
}

@c @implementation
public func surtitle_configuration_create(
    _ settings: UnsafePointer<surtitle_settings>!, _ configuration: Place<OpaquePointer?>!,
    _ error: Place<surtitle_error>!
) -> Int32 {
    unsafe make(configuration, error, try unsafe ConfigurationHandle.make(Arguments.sized(settings)))
}

@c @implementation
public func surtitle_configuration_create_json(
    _ bytes: UnsafeRawPointer!, _ count: Int, _ configuration: Place<OpaquePointer?>!, _ error: Place<surtitle_error>!
) -> Int32 {
    unsafe make(configuration, error, try unsafe ConfigurationHandle.make(json: Arguments.bytes(bytes, count)))
}

@c @implementation
public func surtitle_configuration_fingerprint(
    _ configuration: OpaquePointer!, _ fingerprint: Place<UInt64>!
) -> Int32 {
    status { () throws(Refusal) in
        let configuration = try unsafe configuration.shared(ConfigurationHandle.self)
        try unsafe Arguments.required(fingerprint).pointee = configuration.fingerprint
        return SURTITLE_OK
    }
}

@c @implementation
public func surtitle_configuration_destroy(_ configuration: OpaquePointer!) {
    unsafe configuration.release(ConfigurationHandle.self)
}
