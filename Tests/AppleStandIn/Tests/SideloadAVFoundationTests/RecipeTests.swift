import AVFoundation
import Foundation
import SideloadAVFoundation
import Testing

#if canImport(FoundationNetworking)
import FoundationNetworking
#endif

/// What published recipes do, by the loader.
@Suite(.timeLimit(.minutes(1)))
struct RecipeTests {
    private func options() -> SubtitleLoaderOptions { SubtitleLoaderOptions(transport: FakeOrigin(Stage.pages)) }

    private func text(_ asset: AVURLAsset, _ url: URL) async throws -> String {
        let answer = try #require(await asset.resourceLoader.load(.toEnd(url)).answer)
        if let error = answer.error { throw error }
        return answer.text
    }

    /// A: a playlist without a comma after EXTINF.
    @Test func aPlaylistWithoutACommaAfterItsDuration() async throws {
        let stage = try Stage { $0.playlistOptions.omitsComma = true }
        #expect(try await stage.text(try await stage.uri(of: "sv")).contains("#EXTINF:9.000\n"))
    }

    /// B: a made playlist, with subtitles beside it.
    @Test func aMadePlaylistWithSubtitles() async throws {
        var options = options()
        options.policies.keys = .fetch
        options.policies.segments = .redirect
        let key = MadePlaylist.Key(uri: try url("https://example.com/a/k.bin"))
        let segment = MadePlaylist.Segment(
            uri: try url("https://example.com/a/s1.ts"), duration: MediaDuration(milliseconds: 4000), key: key)
        let loader = try SubtitleLoader(
            MadePlaylist([segment]), relativeTo: try url("https://example.com/a/"), subtitles: Stage.subtitles(),
            options: options)
        let asset = loader.makeAsset()
        let master = try await text(asset, asset.url)
        #expect(MediaTags.subtitles(in: master).map { $0["NAME"] } == ["English", "Svenska"])
        let variant = try #require(master.split(separator: "\n").map(String.init).last { !$0.hasPrefix("#") })
        let media = try await text(asset, try url(variant))
        #expect(media.contains("URI=\"surtitle-key-https://example.com/a/k.bin\""))
        #expect(media.contains("\nsurtitle-segment-https://example.com/a/s1.ts\n") && media.contains("ENDLIST"))
        #expect(asset.resourceLoader.misuses.allAtEnd() == [])
    }

    /// C: an asset from bytes in memory.
    @Test func aMultivariantPlaylistInMemory() async throws {
        let origin = FakeOrigin(Stage.pages.filter { $0.key != Stage.master })
        let loader = try SubtitleLoader(
            playlist: Data(Stage.masterText.utf8), at: try url(Stage.master), subtitles: Stage.subtitles(),
            options: SubtitleLoaderOptions(transport: origin))
        let asset = loader.makeAsset()
        #expect(MediaTags.subtitles(in: try await text(asset, asset.url)).count == 2)
        #expect(origin.count(Stage.master) == 0)
        #expect(asset.resourceLoader.misuses.allAtEnd() == [])
    }

    @Test func anyBytesInMemory() async throws {
        let bytes = Data((0..<1100).map { UInt8(truncatingIfNeeded: $0) }).dropFirst(100)
        let asset = DataAsset(bytes, type: "public.mpeg-4")
        let probe = try #require(await asset.resourceLoader.load(.probe(asset.url)).answer)
        #expect(probe.information?.contentType == "public.mpeg-4" && probe.information?.contentLength == 1000)
        #expect(probe.information?.isByteRangeAccessSupported == true && probe.data.isEmpty)
        #expect(probe.information?.isEntireLengthAvailableOnDemand == true)
        #expect(await asset.resourceLoader.load(.toEnd(asset.url)).answer?.data == bytes)
        #expect(await asset.resourceLoader.load(.bytes(asset.url, 990, 20)).answer?.data == bytes.suffix(10))
        #expect(await asset.resourceLoader.load(.bytes(asset.url, .max, .max)).answer?.failure != nil)
        guard case .declined = await asset.resourceLoader.load(.probe(try url("skd://key"))) else {
            Issue.record("it is another's")
            return
        }
        #expect(asset.resourceLoader.misuses.allAtEnd() == [])
    }

