import ByteScan
import M3U8
import Sideload
import Support

/// Whatever the fields of tracks are, they stand in the playlist unchanged, or the tracks are refused.
///
/// The lines of the text are URI, name, language, another language, stable rendition id and group of a track, again and
/// again.
enum TrackCheck {
    static func run(_ input: inout FuzzInput, _ faults: inout Faults) {
        let lines = input.text.split(separator: ASCII.lineFeed, omittingEmptySubsequences: false).prefix(18)
        let fields = lines.map { String(decoding: $0, as: UTF8.self) }
        for line in lines { checkLanguage(Array(line), &faults) }
        let flags = input.choices.byte()
        var tracks = stride(from: 0, to: fields.count - 1, by: 6).map { start in
            func field(_ offset: Int) -> String? {
                let index = start + offset
                return index < fields.count && !fields[index].isEmpty ? fields[index] : nil
            }
            return SubtitleTrack(
                uri: fields[start], language: field(2), name: fields[start + 1], isForced: flags & 2 != 0,
                isSDH: flags & 4 != 0, associatedLanguage: field(3), stableRenditionID: field(4), groupID: field(5))
        }
        if flags & 1 == 1, !tracks.isEmpty { tracks[0].isDefault = true }
        checkPlaylist(fields, input.choices.number(upTo: 65_535), &faults)
        do throws(SubtitleTrackError) {
            let checked = try SubtitleTracks(tracks)
            check(tracks, checked, &faults)
        } catch {
            faults.expect(isRefusable(tracks), "\(tracks) are refused: \(error)")
            faults.expect(!error.description.isEmpty, "an error without words")
        }
    }

    /// Each track once in the group, every field as it was given, but for a number after a name that another rendition
    /// has.
    private static func check(_ tracks: [SubtitleTrack], _ checked: SubtitleTracks, _ faults: inout Faults) {
        let group = tracks.lazy.compactMap(\.groupID).first ?? "subs"
        let master = Array("#EXTM3U\n#EXT-X-STREAM-INF:BANDWIDTH=1\nv\n".utf8)
        guard let output = try? checked.sideloaded(into: master).bytes else { return faults.add("a limit") }
        let lines = NaivePlaylist.lines(of: output)
        guard lines.count == 3 + tracks.count else { return faults.add("\(lines.map(\.text))") }
        faults.expect(
            NaiveAttributes.first("SUBTITLES", in: lines[1].value ?? []) ?? [], is: Array(group.utf8), "the group")
        let lists = lines.dropFirst(3).map { $0.value ?? [] }
        for track in tracks {
            let list = lists.first { NaiveAttributes.first("URI", in: $0) == Array(track.uri.utf8) }
            guard let list else { return faults.add("\(track.uri) is not there") }
            let items = NaiveAttributes.items(of: list)
            func value(_ name: String) -> [UInt8]? { NaiveAttributes.first(name, in: list) }
            faults.expect(Set(items.map(\.name)).count, is: items.count, "attributes of \(track.uri)")
            faults.expect(value("GROUP-ID"), is: Array(group.utf8), "GROUP-ID")
            faults.expect(value("NAME")?.starts(with: track.name.utf8) == true, "NAME \(value("NAME") ?? [])")
            faults.expect(value("STABLE-RENDITION-ID"), is: track.stableRenditionID.map { Array($0.utf8) }, "the id")
            faults.expect(value("DEFAULT"), is: Array((track.isDefault ? "YES" : "NO").utf8), "DEFAULT")
            for (name, tag) in [("LANGUAGE", track.language), ("ASSOC-LANGUAGE", track.associatedLanguage)] {
                faults.expect(value(name), is: tag.flatMap { LanguageTag($0)?.bytes }, name)
            }
        }
        faults.expect(Set(lists.map { NaiveAttributes.first("NAME", in: $0) }).count, is: tracks.count, "names")
        let again = try? checked.sideloaded(into: output).bytes
        faults.expect(again ?? [], is: output, "sideloaded twice")
    }

    /// Whether anything is wrong with the tracks.
    private static func isRefusable(_ tracks: [SubtitleTrack]) -> Bool {
        let groups = Set(tracks.compactMap(\.groupID).map { Array($0.utf8) })
        let isDouble = Set(tracks.map { Array($0.uri.utf8) }).count < tracks.count || groups.count > 1
        return tracks.isEmpty || isDouble
            || tracks.contains { track in
                let fields = [
                    track.uri, track.name, track.language, track.associatedLanguage, track.stableRenditionID,
                    track.groupID,
                ]
                let breaks = fields.compactMap { $0.map { Array($0.utf8) } }.contains { field in
                    field.isEmpty || !NaiveAttributes.isQuotable(field)
                        || field.indices.contains { field[$0...].starts(with: "{$".utf8) }
                }
                let languages = [track.language, track.associatedLanguage].compactMap { $0 }
                let id = track.stableRenditionID ?? "a"
                let isFile = track.uri.prefixMatch(of: /(?i)[^?#]*\.(vtt|webvtt|srt)([?#]|$)/) != nil
                return breaks || isFile || languages.contains { LanguageTag($0) == nil }
                    || id.wholeMatch(of: /[A-Za-z0-9+\/=.\-_]+/) == nil
            }
    }

    /// A tag is its own recommended form, in any case of letters.
    private static func checkLanguage(_ bytes: [UInt8], _ faults: inout Faults) {
        let text = String(decoding: bytes, as: UTF8.self)
        guard let tag = LanguageTag(bytes) else { return }
        faults.expect(LanguageTag(tag.bytes), is: tag, "\(text) again")
        faults.expect(LanguageTag(text.uppercased()), is: tag, "\(text) in capitals")
        faults.expect(LanguageTag(text.lowercased()), is: tag, "\(text) in small letters")
        let isTag = String(decoding: tag.bytes, as: UTF8.self).wholeMatch(of: /[A-Za-z0-9]+(-[A-Za-z0-9]+)*/) != nil
        faults.expect(isTag && tag.bytes.count <= bytes.count, "\(text) became \(tag)")
    }

    /// A subtitle playlist has its segments, no more and no fewer, and a target duration that none exceeds.
    private static func checkPlaylist(_ uris: [String], _ milliseconds: Int, _ faults: inout Faults) {
        let segments = uris.enumerated().map { index, uri in
            SubtitlePlaylist.Segment(uri: uri, duration: MediaDuration(milliseconds: Int64(milliseconds << index)))
        }
        guard let playlist = try? SubtitlePlaylist(segments: segments) else { return }
        let bytes = playlist.bytes
        faults.expect(playlist.byteCount, is: bytes.count, "announced bytes")
        let lines = NaivePlaylist.lines(of: bytes)
        let names = lines.filter { !$0.content.isEmpty && !$0.isTag && $0.content.first != ASCII.hash }.map(\.content)
        faults.expect(names, is: uris.map { Array($0.utf8) }, "the segments")
        faults.expect(NaivePlaylist.verdict(on: bytes) == .media, "no media playlist")
        let target = lines.first { $0.tagName == Array("EXT-X-TARGETDURATION".utf8) }.flatMap {
            Int($0.text.dropFirst(22))
        }
        let longest = segments.map(\.duration.milliseconds).max() ?? 0
        faults.expect(target == max(1, (Int(longest) + 999) / 1000), "a target of \(target ?? -1) for \(longest) ms")
    }
}
