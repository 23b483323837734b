import NIOHTTP1
import SurtitleProxy
import Testing

/// How the end of a body is found, and told.
@Suite struct FramingTests {
    struct Row: Sendable {
        let method: HTTPMethod
        let status: HTTPResponseStatus?
        let version: HTTPVersion
        let length: BodyLength
        let framing: Framing

        init(
            _ method: HTTPMethod, _ status: HTTPResponseStatus?, _ version: HTTPVersion, _ length: BodyLength,
            _ framing: Framing
        ) {
            (self.method, self.status, self.version) = (method, status, version)
            (self.length, self.framing) = (length, framing)
        }
    }

    static let rows: [Row] = [
        Row(.GET, nil, .http1_1, .none, .head),
        Row(.POST, nil, .http1_1, .none, .head),
        Row(.POST, nil, .http1_1, .known(0), .length(0)),
        Row(.POST, nil, .http1_1, .known(5), .length(5)),
        Row(.HEAD, nil, .http1_1, .known(5), .length(5)),
        Row(.GET, nil, .http1_1, .unknown, .chunks),
        Row(.GET, .ok, .http1_1, .known(5), .length(5)),
        Row(.GET, .ok, .http1_0, .known(5), .length(5)),
        Row(.GET, .ok, .http1_1, .unknown, .chunks),
        Row(.GET, .ok, .http1_0, .unknown, .connection),
        Row(.HEAD, .ok, .http1_1, .known(5), .length(5)),
        Row(.HEAD, .ok, .http1_1, .unknown, .head),
        Row(.HEAD, .ok, .http1_0, .unknown, .head),
        Row(.GET, .notModified, .http1_1, .known(5), .length(5)),
        Row(.GET, .notModified, .http1_1, .unknown, .head),
        Row(.GET, .noContent, .http1_1, .known(5), .head),
        Row(.GET, .noContent, .http1_0, .unknown, .head),
        Row(.GET, .continue, .http1_1, .unknown, .head),
        Row(.GET, HTTPResponseStatus(statusCode: 199), .http1_1, .known(5), .head),
        Row(.GET, .resetContent, .http1_1, .known(0), .length(0)),
        Row(.GET, nil, .http1_0, .unknown, .connection),
    ]

    @Test(arguments: rows)
    func aMessageIsFramed(_ row: Row) {
        #expect(Framing(row.method, row.status, row.version, row.length) == row.framing)
    }

    @Test(arguments: [
        ([("Content-Length", "5")], true), ([("transfer-encoding", "CHUNKED")], true), ([], false),
    ])
    func onlyAResponseWhoseEndIsToldLeavesItsConnection(_ fields: [(String, String)], _ isTold: Bool) throws {
        let framing = try BodyFraming(HTTPHeaders(fields))
        #expect(framing.endsByItself(to: .GET, .ok) == isTold)
        #expect(framing.endsByItself(to: .HEAD, .ok))
        #expect(framing.endsByItself(to: .GET, .noContent))
        #expect(framing.endsByItself(to: .GET, .notModified))
    }

    @Test func lengthsAreRead() throws {
        #expect(try BodyFraming(["Content-Length": "5"]).ofRequest == .known(5))
        #expect(try BodyFraming(["Content-Length": "5"]).ofResponse == .known(5))
        #expect(try BodyFraming(["Transfer-Encoding": "chunked"]).ofRequest == .unknown)
        #expect(try BodyFraming(["Transfer-Encoding": "chunked"]).ofResponse == .unknown)
        #expect(try BodyFraming([:]).ofRequest == .none)
        #expect(try BodyFraming([:]).ofResponse == .unknown)
    }

    @Test(arguments: [
        ("0", BodyLength.known(0)), ("007", .known(7)), ("9223372036854775807", .known(.max)),
        ("9223372036854775808", nil),
        ("/5", nil), (":5", nil), ("5 ", nil), ("5a", nil), ("٥", nil),
    ])
    func aLengthIsDigits(_ value: String, _ length: BodyLength?) {
        #expect((try? BodyFraming(["Content-Length": value]).ofRequest) == length)
    }

    @Test func headsHaveALimit() {
        let limits = NIOHTTPDecoderLimitConfiguration.ofHeads
        #expect(limits.maxHeaderListSize == 98_304 && limits.maxHeaderFieldCount == 256)
    }
}
