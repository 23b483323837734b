import NIOCore
import NIOHTTP1
import SurtitleProxy
import Testing

/// Lines of the log, which people read in terminals.
@Suite struct RequestRecordTests {
    /// The time is in milliseconds.
    @Test func aLineTellsHowLongItTook() throws {
        let began = NIODeadline.now()
        let line = RequestRecord(HTTPRequestHead(version: .http1_1, method: .GET, uri: "/")).line(nil)
        let most = Double((NIODeadline.now() - began).nanoseconds) / 1e6
        let time = try #require(line.split(separator: " ").last)
        #expect(time.hasSuffix("ms\n"))
        #expect(try #require(Double(time.dropLast(3))) <= most)
    }

    @Test(arguments: [
        ("/plain?a=%20", "/plain?a=%20"), ("/\u{1B}[31m\u{7F}", "/\\u{1B}[31m\\u{7F}"),
        ("/\u{85}\u{9B}31m", "/\\u{0085}\\u{009B}31m"), ("/\u{202E}\u{2028}", "/\\u{202E}\\u{2028}"),
        ("/\r\nGET", "/\\r\\nGET"), ("/\u{1F} ~", "/\\u{1F} ~"), ("/é", "/é"),
        ("/" + String(repeating: "a", count: 1023), "/" + String(repeating: "a", count: 1023)),
        ("/" + String(repeating: "a", count: 8000), "/" + String(repeating: "a", count: 1023) + "…"),
    ])
    func aTargetCannotMoveTheCursor(_ target: String, _ shown: String) {
        let line = RequestRecord(HTTPRequestHead(version: .http1_1, method: .GET, uri: target)).line(nil)
        #expect(line.hasPrefix("GET \(shown) 0 0 "))
        #expect(line.unicodeScalars.filter { $0.value < 0x20 } == ["\n"])
    }
}
