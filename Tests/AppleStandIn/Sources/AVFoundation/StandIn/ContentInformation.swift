package import Foundation

/// What a player is told of a resource.
package struct ContentInformation: Equatable, Sendable {
    package var contentType: String?
    package var contentLength: Int64 = 0
    package var isByteRangeAccessSupported = false
    package var renewalDate: Date?
    package var isEntireLengthAvailableOnDemand = false
}
