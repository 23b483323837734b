#if canImport(AVFoundation) && !os(watchOS)
public import AVFoundation
internal import Foundation

/// A video with subtitles from elsewhere. It keeps the loader that answers for it, since AVFoundation does not.
public final class SubtitleAsset: AVURLAsset, @unchecked Sendable {
    /// What answers for it.
    public let loader: SubtitleLoader

    init(_ loader: SubtitleLoader, options: [String: Any]?) {
        self.loader = loader
        super.init(url: loader.entryURL, options: options)
        loader.attach(to: resourceLoader)
    }
}
#endif
