import Foundation
import HTTPResponseSideloader
import NIOCore
import NIOHTTP1
import Sideload

/// What the tests sideload, and into what.
enum Playlists {
    static func tracks() throws -> SubtitleTracks {
        try SubtitleTracks([
            SubtitleTrack(uri: "subs/en.m3u8", language: "en", name: "English", isDefault: true),
            SubtitleTrack(uri: "subs/sv.m3u8", language: "sv", name: "Svenska"),
        ])
    }

    /// A multivariant playlist of about so many bytes.
    static func multivariant(_ count: Int) -> [UInt8] {
        var text = Array("#EXTM3U\n".utf8)
        var number = 0
        while text.count < count {
            text += "#EXT-X-STREAM-INF:BANDWIDTH=\(1000 + number),RESOLUTION=1280x720\nvideo/\(number).m3u8\n".utf8
            number += 1
        }
        return text
    }

    static let media = Array(
        ("#EXTM3U\n#EXT-X-TARGETDURATION:4\n" + String(repeating: "#EXTINF:4,\nsegment.ts\n", count: 100)).utf8)

    /// All playlists of Tests/Fixtures, by their names.
    static let fixtures: [(name: String, bytes: [UInt8])] = {
        var folder = URL(fileURLWithPath: #filePath)
        for _ in 0..<5 { folder.deleteLastPathComponent() }
        folder.append(path: "Tests/Fixtures")
        let paths = FileManager.default.enumerator(atPath: folder.path)?.compactMap { $0 as? String } ?? []
        return paths.filter { $0.hasSuffix(".m3u8") }.sorted().map { path in
            (path, Array(FileManager.default.contents(atPath: folder.appending(path: path).path) ?? Data()))
        }
    }()
}
