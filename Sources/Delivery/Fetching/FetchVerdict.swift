internal import ByteScan
internal import M3U8

// What a response to a request is good for, by its status (RFC 9110 15) and its fields:
//
//     200, 203     the whole, whatever was asked for: an origin may ignore Range (14.2). Encoded: refused
//     206          a part, if it is the one that was asked for. Encoded, of several parts, or another one: no part
//     416          no part: asked for the whole, the origin tells more
//     others       refused, with the status. A redirect that comes here is one that nobody followed
//
// "No part" is no failure: the whole can be asked for.

/// What a response is good for.
package enum FetchVerdict: Equatable {
    /// The whole resource, of so many bytes, if that is known.
    case whole(length: Int?)
    /// The part that was asked for.
    case part(ContentRange)
    /// Nothing: the part is not to be had, or not to be trusted.
    case noPart
    /// Nothing, and no other request would tell more.
    case refused(FetchError.Reason)
}

extension FetchRequest {
    /// What `response` is good for.
    package func verdict(on response: FetchResponse, _ fields: borrowing HeaderFields) -> FetchVerdict {
        switch response.status {
        case 200, 203:
            if fields.isOverfull { return .refused(.fieldsTooLong) }
            guard let coding = fields.contentCoding else {
                return .whole(length: encoding == nil ? fields.contentLength : nil)
            }
            // The length is that of the encoded bytes.
            return response.isDecoded ? .whole(length: nil) : .refused(.encoded(coding))
        case 206:
            guard let range else { return .refused(.partNotAskedFor) }
            guard !fields.isOverfull, fields.contentCoding == nil,
                let value = fields.onlyValue(of: .contentRange), let part = ContentRange(value), part.answers(range),
                fields.contentLength.map({ $0 == part.bytes.count }) != false
            else { return .noPart }
            return .part(part)
        case 416 where range != nil: return .noPart
        default: return .refused(redirect(response, fields).map { .redirect($0) } ?? .status(response.status))
        }
    }

    /// Where `response` leads (RFC 9110 15.4, 10.2.2); nil if it is no redirect, or one to nothing that can be fetched.
    private func redirect(_ response: FetchResponse, _ fields: borrowing HeaderFields) -> FetchRedirect? {
        guard [301, 302, 303, 307, 308].contains(response.status), !fields.isOverfull,
            let location = fields.onlyValue(of: .location), !location.isEmpty
        else { return nil }
        let source = response.url ?? url
        let target = source.resolving(Array(location)).withoutFragment.escapedForURI
        guard target.isFetchable else { return nil }
        return FetchRedirect(status: response.status, source: source, target: target)
    }
}

/// What tells one version of a resource from another (RFC 9110 8.8), as parts of it come.
struct FetchValidators: Equatable {
    private let entityTag: [UInt8]?
    private let lastModified: [UInt8]?
    /// How long the whole is.
    private let total: Int?

    init(_ fields: borrowing HeaderFields, _ part: ContentRange) {
        entityTag = fields.onlyValue(of: .entityTag).map { Array($0) }
        lastModified = fields.onlyValue(of: .lastModified).map { Array($0) }
        total = part.total
    }

    /// The entity tag, if a part may be asked for with it: a strong one (RFC 9110 13.1.5).
    var strongTag: [UInt8]? { entityTag?.withView { EntityTag($0)?.isWeak } == false ? entityTag : nil }
}
