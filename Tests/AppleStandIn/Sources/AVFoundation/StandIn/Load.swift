package import Foundation

#if canImport(FoundationNetworking)
import FoundationNetworking
#endif

/// What a player asks for in one request.
package struct Load: Sendable {
    package var url: URL
    package var offset: Int64 = 0
    package var length: Int = 2
    package var isToEnd = false
    package var wantsInformation = false
    package var allowedContentTypes: [String]?
    package var fields: [String: String] = [:]

    package init(_ url: URL) { self.url = url }

    /// The first request for a resource: two bytes, and what it is.
    package static func probe(_ url: URL) -> Load {
        var load = Load(url)
        load.wantsInformation = true
        return load
    }

    /// These bytes.
    package static func bytes(_ url: URL, _ offset: Int64, _ length: Int) -> Load {
        var load = Load(url)
        load.offset = offset
        load.length = length
        return load
    }

    /// All bytes from `offset` on, as a player asks for them that wants a stream: the length is the largest there is.
    package static func toEnd(_ url: URL, from offset: Int64 = 0) -> Load {
        var load = Load.bytes(url, offset, .max)
        load.isToEnd = true
        return load
    }

    /// This, and what the resource is.
    package var withInformation: Load {
        var load = self
        load.wantsInformation = true
        return load
    }

    /// With the Range field that the player sends too.
    var urlRequest: URLRequest {
        var request = URLRequest(url: url)
        for (name, value) in fields { request.setValue(value, forHTTPHeaderField: name) }
        let (end, overflows) = offset.addingReportingOverflow(Int64(length) - 1)
        request.setValue(
            isToEnd || overflows ? "bytes=\(offset)-" : "bytes=\(offset)-\(end)", forHTTPHeaderField: "Range")
        return request
    }
}
