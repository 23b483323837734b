public import Foundation

/// The bytes that a player wants.
public final class AVAssetResourceLoadingDataRequest: NSObject {
    private let record: LoadingRecord

    /// Where they begin.
    public let requestedOffset: Int64
    /// How many they are; of no account if all to the end are wanted.
    public let requestedLength: Int
    /// Whether all bytes to the end are wanted, however many.
    public let requestsAllDataToEndOfResource: Bool

    package init(_ load: Load, _ record: LoadingRecord) {
        self.record = record
        requestedOffset = load.offset
        requestedLength = load.length
        requestsAllDataToEndOfResource = load.isToEnd
    }

    /// Where the next bytes belong.
    public var currentOffset: Int64 { requestedOffset + Int64(record.byteCount) }

    /// Hands the player the next bytes.
    public func respond(with data: Data) { record.receive(data) }
}
