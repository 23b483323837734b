public import Foundation

#if canImport(FoundationNetworking)
public import FoundationNetworking
#endif

/// Who asks for a resource.
public final class AVAssetResourceLoadingRequestor: NSObject {
    /// Whether the asker keeps expired sessions.
    public let providesExpiredSessionReports = false
}

/// One request of a player. Sendable, as Apple's is.
public class AVAssetResourceLoadingRequest: NSObject, @unchecked Sendable {
    package let record: LoadingRecord

    /// What is asked for.
    public let request: URLRequest
    /// What is to be told of the resource; nil if the player knows.
    public let contentInformationRequest: AVAssetResourceLoadingContentInformationRequest?
    /// Which bytes are wanted.
    public let dataRequest: AVAssetResourceLoadingDataRequest?
    /// Who asks.
    public let requestor = AVAssetResourceLoadingRequestor()

    package init(_ load: Load, _ record: LoadingRecord) {
        self.record = record
        request = load.urlRequest
        contentInformationRequest =
            load.wantsInformation
            ? AVAssetResourceLoadingContentInformationRequest(load.allowedContentTypes, record) : nil
        dataRequest = AVAssetResourceLoadingDataRequest(load, record)
    }

    /// The response that the player is to take for the origin's.
    public var response: URLResponse? {
        get { record.response }
        set { record.setResponse(newValue) }
    }

    /// Where the player is to go instead.
    public var redirect: URLRequest? {
        get { record.redirect }
        set { record.setRedirect(newValue) }
    }

    /// Whether an answer has been given, or a failure.
    public var isFinished: Bool { record.isFinished }

    /// Whether the player has lost interest.
    public var isCancelled: Bool { record.isCancelled }

    /// The answer is whole.
    public func finishLoading() { record.finish(nil) }

    /// There is no answer, because of `error`; or it is whole, if that is nil.
    public func finishLoading(with error: (any Error)?) { record.finish(error) }
}

/// A request for what has passed its renewal date.
public final class AVAssetResourceRenewalRequest: AVAssetResourceLoadingRequest, @unchecked Sendable {}
