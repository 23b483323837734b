import Foundation

/// Small inputs of each kind.
enum Samples {
    static let master = "#EXTM3U\n#EXT-X-STREAM-INF:BANDWIDTH=1\nv.m3u8\n"
    static let media =
        "#EXTM3U\n#EXT-X-TARGETDURATION:7\n#EXT-X-PLAYLIST-TYPE:VOD\n#EXTINF:6.006,\na.ts\n#EXTINF:5.5,\nb.ts\n"
        + "#EXT-X-ENDLIST\n"
    static let mixed = "#EXTM3U\n#EXT-X-STREAM-INF:BANDWIDTH=1\nv.m3u8\n#EXTINF:6,\na.ts\n"
    static let undecided = "#EXTM3U\n#EXT-X-VERSION:3\n"
    static let webVTT = "WEBVTT\n\n00:01.000 --> 00:09.000\na\n\n00:02.000 --> 00:04.500\nb\n"

    /// Whether the tests that take long are to run.
    static var isLongRun: Bool { ProcessInfo.processInfo.environment["SURTITLE_LONG"] != nil }

    /// The folder with the files that the documentation's examples use.
    static let folder = URL(fileURLWithPath: #filePath)
        .deletingLastPathComponent().deletingLastPathComponent().appendingPathComponent("Fixtures/sample")
}
