import Delivery
import Sideload
import Testing

@testable import SurtitleProxy

/// Which router a request gets, and that few are kept.
struct RouterMemoryTests {
    private static func router(_ base: String) throws -> Router {
        var configuration = Configuration()
        configuration.master = Array("http://origin.example/m.m3u8".utf8)
        configuration.tracks = [try TrackConfiguration(spec: "uri=en.vtt,language=en")]
        configuration.addresses = try RouteAddresses(base: Array(base.utf8))
        return try Router(configuration)
    }

    @Test func eachPlaylistAndAuthorityHasItsOwn() throws {
        let memory = RouterMemory()
        var made = 0
        for _ in 0..<3 {
            for target in ["/a", "/b"] {
                for authority in ["http://x", "http://y"] {
                    let router = try memory.router(target, authority) {
                        made += 1
                        return try Self.router(authority + target + "/")
                    }
                    #expect(String(decoding: router.entry, as: UTF8.self).hasPrefix(authority + target + "/"))
                }
            }
        }
        #expect(made == 4, "each is made once")
    }

    @Test func clientsCannotMakeItGrow() throws {
        let memory = RouterMemory()
        var made = 0
        for target in (0..<40).map({ "/\($0)" }) + ["/39", "/0"] {
            _ = try memory.router(target, "http://x") {
                made += 1
                return try Self.router("http://x\(target)/")
            }
        }
        #expect(made == 41, "the last is kept, the first is made again")
    }
}
