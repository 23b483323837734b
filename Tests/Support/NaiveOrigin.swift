/// A server of one file, which keeps to HTTP or breaks it in one way, for tests.
///
/// It knows nothing of the library: it reads Range by splitting texts.
public struct NaiveOrigin: Sendable {
    /// What the server does with a request.
    public enum Habit: Equatable, Sendable, CaseIterable {
        /// Ranges are served, as RFC 9110 14 has it.
        case honest
        /// Ranges are served, and no length or tag is told beside Content-Range.
        case bare
        /// Range is ignored: a 200 with the length.
        case whole
        /// The same without a length.
        case endless
        /// The part begins a byte later than Content-Range was asked to.
        case laterPart
        /// The part ends a byte earlier, far from the file's end.
        case shorterPart
        /// Content-Range says that nobody knows how long the file is.
        case unknownTotal
        /// A 206 without Content-Range, of several parts.
        case multipart
        /// Content-Range is no such thing.
        case malformedRange
        /// A 206 whose body has a byte more than it says.
        case longerBody
        /// A body that ends a byte early, and says that it is whole.
        case shorterBody
        /// A body that breaks off in the middle.
        case brokenOff
        /// Nobody answers.
        case silent
        /// A coding that nobody asked for.
        case gzip
        /// 416, whatever the range.
        case notSatisfiable
        /// 404, with a body.
        case missing
        /// 503.
        case busy
        /// 302, which nobody follows.
        case redirect
        /// 204.
        case empty
    }

    /// What the server answers.
    public struct Response: Sendable {
        /// The status.
        public var status: Int
        /// The header fields.
        public var header: [(name: String, value: String)]
        /// The body, as far as it comes.
        public var body: [UInt8]
        /// Whether it is all there, by its framing.
        public var isWhole = true

        /// A response whose body is all there.
        public init(status: Int, header: [(name: String, value: String)], body: [UInt8]) {
            self.status = status
            self.header = header
            self.body = body
        }
    }

    /// The file.
    public var file: [UInt8]
    /// Its entity tag, with quotes; nil if it has none.
    public var tag: String?
    /// Its Last-Modified.
    public var modified: String?
    /// What the server does.
    public var habit: Habit

    /// A server of `file`.
    public init(_ file: [UInt8], _ habit: Habit = .honest, tag: String? = "\"v1\"", modified: String? = nil) {
        self.file = file
        self.habit = habit
        self.tag = tag
        self.modified = modified
    }

    /// What is answered to a GET with these fields; nil if nobody answers.
    public func respond(range: String?, ifRange: String?) -> Response? {
        switch habit {
        case .silent: return nil
        case .missing: return Response(status: 404, header: length(4), body: Array("none".utf8))
        case .busy: return Response(status: 503, header: length(0), body: [])
        case .redirect: return Response(status: 302, header: [("Location", "/elsewhere")], body: [])
        case .empty: return Response(status: 204, header: [], body: [])
        case .notSatisfiable where range != nil:
            return Response(status: 416, header: [("Content-Range", "bytes */\(file.count)")], body: [])
        case .gzip:
            let part = range.flatMap(part)
            let coded = [0x1F, 0x8B, 8] + file.reversed()
            guard let part else {
                return Response(status: 200, header: [("Content-Encoding", "gzip")] + length(coded.count), body: coded)
            }
            let body = Array(coded.prefix(part.count))
            let header = [("Content-Encoding", "gzip"), ("Content-Range", words(part, "\(file.count)"))]
            return Response(status: 206, header: header + length(body.count), body: body)
        case .whole, .endless, .notSatisfiable: return whole
        default: break
        }
        guard let range, ifRange == nil || ifRange == tag else { return whole }
        guard let part = part(range) else {
            return Response(status: 416, header: [("Content-Range", "bytes */\(file.count)")], body: [])
        }
        return partial(part)
    }

    private func partial(_ part: Range<Int>) -> Response {
        var served = part
        var total = "\(file.count)"
        switch habit {
        case .laterPart: served = (part.lowerBound + 1)..<max(part.upperBound, part.lowerBound + 2)
        case .shorterPart: served = part.lowerBound..<max(part.lowerBound + 1, part.upperBound - 1)
        case .unknownTotal: total = "*"
        default: break
        }
        served = served.clamped(to: 0..<file.count)
        var body = Array(file[served])
        var header = validators + [("Content-Range", words(served, total))]
        switch habit {
        case .bare: header = [header[header.count - 1]]
        case .multipart: header = [("Content-Type", "multipart/byteranges; boundary=b")]
        case .malformedRange: header = [("Content-Range", "bytes \(served.lowerBound)/\(file.count)")]
        default: break
        }
        if habit != .bare { header += length(body.count) }
        if habit == .longerBody {
            body.append(0x0A)
            header.removeLast()
        }
        return finished(Response(status: 206, header: header, body: body))
    }

    private var whole: Response {
        var header = validators
        if habit != .endless { header += length(file.count) }
        return finished(Response(status: 200, header: header, body: file))
    }

    private func finished(_ response: Response) -> Response {
        var response = response
        if habit == .shorterBody { response.body = Array(response.body.dropLast()) }
        if habit == .brokenOff {
            response.body = Array(response.body.prefix(response.body.count / 2))
            response.isWhole = false
        }
        return response
    }

    private var validators: [(name: String, value: String)] {
        (tag.map { [("ETag", $0)] } ?? []) + (modified.map { [("Last-Modified", $0)] } ?? [])
    }

    private func length(_ count: Int) -> [(name: String, value: String)] { [("Content-Length", "\(count)")] }

    private func words(_ part: Range<Int>, _ total: String) -> String {
        "bytes \(part.lowerBound)-\(part.upperBound - 1)/\(total)"
    }

    /// The part that `range` names; nil if there is no byte of it.
    private func part(_ range: String) -> Range<Int>? {
        guard range.hasPrefix("bytes=") else { return nil }
        let ends = range.dropFirst(6).split(separator: "-", omittingEmptySubsequences: false)
        guard ends.count == 2 else { return nil }
        if ends[0].isEmpty {
            guard let count = Int(ends[1]), count > 0, !file.isEmpty else { return nil }
            return max(0, file.count - count)..<file.count
        }
        guard let first = Int(ends[0]), let last = Int(ends[1]), first <= last, first < file.count else { return nil }
        return first..<min(last + 1, file.count)
    }
}
