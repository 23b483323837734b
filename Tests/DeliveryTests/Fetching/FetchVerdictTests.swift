import ByteScan
import Testing

@testable import Delivery

/// What a response is good for, by its status and fields, and what kind of failure it is otherwise.
struct FetchVerdictTests {
    private static func verdict(
        _ status: Int, _ fields: [(String, String)] = [], range: FetchRange? = nil, encoding: String? = nil,
        isDecoded: Bool = false
    ) -> FetchVerdict {
        var header = HeaderFields()
        for (name, value) in fields { header.append(name, value) }
        let request = FetchRequest(
            purpose: .subtitles, url: FetchCase.url("d/a.vtt"), range: range, encoding: encoding.map { Array($0.utf8) },
            byteLimit: 9)
        return request.verdict(on: FetchResponse(status: status, isDecoded: isDecoded), header)
    }

    @Test(arguments: [199, 200, 201, 202, 203, 204, 206, 300, 304, 400, 404, 416, 500])
    func byItsStatus(_ status: Int) {
        let (length, range) = (("Content-Length", "5"), FetchRange.bytes(0...4))
        let whole = Self.verdict(status, [length])
        let part = Self.verdict(status, [length, ("Content-Range", "bytes 0-4/9")], range: range)
        switch status {
        case 200, 203: #expect(whole == .whole(length: 5) && part == .whole(length: 5))
        case 206:
            #expect(whole == .refused(.partNotAskedFor))
            guard case .part(let found) = part else { return #expect(Bool(false)) }
            #expect(found.bytes == 0...4 && Self.verdict(206, [length], range: range) == .noPart)
        case 416: #expect(whole == .refused(.status(416)) && part == .noPart)
        default: #expect(whole == .refused(.status(status)) && part == .refused(.status(status)))
        }
    }

    @Test func encodedBodies() {
        let fields = [("Content-Encoding", "gzip"), ("Content-Length", "5")]
        #expect(Self.verdict(200, fields) == .refused(.encoded(.gzip)))
        #expect(Self.verdict(200, fields, isDecoded: true) == .whole(length: nil))
        // Of a file in another encoding the length is not that of what comes.
        #expect(Self.verdict(200, [fields[1]], encoding: "latin1") == .whole(length: nil))
    }

    @Test(arguments: [300, 301, 302, 303, 304, 305, 306, 307, 308, 309])
    func redirects(_ status: Int) {
        let isRedirect = [301, 302, 303, 307, 308].contains(status)
        let target = FetchRedirect(
            status: status, source: FetchCase.url("d/a.vtt"), target: FetchCase.url("b.vtt?x"))
        let expected = isRedirect ? FetchError.Reason.redirect(target) : .status(status)
        #expect(Self.verdict(status, [("Location", "../b.vtt?x#y")]) == .refused(expected))
        for location in ["", "data:,a", "skd://a"] {
            #expect(Self.verdict(status, [("Location", location)]) == .refused(.status(status)))
        }
        #expect(Self.verdict(status) == .refused(.status(status)))
    }

    @Test(
        arguments: [
            (.network, .network, nil), (.status(404), .missing, 404), (.status(410), .missing, 410),
            (.status(403), .refused, 403), (.status(409), .refused, 409), (.status(411), .refused, 411),
            (.status(503), .refused, 503),
            (.redirect(FetchRedirect(status: 302, source: [], target: [])), .refused, 302),
            (.tooLong(limit: 1), .limit, nil), (.tooManyRequests, .limit, nil), (.fieldsTooLong, .limit, nil),
            (.notSubtitles, .unusable, nil), (.partNotAskedFor, .unusable, nil), (.decryption, .unusable, nil),
        ] as [(FetchError.Reason, FetchError.Category, Int?)])
    func kindsOfFailures(_ reason: FetchError.Reason, _ category: FetchError.Category, _ status: Int?) {
        let error = FetchError(reason: reason, purpose: .key, url: [])
        #expect(reason.category == category && error.status == status)
    }

    /// Limits as they are documented, here and where cues grow, streams live and resources are kept.
    @Test func limitsUnlessSaidOtherwise() {
        #expect(
            FetchLimits()
                == FetchLimits(
                    tail: 16_384, block: 262_144, file: 16_777_216, playlist: 4_194_304, segment: 4_194_304,
                    requests: 16))
        let least = FetchLimits(tail: 0, block: 0, file: 0, playlist: 0, segment: 0, requests: 0)
        #expect(least == FetchLimits(tail: 1, block: 1, file: 1, playlist: 1, segment: 1, requests: 1))
        #expect(
            LiveLimits()
                == LiveLimits(playlist: 4_194_304, segments: 100_000, parts: 4096, text: 65_536, state: 4_194_304))
        #expect(
            LiveLimits(playlist: 0, segments: 0, parts: 0, text: 0, state: 0)
                == LiveLimits(playlist: 1, segments: 1, parts: 1, text: 1, state: 1))
        #expect(GrowingLimits() == GrowingLimits(block: 65_536, kept: 4_194_304))
        #expect(GrowingLimits(block: 0, kept: 0) == GrowingLimits(block: 1, kept: 1))
        #expect(GrowingLimits(block: .max, kept: .max) == GrowingLimits(block: 1 << 30, kept: .max))
        let cache = ResourceCache()
        #expect(cache.byteLimit == 16_777_216 && cache.entryLimit == 256 && HTTPRules().longestHeld == 65_536)
        for (count, isOverfull) in [(65_536 - 32, false), (65_536 - 31, true)] {
            var fields = HeaderFields()
            fields.append("ETag", String(repeating: "x", count: count))
            #expect(fields.isOverfull == isOverfull)
        }
    }
}
