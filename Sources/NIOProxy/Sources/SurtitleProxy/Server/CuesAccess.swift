import Foundation
import NIOHTTP1

/// Who may send cues: whoever has the token; without one, whoever is on this machine, but no page of a browser.
package struct CuesAccess: Sendable {
    /// What Authorization must have behind `Bearer` (RFC 6750 2.1).
    private let token: String?
    /// Whether only this machine reaches the proxy.
    private let isLocal: Bool

    package init(token: String?, isLocal: Bool = true) { (self.token, self.isLocal) = (token, isLocal) }

    /// Why a request with these fields is refused; nil if it is not.
    package func refusal(_ fields: HTTPHeaders) -> HTTPResponseStatus? {
        let isOfPage = fields.contains { name, _ in
            name.isField("origin") || name.utf8.count > 10 && name.lowercased().hasPrefix("sec-fetch-")
        }
        if isOfPage { return .forbidden }
        guard let token else { return isLocal ? nil : .forbidden }
        let given = fields["Authorization"]
        guard given.count == 1, given[0].utf8.count > 7, given[0].prefix(7).lowercased() == "bearer " else {
            return .unauthorized
        }
        return Self.areEqual(given[0].utf8.dropFirst(7), token.utf8) ? nil : .unauthorized
    }

    /// Compares in a time that does not tell where they differ.
    private static func areEqual(_ one: Substring.UTF8View, _ other: String.UTF8View) -> Bool {
        var difference = one.count ^ other.count
        for (left, right) in zip(one, other) { difference |= Int(left ^ right) }
        return difference == 0
    }
}
