import Delivery
import Testing

/// What a proxy answers with a resource in hand.
@Suite struct HTTPAnswerTests {
    private static let resource = Resource(Array("0123456789".utf8), .playlist)

    private func answer(_ method: String, _ range: String? = nil) -> HTTPAnswer {
        HTTPAnswer(Self.resource, to: Array(method.utf8), range.map { [HeaderLine("Range", $0)] } ?? [])
    }

    private func lines(_ answer: HTTPAnswer) -> [String] {
        answer.headers.map {
            "\(String(decoding: $0.name, as: UTF8.self)): \(String(decoding: $0.value, as: UTF8.self))"
        }
    }

    private static let type = "Content-Type: application/vnd.apple.mpegurl"

    @Test func theWhole() {
        let answer = answer("GET")
        #expect(answer.status == 200 && Array(answer.body) == Self.resource.bytes)
        #expect(lines(answer) == [Self.type, "Content-Length: 10", "Accept-Ranges: bytes"])
    }

    @Test func aPart() {
        let answer = answer("GET", "bytes=2-4")
        #expect(answer.status == 206 && answer.body.elementsEqual("234".utf8))
        #expect(
            lines(answer) == [Self.type, "Content-Length: 3", "Accept-Ranges: bytes", "Content-Range: bytes 2-4/10"])
    }

    @Test func pastTheEnd() {
        let answer = answer("GET", "bytes=10-")
        #expect(answer.status == 416 && answer.body.isEmpty)
        #expect(lines(answer) == ["Content-Range: bytes */10", "Content-Length: 0"])
    }

    /// Ranges are for GET alone (RFC 9110 14.2), and methods have case (9.1).
    @Test func otherMethods() {
        let head = answer("HEAD", "bytes=2-4")
        #expect(head.status == 200 && head.body.isEmpty && lines(head).contains("Content-Length: 10"))
        for method in ["POST", "get", "", "\r\n"] {
            #expect(answer(method).status == 405 && lines(answer(method)).contains("Allow: GET, HEAD"))
        }
    }

    @Test func nothingOfNothing() {
        let empty = Resource([], .webVTT)
        for range in [[], [HeaderLine("Range", "bytes=-5")]] {
            let answer = HTTPAnswer(empty, to: Array("GET".utf8), range)
            #expect(answer.status == 200 && lines(answer).contains("Content-Length: 0"))
        }
    }
}
