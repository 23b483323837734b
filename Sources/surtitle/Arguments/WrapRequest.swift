internal import Sideload

/// Whether and how a media playlist is wrapped into a multivariant one, as `--wrap` and what belongs to it say.
struct WrapRequest {
    /// Whether `--wrap` is there.
    var isAsked = false
    var uri: String?
    var bandwidth: UInt64?
    var codecs: String?
    var resolution: String?

    /// What is said without `--wrap`.
    private var strayOption: String? {
        if uri != nil { return "--variant-uri" }
        if bandwidth != nil { return "--bandwidth" }
        if codecs != nil { return "--codecs" }
        return resolution == nil ? nil : "--resolution"
    }

    /// Refuses options that do nothing, and values that cannot be written.
    func check() throws(Failure) {
        if let option = strayOption, !isAsked { throw .usage("\(option) is for --wrap; give that too") }
        _ = try playlist(uri ?? "video.m3u8", measured: nil)
    }

    /// The multivariant playlist that is asked for, around the media playlist at `uri`, whose bit rate may be known.
    func playlist(_ uri: String, measured: UInt64?) throws(Failure) -> [UInt8] {
        let variant = WrappedVariant(uri: uri, bandwidth: bandwidth, codecs: codecs, resolution: resolution)
        return try Failure.checking("--wrap: ", try variant.playlist(measured: measured))
    }
}

extension CommandOption {
    /// How a media playlist is wrapped.
    static func wrap(_ path: WritableKeyPath<Target, WrapRequest>) -> [CommandOption] {
        [
            CommandOption(
                "--wrap",
                """
                where a media playlist comes instead of a multivariant one, makes a multivariant playlist around it, with it as
                the one variant
                """, path.appending(path: \.isAsked)),
            CommandOption(
                "--variant-uri URI",
                "with --wrap, the media playlist's URI; its file's name unless said otherwise", .free,
                path.appending(path: \.uri)),
            CommandOption(
                "--bandwidth BITS",
                """
                with --wrap, BANDWIDTH in bits per second; otherwise what EXT-X-BITRATE or byte ranges tell, or 2000000
                """
            ) { command, arguments throws(Failure) in
                let text = try arguments.value()
                guard let bandwidth = UInt64(text), text.utf8.first != UInt8(ascii: "+") else {
                    throw .usage("--bandwidth \(text): no number of bits per second")
                }
                command[keyPath: path].bandwidth = bandwidth
            },
            CommandOption(
                "--codecs CODECS", "with --wrap, CODECS, as in avc1.64001e,mp4a.40.2", .free,
                path.appending(path: \.codecs)),
            CommandOption(
                "--resolution WxH", "with --wrap, RESOLUTION, as in 1280x720", .free,
                path.appending(path: \.resolution)),
        ]
    }
}