    /// D: tracks as data.
    @Test func tracksOfACatalogue() async throws {
        let catalogue = """
            [{"uri": "https://subs.example.com/en.vtt", "language": "en", "name": "English", "default": true},
             {"uri": "../subs/sv.srt", "language": "sv", "name": "Svenska", "sdh": true},
             {"uri": "https://subs.example.com/1", "type": "vtt", "language": "fi", "name": "Suomi", "duration": "9.5"}]
            """
        let tracks = try JSONDecoder().decode([ExternalSubtitle].self, from: Data(catalogue.utf8))
        #expect(tracks.map(\.track.isDefault) == [true, false, false] && tracks[1].track.isSDH)
        let stage = try Stage(subtitles: tracks) { $0.policies.missingTrack = .empty }
        #expect(MediaTags.subtitles(in: try await stage.masterText()).map { $0["LANGUAGE"] } == ["en", "sv", "fi"])
        #expect(try await stage.text(try await stage.uri(of: "fi")).contains("#EXTINF:9.500,"))
        _ = try? await stage.text(try await stage.file(of: "sv"))
        #expect(stage.origin.count("https://example.com/subs/sv.srt") > 0, "relative to the playlist")
    }

    /// A catalogue says of a file how it is to be read.
    @Test func theEncodingAndShiftOfACatalogue() async throws {
        func tracks(_ encoding: String) throws -> [ExternalSubtitle] {
            let catalogue = """
                [{"uri": "https://subs.example.com/sv.srt", "language": "sv", "name": "Svenska", "file": "/none",
                  "encoding": "\(encoding)", "shift": "-0.5"}]
                """
            return try JSONDecoder().decode([ExternalSubtitle].self, from: Data(catalogue.utf8))
        }
        let track = try tracks("windows-1252")[0]
        #expect(track.encoding?.name == "windows-1252" && track.shift == .milliseconds(-500))
        #expect(throws: SubtitleLoaderError.self) { try tracks("klingon") }
        let text = """
            {"master": "\(Stage.master)", "tracks": [{"uri": "sv.vtt", "file": "/none", "encoding": "klingon"}]}
            """
        let error = #expect(throws: SubtitleLoaderError.self) { try SubtitleLoader(json: Data(text.utf8)) }
        #expect(error?.code == .unknownEncoding && error?.description.contains("klingon") == true)
    }

    @Test func aConfiguration() async throws {
        let folder = FileManager.default.temporaryDirectory.appendingPathComponent(UUID().uuidString)
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        defer { try? FileManager.default.removeItem(at: folder) }
        try Data(Stage.swedishText.utf8).write(to: folder.appendingPathComponent("sv.srt"))
        let text = """
            {"master": "\(Stage.master)", "webvtt": "bytes", "schemes": "app",
             "tracks": [{"uri": "sv.vtt", "file": "sv.srt", "language": "sv", "name": "Svenska"}]}
            """
        let loader = try SubtitleLoader(json: Data(text.utf8), folder: folder, options: options())
        let asset = loader.makeAsset()
        #expect(asset.url.scheme == "app-master-https")
        #expect(MediaTags.subtitles(in: try await self.text(asset, asset.url)).map { $0["NAME"] } == ["Svenska"])
        #expect(try await self.text(asset, try url("app-track://subtitles/sv.vtt")).contains("Hej då"))
        #expect(throws: SubtitleLoaderError.self) { try SubtitleLoader(json: Data("{".utf8)) }
    }

    /// Of a film that is mapped into memory only what is asked for is read.
    @Test func aFilmThatIsLargerThanMemory() async throws {
        await #expect(processExitsWith: .success) {
            let file = FileManager.default.temporaryDirectory.appendingPathComponent(UUID().uuidString)
            defer { try? FileManager.default.removeItem(at: file) }
            #expect(FileManager.default.createFile(atPath: file.path, contents: nil))
            let handle = try FileHandle(forWritingTo: file)
            try handle.truncate(atOffset: 256 << 20)
            try handle.close()
            let asset = DataAsset(try Data(contentsOf: file, options: .alwaysMapped), type: "public.mpeg-4")
            let answer = await asset.resourceLoader.load(.bytes(asset.url, 100 << 20, 1000)).answer
            #expect(answer?.data.count == 1000)
            let status = try String(contentsOfFile: "/proc/self/status", encoding: .utf8)
            let line = try #require(status.split(separator: "\n").first { $0.hasPrefix("VmHWM:") })
            let kibibytes = try #require(line.split(separator: " ").compactMap { Int($0) }.first)
            #expect(kibibytes < 256 << 10, "\(line)")
        }
    }
}
