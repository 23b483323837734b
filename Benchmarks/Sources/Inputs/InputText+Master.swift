extension InputText {
    /// A multivariant playlist of the everyday kind, some 2.8 KB.
    ///
    /// Eight variants, two audio groups of two languages, four I-frame playlists, a comment, blank lines, and a session
    /// data line whose value has a comma inside its quotes.
    static func smallMaster() -> InputText {
        var text = InputText(byteCount: 3_000)
        text.line("#EXTM3U")
        text.line("#EXT-X-VERSION:6")
        text.line("#EXT-X-INDEPENDENT-SEGMENTS")
        text.line("")
        text.line("# Written by a packager 7.0")
        for group in AudioGroup.all.prefix(2) {
            for language in 0..<2 { text.line(group.rendition(language)) }
        }
        text.line("")
        for (index, rung) in Rung.ladder.enumerated() {
            text.line(rung.variant(audio: AudioGroup.all[index < 6 ? 0 : 1]))
            text.line("video/v\(index + 1)/prog_index.m3u8")
        }
        text.line("")
        for (index, rung) in Rung.ladder.enumerated() where index % 2 == 1 {
            let line: InputLine = "video/v\(index + 1)/iframe_index.m3u8"
            text.line(rung.iFrames(uri: String(decoding: line.bytes, as: UTF8.self)))
        }
        text.line("#EXT-X-SESSION-DATA:DATA-ID=\"com.example.title\",VALUE=\"Tall Tale, Short\",LANGUAGE=\"en\"")
        return text
    }

    /// A multivariant playlist of at least `byteCount` bytes.
    ///
    /// Three audio groups of four languages, then variants with absolute URIs that carry a token, and one I-frame playlist
    /// for every eight of them. Three lines in four are longer than 100 bytes.
    public static func largeMaster(byteCount: Int) -> InputText {
        var text = InputText(byteCount: byteCount)
        var chance = Chance(seed: 1)
        text.line("#EXTM3U")
        text.line("#EXT-X-VERSION:6")
        text.line("#EXT-X-INDEPENDENT-SEGMENTS")
        for group in AudioGroup.all {
            for language in AudioGroup.languages.indices { text.line(group.rendition(language)) }
        }
        var number = 0
        while text.count < byteCount {
            let index = number % Rung.ladder.count
            let rung = Rung.ladder[index]
            let audio = AudioGroup.all[number / Rung.ladder.count % AudioGroup.all.count]
            text.line(rung.variant(audio: audio, more: number))
            text.line(
                """
                https://cdn\(number % 4).example.com/asset/\(number, width: 6)/v\(index + 1)/prog_index.m3u8\
                ?token=\(hex: chance.next(), width: 16)\(hex: chance.next(), width: 16)
                """
            )
            if index == Rung.ladder.count - 1 {
                let line: InputLine = "asset/\(number, width: 6)/iframe_index.m3u8"
                text.line(rung.iFrames(uri: String(decoding: line.bytes, as: UTF8.self), more: number))
            }
            number += 1
        }
        return text
    }
}
