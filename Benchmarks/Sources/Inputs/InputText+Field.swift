// Playlists of the sizes that the field sends. Of 2,277 public ones the median has 268 bytes, nine in ten have at most
// 1.4 KB, and URIs have 43, 72 and 196 bytes (median, nine in ten, 99 in 100). One master in four declares subtitles.

extension InputText {
    /// A master playlist of 3.2 KB with a group of subtitles that every variant names, whose default is a language that
    /// nobody sideloads.
    static func fieldMaster() -> InputText {
        var text = InputText(byteCount: 3_400)
        let place = "https://cdn1.example.com/live/event-2026/channel-42/"
        text.line("#EXTM3U")
        text.line("#EXT-X-VERSION:6")
        text.line("#EXT-X-INDEPENDENT-SEGMENTS")
        for language in 0..<2 { text.line(AudioGroup.all[0].rendition(language)) }
        text.subtitles(at: place)
        for (index, rung) in Rung.ladder.enumerated() {
            let variant = String(decoding: rung.variant(audio: AudioGroup.all[0]).bytes, as: UTF8.self)
            text.line("\(variant),SUBTITLES=\"text\"")
            text.line("\(place)v\(index + 1)/prog_index.m3u8")
        }
        for (index, rung) in Rung.ladder.enumerated().suffix(3) {
            text.line(rung.iFrames(uri: "v\(index + 1)/iframe_index.m3u8"))
        }
        return text
    }

    /// `count` master playlists, one after the other, each from `#EXTM3U` on.
    static func fieldMasters(count: Int) -> InputText {
        var text = InputText(byteCount: 1_000 * count)
        var chance = Chance(seed: 7)
        for number in 0..<count {
            text.master(variants: chance.pick(variantCounts), hasSubtitles: number % 4 == 3, &chance)
        }
        return text
    }

    /// `count` media playlists, one after the other, each from `#EXTM3U` on: most of a few segments, as live streams
    /// have them.
    static func fieldMedia(count: Int) -> InputText {
        var text = InputText(byteCount: 800 * count)
        var chance = Chance(seed: 8)
        for _ in 0..<count {
            let first = chance.number(in: 1..<100_000)
            let segments = chance.pick(segmentCounts)
            let place = chance.place()
            text.line("#EXTM3U")
            text.line("#EXT-X-VERSION:3")
            text.line("#EXT-X-MEDIA-SEQUENCE:\(first)")
            text.line("#EXT-X-TARGETDURATION:10")
            for number in first..<(first + segments) {
                text.line("#EXTINF:\(chance.number(in: 8_000..<10_000), fraction: 3),")
                text.line("\(place)\(number).ts")
            }
        }
        return text
    }

    /// A master playlist of `count` variants, each of which names a group of subtitles of its own.
    public static func groups(count: Int) -> InputText {
        var text = InputText(byteCount: 100 * count)
        text.line("#EXTM3U")
        for number in 0..<count {
            text.line("#EXT-X-STREAM-INF:BANDWIDTH=\(1_000_000 + number),SUBTITLES=\"group-\(number)\"")
            text.line("v\(number)/index.m3u8")
        }
        return text
    }

    // Weighed by how often they are picked.
    private static let variantCounts = [1, 1, 1, 1, 2, 2, 3, 3, 4, 5, 6, 8]
    private static let segmentCounts = [2, 3, 3, 3, 3, 3, 3, 4, 4, 6, 24, 40]

    private mutating func master(variants: Int, hasSubtitles: Bool, _ chance: inout Chance) {
        let place = chance.place()
        line("#EXTM3U")
        line("#EXT-X-VERSION:4")
        if hasSubtitles { subtitles(at: place) }
        let group = hasSubtitles ? ",SUBTITLES=\"text\"" : ""
        for rung in Rung.ladder.prefix(variants) {
            line(
                """
                #EXT-X-STREAM-INF:BANDWIDTH=\(rung.bandwidth),CODECS="\(rung.codec),mp4a.40.2",\
                RESOLUTION=\(rung.resolution)\(group)
                """)
            line("\(place)\(rung.bandwidth)/\(hex: chance.next(), width: 8)/index.m3u8")
        }
    }

    /// Subtitles in two languages, the first of which is the default.
    private mutating func subtitles(at place: String) {
        for (language, title) in AudioGroup.languages[1..<3] {
            line(
                """
                #EXT-X-MEDIA:TYPE=SUBTITLES,GROUP-ID="text",NAME="\(title)",LANGUAGE="\(language)",\
                DEFAULT=\(language == "pt" ? "YES" : "NO"),AUTOSELECT=YES,FORCED=NO,URI="\(place)\(language)/text.m3u8"
                """)
        }
    }
}

extension Chance {
    /// What a playlist's URIs begin with.
    fileprivate mutating func place() -> String {
        switch number(in: 0..<100) {
        case 0..<30: ""
        case 30..<45: "/hls/live/\(number(in: 100_000..<999_999))/channel/"
        case 45..<85: "https://cdn\(number(in: 0..<9)).example.com/live/channel-\(number(in: 10..<99))/"
        case 85..<97:
            "https://cdn\(number(in: 0..<9)).example.com/live/event/\(number(in: 100_000..<999_999))/1080p/20261126/"
        default:
            "https://cdn.example.com/v1/\(String(repeating: "0123456789abcdef", count: 10))/"
        }
    }
}
