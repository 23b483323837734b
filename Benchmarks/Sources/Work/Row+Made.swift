import CReference
import Delivery
import Inputs
import Sideload

// What is made new: in a start, for a configuration, for a playlist that comes whole.
extension Row {
    static let made: [Entry] = [
        ("tracks-1", { tracks("tracks-1", count: 1) }),
        ("tracks-200", { tracks("tracks-200", count: 200) }),
        ("configuration", { configuration("configuration", .configuration) }),
        ("router-init", { router("router-init", .configuration) }),
        ("playlist-1000", { playlist("playlist-1000", count: 1_000) }),
        ("wrap", { wrap("wrap", .lowLatencyMedia) }),
        ("master-small-array", { array("master-small-array", .smallMaster) }),
        ("master-big-array", { array("master-big-array", .largeMaster) }),
    ]

    /// Something made of `input` each time, against finding the lines of that.
    ///
    /// - Parameters:
    ///   - make: Makes it, and returns a number that depends on it; 0 if it is refused.
    private static func making(
        _ key: String, _ work: String, _ input: Input, isLocal: Bool = false, _ make: @escaping () -> UInt64,
        fault: @escaping () -> String?
    ) -> Row {
        let bytes = input.bytes
        return Row(
            key: key, work: work, input: input, reference: "memchr, line by line", limit: nil, isLocal: isLocal,
            makesOutput: true, run: repeating(make), runInChunks: repeating(make),
            runReference: repeating { Reference.lines(bytes.baseAddress, bytes.count) }, fault: fault)
    }

    /// So many tracks, each with a language of its own.
    static func trackList(_ count: Int) -> [SubtitleTrack] {
        (0..<count).map { number in
            SubtitleTrack(
                uri: "subs/\(number).m3u8", language: InputText.language(number), name: "Track \(number)",
                isDefault: number == 0)
        }
    }

    private static func tracks(_ key: String, count: Int) -> Row {
        let list = trackList(count)
        return making(
            key, "Tracks made: \(count)", .smallMaster, isLocal: true, { (try? SubtitleTracks(list))?.fingerprint ?? 0 }
        ) {
            let master = Array("#EXTM3U\n#EXT-X-STREAM-INF:BANDWIDTH=1\nv.m3u8\n".utf8)
            guard let tracks = try? SubtitleTracks(list), let output = try? tracks.sideloaded(into: master).bytes else {
                return "the tracks are refused"
            }
            let lines = (0..<count).map { number in
                "#EXT-X-MEDIA:TYPE=SUBTITLES,GROUP-ID=\"subs\",NAME=\"Track \(number)\",LANGUAGE=\"\(InputText.language(number))\","
                    + "DEFAULT=\(number == 0 ? "YES" : "NO"),AUTOSELECT=YES,URI=\"subs/\(number).m3u8\"\n"
            }
            let head = "#EXTM3U\n#EXT-X-STREAM-INF:BANDWIDTH=1,SUBTITLES=\"subs\"\nv.m3u8\n"
            return output == Array((head + lines.joined()).utf8) ? nil : "the tags are not the expected ones"
        }
    }

    private static func configuration(_ key: String, _ input: Input) -> Row {
        let text = Array(input.bytes)
        return making(key, "Configuration read", input, { UInt64((try? Configuration(text))?.tracks.count ?? 0) }) {
            guard let read = try? Configuration(text) else { return "it is refused" }
            let names = read.tracks.map(\.track.name)
            let isRight = names == (0..<20).map { "Track \($0)" } && read.edits.count == 2 && read.keptVariants != nil
            return isRight ? nil : "it says something else"
        }
    }

    private static func router(_ key: String, _ input: Input) -> Row {
        guard let read = try? Configuration(Array(input.bytes)) else {
            return making(key, "Router made", input, { 0 }) { "the configuration is refused" }
        }
        return making(key, "Router made", input, isLocal: true, { UInt64((try? Router(read))?.tracks.count ?? 0) }) {
            (try? Router(read))?.tracks.count == 20 ? nil : "it has other tracks"
        }
    }

    private static func playlist(_ key: String, count: Int) -> Row {
        let segments = (0..<count).map { number in
            SubtitlePlaylist.Segment(
                uri: "segments/\(number).vtt", duration: MediaDuration(milliseconds: Int64(4_000 + number)))
        }
        let make = { (try? SubtitlePlaylist(segments: segments))?.bytes ?? [] }
        return making(key, "Playlist of \(count) segments", .smallMaster, isLocal: true, { UInt64(make().count) }) {
            let head =
                "#EXTM3U\n#EXT-X-VERSION:3\n#EXT-X-TARGETDURATION:5\n#EXT-X-MEDIA-SEQUENCE:0\n#EXT-X-PLAYLIST-TYPE:VOD\n"
            let lines = (0..<count).map { number in
                "#EXTINF:\((4_000 + number) / 1_000).\("\(4_000 + number)".suffix(3)),\nsegments/\(number).vtt\n"
            }
            return make() == Array((head + lines.joined() + "#EXT-X-ENDLIST\n").utf8)
                ? nil : "the playlist is not the expected one"
        }
    }

    private static func wrap(_ key: String, _ input: Input) -> Row {
        let media = Array(input.bytes)
        let make = { (try? WrappedVariant(uri: "video.m3u8").playlist(around: media)) ?? [] }
        return making(key, "Media playlist wrapped", input, { UInt64(make().count) }) {
            let expected = Array("#EXTM3U\n#EXT-X-STREAM-INF:BANDWIDTH=2000000\nvideo.m3u8\n".utf8)
            return make() == expected ? nil : "the playlist is not the expected one"
        }
    }

    private static func array(_ key: String, _ input: Input) -> Row {
        let playlist = Array(input.bytes)
        let make = { (try? Sideloading.tracks.sideloaded(into: playlist))?.bytes ?? [] }
        return making(key, "sideloaded(into:)", input, { UInt64(make().count) }) {
            make() == Expected.sideloaded(playlist) ? nil : "the playlist is not the expected one"
        }
    }
}
