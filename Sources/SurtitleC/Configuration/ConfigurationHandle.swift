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
    /// The configuration of what `configuration` says, if there is anything to do. Its tracks are subtitle playlists,
    /// since nobody here makes them. Without a fallback group that is `subs`.
    static func make(
        _ configuration: Configuration, fallbackGroup: [UInt8]? = nil, source: Fingerprint
    ) throws(Refusal) -> ConfigurationHandle {
        if let index = configuration.tracks.firstIndex(where: { $0.format != .playlist }) {
            throw Refusal(SubtitleTrackError(.subtitleFile, track: index, .uri))
        }
        var tracks: SubtitleTracks?
        do throws(SubtitleTrackError) {
            if let fallbackGroup, !configuration.tracks.isEmpty {
                tracks = try configuration.subtitleTracks(fallbackGroup: String(utf8: fallbackGroup))
            } else if !configuration.tracks.isEmpty {
                tracks = try configuration.subtitleTracks()
            }
        } catch {
            throw Refusal(error)
        }
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
}

extension Configuration {
    /// The configuration that a JSON text of the caller's describes.
    init(_ bytes: UnsafePointer<UInt8>?, _ count: Int) throws(Refusal) {
        let text = try unsafe ByteView(Arguments.bytes(bytes, count))
        do throws(ConfigurationError) {
            try self.init(text)
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
        try unsafe ConfigurationHandle.make(Arguments.sized(settings))
    }
}

/// `surtitle_configuration_create_json` of surtitle.h.
@c @implementation
public func surtitle_configuration_create_json(
    _ bytes: UnsafePointer<UInt8>!, _ count: Int, _ configuration: UnsafeMutablePointer<OpaquePointer?>!,
    _ error: UnsafeMutablePointer<surtitle_error>!
) -> Int32 {
    unsafe make(configuration, error) { () throws(Refusal) in
        let configuration = try unsafe Configuration(bytes, count)
        var source = Fingerprint(of: "c-json", version: 1)
        if !configuration.uris.isEmpty || configuration.keptVariants != nil {
            try unsafe source.add(ByteView(Arguments.bytes(bytes, count)))
        }
        return try ConfigurationHandle.make(configuration, source: source)
    }
}

/// `surtitle_configuration_fingerprint` of surtitle.h.
@c @implementation
public func surtitle_configuration_fingerprint(
    _ configuration: OpaquePointer!, _ fingerprint: UnsafeMutablePointer<UInt64>!
) -> Int32 {
    status { () throws(Refusal) in
        let configuration = try unsafe configuration.shared(ConfigurationHandle.self)
        try unsafe Arguments.required(fingerprint).pointee = configuration.fingerprint
        return SURTITLE_OK
    }
}

/// `surtitle_configuration_destroy` of surtitle.h.
@c @implementation
public func surtitle_configuration_destroy(_ configuration: OpaquePointer!) {
    unsafe configuration.release(ConfigurationHandle.self)
}
