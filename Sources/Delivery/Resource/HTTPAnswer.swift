internal import ByteScan

/// What a proxy answers a request with: a status, header fields, and a body.
public struct HTTPAnswer: Equatable, Sendable {
    /// The status code (RFC 9110 15).
    public let status: Int

    /// The header fields, Content-Length among them unless there can be no body.
    public let headers: [HeaderLine]

    /// The body; empty for HEAD.
    public let body: ArraySlice<UInt8>
}

extension HTTPAnswer {
    /// What a request with `method` and the fields `headers` gets of `resource`: 200, 206 or 416 (RFC 9110 15.3.1,
    /// 15.3.7, 15.5.17).
    ///
    /// Ranges count for GET alone (14.2). Other methods than GET and HEAD get 405 (15.5.6).
    public init(_ resource: Resource, to method: [UInt8], _ headers: [HeaderLine]) {
        let isHead = method.withView { $0 == "HEAD" }
        guard isHead || method.withView({ $0 == "GET" }) else {
            self = HTTPAnswer.empty(405, HeaderLine("Allow", Array(ByteView("GET, HEAD"))))
            return
        }
        let length = resource.bytes.count
        switch isHead ? .whole : RangeField(headers).answer(length: length) {
        case .whole:
            self.init(
                status: 200, headers: Self.fields(of: resource, 0..<length), body: isHead ? [] : resource.bytes[...])
        case .part(let range):
            let place =
                Array(ByteView("bytes ")) + range.lowerBound.decimal + [ASCII.hyphen] + (range.upperBound - 1).decimal
            self.init(
                status: 206,
                headers: Self.fields(of: resource, range) + [
                    HeaderLine("Content-Range", place + [ASCII.slash] + length.decimal)
                ], body: resource.bytes[range])
        case .unsatisfiable:
            self = HTTPAnswer.empty(416, HeaderLine("Content-Range", Array(ByteView("bytes */")) + length.decimal))
        }
    }

    /// The same of something that changes: it may be kept for so many seconds.
    public init(_ resource: Resource, to method: [UInt8], _ headers: [HeaderLine], keptFor seconds: Int) {
        let answer = HTTPAnswer(resource, to: method, headers)
        let control = HeaderLine("Cache-Control", Array(ByteView("max-age=")) + max(seconds, 0).decimal)
        self.init(status: answer.status, headers: answer.headers + [control], body: answer.body)
    }

    /// An answer with `status`, and without a body.
    public init(status: Int) { self = .empty(status) }

    /// An answer without a body.
    static func empty(_ status: Int, _ field: HeaderLine? = nil) -> HTTPAnswer {
        HTTPAnswer(
            status: status, headers: (field.map { [$0] } ?? []) + [HeaderLine("Content-Length", 0.decimal)], body: [])
    }

    private static func fields(of resource: Resource, _ range: Range<Int>) -> [HeaderLine] {
        [
            HeaderLine("Content-Type", resource.contentType.mediaType),
            HeaderLine("Content-Length", range.count.decimal), HeaderLine("Accept-Ranges", Array(ByteView("bytes"))),
        ]
    }
}

extension Int {
    /// The digits of a number that is not below 0.
    fileprivate var decimal: [UInt8] { Array(DecimalDigits(UInt64(magnitude))) }
}
