import Delivery
import NIOCore
import NIOHTTP1
import Sideload
import Testing

@testable import SurtitleProxy

/// What is the same for all clients of an event loop.
@Suite struct WorkerTests {
    private static let master = "#EXTM3U\n#EXT-X-STREAM-INF:BANDWIDTH=1\nv.m3u8\n"

    /// The addresses of tracks that are files begin with those of their playlist, whatever is remembered of others.
    @Test(arguments: [1, 30_000, 3 << 20]) func eachPlaylistHasItsOwnTracks(_ threads: Int) throws {
        let serving = try Serving(
            tracks: ["uri=en.vtt,language=en"], authority: .ofRequest(unlessItHasNone: "http://x")
        ) {
            // Their share of what is remembered is for some playlists, for one, or for none.
            ($0.threads, $0.reach) = (threads, .address)
        }
        let (client, origin) = (try serving.client(), try serving.origin())
        for host in ["a", "b", "a"] {
            for target in ["/m.m3u8", "/n.m3u8", "/m.m3u8"] {
                try client.say("GET \(target) HTTP/1.1\r\nHost: \(host)\r\n\r\n")
                let length = "Content-Length: \(Self.master.utf8.count)"
                try origin.say("HTTP/1.1 200 OK\r\n\(length)\r\n\r\n\(Self.master)")
                let uri = "http://\(host)/.surtitle/%2F\(target.dropFirst())/track/en.m3u8"
                #expect(client.heard().contains(",URI=\"\(uri)\""))
            }
        }
    }

    /// What is remembered of playlists, in the order in which they are asked for, where there is room for so many bytes.
    @Test(arguments: [
        (3, 0, "abc", "abc"), (3, 0, "abcd", "d"), (3, 0, "abcdef", "def"), (3, 0, "abcdefa", "a"), (3, -1, "abc", "c"),
        (3, 0, "aabbcca", "abc"), (1, 0, "ab", "b"), (1, -1, "ab", ""), (2, 1, "abc", "c"),
    ]) func tracksOfTheLatestPlaylistsAreKept(_ count: Int, _ more: Int, _ targets: String, _ kept: String) throws {
        var configuration = Configuration()
        configuration.tracks = try ["en", "sv"].map { try TrackConfiguration(spec: "uri=\($0).vtt,language=\($0)") }
        let site = try Site(
            configuration, origin: OriginURL("http://origin.example/"),
            authority: .ofRequest(unlessItHasNone: "http://x"))
        let one = site.addressBytes(besides: "/a", at: "http://y")
        let tracks = try #require(MasterTracks(site, mostBytes: count * one + more))
        for target in targets {
            let found = tracks.find("/\(target)", "http://y")
            let master = try found.sideloaded(into: Array(Self.master.utf8)).bytes
            #expect(
                String(decoding: master, as: UTF8.self).contains("\"http://y/.surtitle/%2F\(target)/track/en.m3u8\""))
        }
        #expect(tracks.kept.keys.sorted() == kept.map { "http://y/\($0)" } && tracks.keptBytes == kept.count * one)
    }

    @Test func renditionsAreReportedInTheirPlaylist() throws {
        func edits(_ serving: Serving, _ target: String) -> VideoPlaylistEdits {
            serving.worker.playlistEdits(of: HTTPRequestHead(version: .http1_1, method: .GET, uri: target))
        }
        let url = Array("http://origin.example/v.m3u8".utf8)
        let serving = try Serving()
        #expect(edits(serving, "/v.m3u8").isEmpty)
        serving.reported.set([[65]], beside: url)
        #expect(edits(serving, "/v.m3u8").reported == [[65]])
        #expect(edits(serving, "/v.m3u8?_HLS_msn=3").reported == [[65]])
        #expect(edits(serving, "/w.m3u8").isEmpty)
        // Where low latency is left out nothing is to be reported.
        let stripping = try Serving { $0.playlistEdits.heldBack = 1 }
        stripping.reported.set([[65]], beside: url)
        #expect(edits(stripping, "/v.m3u8") == VideoPlaylistEdits(heldBack: 1))
        let passing = try Serving { ($0.playlistEdits.heldBack, $0.isPassing) = (1, true) }
        #expect(edits(passing, "/v.m3u8").isEmpty)
    }
}
