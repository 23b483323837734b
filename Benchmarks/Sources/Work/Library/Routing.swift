import CReference
import Delivery

/// The library's router, made once, and what it makes of media playlists.
enum Routing {
    private static let router: Router = {
        do {
            return try Router(Configuration(master: "https://origin.example.com/live/master.m3u8"))
        } catch {
            fatalError("the configuration is refused: \(error)")
        }
    }()

    /// The playlist as the player gets it.
    static func mediaPlaylist(_ bytes: [UInt8]) throws(RouteError) -> [UInt8] {
        try router.mediaPlaylist(bytes, from: Array(Expected.base.utf8)).resource.bytes
    }

    /// Maps the playlist so many times; 0 if it is refused.
    static func mapped(_ bytes: [UInt8], times: Int) -> UInt64 {
        var sum: UInt64 = 0
        for _ in 0..<times {
            let output = try? mediaPlaylist(bytes)
            output?.withUnsafeBytes { Reference.keep($0.baseAddress) }
            sum &+= UInt64(output?.count ?? 0)
        }
        return sum
    }
}
