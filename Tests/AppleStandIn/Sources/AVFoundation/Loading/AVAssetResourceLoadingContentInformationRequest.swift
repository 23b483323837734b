public import Foundation

/// What a player wants to know of a resource.
public final class AVAssetResourceLoadingContentInformationRequest: NSObject {
    private let record: LoadingRecord

    /// The uniform type identifiers that may be answered; nil if all may.
    public let allowedContentTypes: [String]?

    package init(_ allowedContentTypes: [String]?, _ record: LoadingRecord) {
        self.allowedContentTypes = allowedContentTypes
        self.record = record
    }

    /// A uniform type identifier.
    public var contentType: String? {
        get { record.information.contentType }
        set { record.inform { $0.contentType = newValue } }
    }

    /// The number of bytes.
    public var contentLength: Int64 {
        get { record.information.contentLength }
        set { record.inform { $0.contentLength = newValue } }
    }

    /// Whether parts may be asked for.
    public var isByteRangeAccessSupported: Bool {
        get { record.information.isByteRangeAccessSupported }
        set { record.inform { $0.isByteRangeAccessSupported = newValue } }
    }

    /// When the player must ask again.
    public var renewalDate: Date? {
        get { record.information.renewalDate }
        set { record.inform { $0.renewalDate = newValue } }
    }

    /// Whether all bytes are there at once.
    public var isEntireLengthAvailableOnDemand: Bool {
        get { record.information.isEntireLengthAvailableOnDemand }
        set { record.inform { $0.isEntireLengthAvailableOnDemand = newValue } }
    }
}
