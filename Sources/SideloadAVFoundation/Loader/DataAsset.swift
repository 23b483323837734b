#if canImport(AVFoundation) && !os(watchOS)
public import AVFoundation
internal import Delivery

/// An asset whose bytes are in memory: an MP4, an audio file, a playlist with absolute URIs.
///
/// No copy of them is made here, so that those of a mapped file stay in the file. It has no subtitles from elsewhere:
/// those need a playlist, ``SubtitleLoader/init(playlist:at:subtitles:options:delegate:)``.
public final class DataAsset: AVURLAsset, @unchecked Sendable {
    private let delegate: DataDelegate

    /// An asset of `data`, which are of `type`, a uniform type identifier such as `public.mpeg-4` or
    /// `public.m3u-playlist`.
    ///
    /// `options` are those of AVURLAsset.
    public init(_ data: Data, type: String, options: [String: Any]? = nil) {
        let contentType = ContentType(uniformType: Array(type.utf8), mediaType: [])
        // No other asset has it: what AVFoundation remembers of a URL counts for this one alone.
        let url = URL(string: "surtitle-data://\(UUID().uuidString)") ?? URL(fileURLWithPath: "/")
        let information = ResourceInformation(contentType: contentType, length: data.count, servesRanges: true)
        delegate = DataDelegate(data, information, url)
        super.init(url: url, options: options)
        resourceLoader.setDelegate(delegate, queue: delegate.queue)
    }
}

/// Answers for one resource in memory, and nothing else.
private final class DataDelegate: NSObject, AVAssetResourceLoaderDelegate, @unchecked Sendable {
    private let data: Data
    private let information: ResourceInformation
    private let url: URL
    let queue = DispatchQueue(label: "surtitle.data")

    init(_ data: Data, _ information: ResourceInformation, _ url: URL) {
        self.data = data
        self.information = information
        self.url = url
    }

    func resourceLoader(
        _ resourceLoader: AVAssetResourceLoader,
        shouldWaitForLoadingOfRequestedResource loadingRequest: AVAssetResourceLoadingRequest
    ) -> Bool {
        guard loadingRequest.request.url == url else { return false }
        // Never inside the callback.
        queue.async { [data, information] in
            guard !loadingRequest.isCancelled else { return }
            let asked = RouteRequest(loadingRequest)
            guard case .range(let range) = asked.bytes.answer(length: data.count) else {
                return loadingRequest.finishLoading(with: SubtitleLoaderError(.pastEnd, asked.url).nsError)
            }
            loadingRequest.contentInformationRequest?.tell(information)
            if #available(macOS 13, iOS 16, tvOS 16, visionOS 1, *) {
                loadingRequest.contentInformationRequest?.isEntireLengthAvailableOnDemand = true
            }
            // With the two bytes of the probe playback has been seen to stall.
            if !asked.isProbe {
                let start = data.startIndex + range.lowerBound
                loadingRequest.dataRequest?.respond(with: data[start..<(start + range.count)])
            }
            loadingRequest.finishLoading()
        }
        return true
    }
}
#endif
