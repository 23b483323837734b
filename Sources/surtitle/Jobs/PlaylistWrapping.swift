internal import M3U8
internal import Sideload

extension WrapRequest {
    /// The multivariant playlist around `playlist`, which was read from `path`, and the URI of its variant; nil if the playlist is none
    /// of media, or none is to be wrapped.
    func wrapped(_ playlist: [UInt8], from path: String) throws(Failure) -> (playlist: [UInt8], uri: String)? {
        guard isAsked else { return nil }
        var meter = MediaBandwidth()
        unsafe playlist.withUnsafeBytes { unsafe meter.write($0) }
        meter.finish()
        guard meter.verdict == .media else { return nil }
        guard let uri = uri ?? Self.uri(of: path) else {
            throw .usage("--wrap of standard input needs --variant-uri URI, by which the media playlist is reached")
        }
        do {
            return (try variant(uri).playlist(measured: meter.peak), uri)
        } catch {
            throw .usage("--wrap: \(error)")
        }
    }

    /// The name of the file at `path` as a step of a URI; nil if it is standard input.
    private static func uri(of path: String) -> String? {
        guard path != "-", let name = path.lastStep else { return nil }
        return SegmentNames.encoded(name)
    }
}
