#if canImport(AVFoundation) && !os(watchOS)
internal import AVFoundation
internal import Delivery
internal import Foundation

extension RouteRequest {
    /// What AVFoundation asks for.
    init(_ loading: AVAssetResourceLoadingRequest) {
        let bytes = loading.dataRequest.map { data in
            ByteRequest(
                offset: data.requestedOffset, length: data.requestedLength, toEnd: data.requestsAllDataToEndOfResource)
        }
        // Without a URL it is nobody's.
        self.init(
            loading.request.url?.absoluteString ?? "", bytes ?? .whole,
            wantsInformation: loading.contentInformationRequest != nil)
        headers = (loading.request.allHTTPHeaderFields ?? [:]).map { HeaderLine($0.key, $0.value) }
        contentTypes = (loading.contentInformationRequest?.allowedContentTypes ?? []).map { Array($0.utf8) }
    }
}
#endif
