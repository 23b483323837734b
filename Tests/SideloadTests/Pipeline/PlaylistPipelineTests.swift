import ByteScan
import Drivers
import M3U8
import Sideload
import Support
import Testing

/// A pipeline does what its parts do one after the other.
@Suite struct PlaylistPipelineTests {
    private static let playlists = [
        "", "#EXTM3", "#EXTM3U", "#EXTM3U\r", "no playlist\n#EXT-X-STREAM-INF:A=1\nv\n",
        "#EXTM3U\n#EXTINF:4,\na.ts\n#EXT-X-STREAM-INF:A=1\nv",
        """
        #EXTM3U
        #EXT-X-DEFINE:NAME="a",VALUE="#EXT-X-STREAM-INF:BANDWIDTH=7"
        #EXT-X-MEDIA:TYPE=SUBTITLES,GROUP-ID="g",NAME="English",URI="en.m3u8"
        #EXT-X-STREAM-INF:BANDWIDTH=1,RESOLUTION=1x1,SUBTITLES="g"
        {$a}
        #EXT-X-STREAM-INF:BANDWIDTH=2,RESOLUTION=2x2,CODECS="a,b"
        b/v.m3u8?c#d
        #EXT-X-STREAM-INF:BANDWIDTH=3,A="
        {$b}/c
        #EXT-X-I-FRAME-STREAM-INF:BANDWIDTH=1,URI="i.m3u8"
        #EXTINF:4,
        #EXT-X-STREAM-INF:BANDWIDTH=4
        """,
    ]

    private static let limits = [
        PipelineLimits(), PipelineLimits(SideloadLimits(lines: LineLimits(longestLine: 40, policy: .fail))),
        PipelineLimits(
            SideloadLimits(lines: LineLimits(longestLine: 60), heldRenditions: 300, longestGroupID: 3),
            uris: URIMapper.Limits(heldVariables: 1100, longestURI: 40)),
    ]

    /// Made anew for each caller: the leak checker does not find the arrays of an enum that is kept in a global, whose
    /// case is in the spare bits of the pointers.
    private static var edits: [PlaylistEdit] {
        [
            .set("EXT-X-STREAM-INF", name: Array("SUBTITLES".utf8), value: Array("\"h\"".utf8)),
            .remove("EXT-X-STREAM-INF", name: Array("SUBTITLES".utf8)), .drop("EXT-X-STREAM-INF"), .drop("EXTINF"),
            .drop("EXT-X-MEDIA"), .replace("EXT-X-MEDIA", name: Array("GROUP-ID".utf8), value: Array("\"other\"".utf8)),
            .set("EXT-X-MEDIA", name: Array("URI".utf8), value: Array("\"x.m3u8\"".utf8)),
            .set(
                "EXT-X-STREAM-INF", name: Array("X-LONG".utf8),
                value: Array("\"0123456789012345678901234567890123456789\"".utf8)),
        ]
    }

    private static let appended = [
        "#EXT-X-STREAM-INF:BANDWIDTH=9", "v9.m3u8", "#EXT-X-ENDLIST", "#EXTINF:4,",
        "#EXT-X-MEDIA:TYPE=SUBTITLES,GROUP-ID=\"late\",NAME=\"x\",URI=\"y\"",
    ]

    private static func parts(_ generator: inout SeededGenerator) throws -> ChainedPlaylist.Parts {
        var parts = ChainedPlaylist.Parts()
        for edit in edits where Int.random(in: 0..<6, using: &generator) == 0 { parts.edits.append(edit) }
        for line in appended where Int.random(in: 0..<6, using: &generator) == 0 {
            parts.appending.append(Array(line.utf8))
        }
        if Int.random(in: 0..<3, using: &generator) == 0 {
            let text =
                ["BANDWIDTH<=2", "RESOLUTION>1", "BANDWIDTH>9", "SUBTITLES!=g"].randomElement(using: &generator) ?? ""
            parts.condition = try VariantExpression(Array(text.utf8))
        }
        switch Int.random(in: 0..<4, using: &generator) {
        case 0: parts.mapping = try URIMapping(base: Array("https://h/d/e".utf8))
        case 1: parts.mapping = try URIMapping(directory: Array("../f/".utf8))
        // A URI that becomes a tag.
        case 2: parts.mapping = try URIMapping(directory: Array("#EXT-X-STREAM-INF:".utf8))
        default: break
        }
        if Int.random(in: 0..<4, using: &generator) > 0 {
            var english = Track.english
            english.isDefault = true
            parts.tracks = try SubtitleTracks([english, Track.swedish], defaultPolicy: .prefersTracks)
        }
        return parts
    }

    /// Tags that sideloading does not read: of playlists of each kind, of any, and of none.
    private static let unread: [TagSelector] = [
        "EXT-X-SESSION-DATA", "EXT-X-I-FRAME-STREAM-INF", "EXTINF", "EXT-X-KEY", "EXT-X-VERSION", "EXT-X-NONE", "EXTRA",
    ]

    /// Tracks, and lines left out that they do not read.
    private static func leavingOut(_ generator: inout SeededGenerator) throws -> ChainedPlaylist.Parts {
        var parts = ChainedPlaylist.Parts()
        for tag in unread where Int.random(in: 0..<3, using: &generator) == 0 { parts.edits.append(.drop(tag)) }
        parts.tracks = try SubtitleTracks([Track.english, Track.swedish])
        return parts
    }

    @Test func doesWhatItsPartsDo() throws {
        try compare(rounds: 160) { try Self.parts(&$0) }
    }

    @Test func leavesLinesOutInThePassOfTheTracks() throws {
        try compare(rounds: 120) { try Self.leavingOut(&$0) }
    }

    private func compare(
        rounds: Int, _ parts: (inout SeededGenerator) throws -> ChainedPlaylist.Parts
    ) throws {
        var generator = SeededGenerator(seed: 23)
        for round in 0..<rounds {
            let parts = try parts(&generator)
            let limits = Self.limits[round % 3]
            var pipeline = PlaylistPipeline(try parts.recipe(), limits: limits)
            let text =
                round < 10 * Self.playlists.count
                ? Array(Self.playlists[round % Self.playlists.count].utf8)
                : round % 2 == 0 ? MasterTokens.playlist(using: &generator) : PlaylistTokens.playlist(using: &generator)
            let splits =
                text.count < 40 || round % 40 == 6
                ? Splits.all(of: text.count) : [[0..<text.count]] + Splits.random(of: text.count, times: 3)
            for split in splits {
                for isAbandoned in [false, true] {
                    let fault = try ChainedPlaylist.fault(
                        of: &pipeline, parts, limits, on: text, split: split, isAbandoned: isAbandoned)
                    #expect(
                        fault == nil, "\(parts.edits) on \(String(decoding: text, as: UTF8.self)), cut as \(split)")
                }
            }
        }
    }

    @Test func aRecipeOfNothingChangesNothing() throws {
        var pipeline = PlaylistPipeline(try PlaylistRecipe())
        let text = Array("#EXTM3U\n#EXT-X-STREAM-INF:A=1\nv\n".utf8)
        #expect(pipeline.outputBound(forChunkOf: 1) == .max)
        var output: [UInt8] = []
        try text.withUnsafeBytes { bytes in try pipeline.write(bytes) { output += $0.bytes } }
        pipeline.finish { output += $0.bytes }
        #expect(output == text)
    }

    /// Slices, of the chunk or not, are those of the pieces.
    @Test func handsOutSlices() throws {
        var generator = SeededGenerator(seed: 24)
        for _ in 0..<40 {
            let parts = try Self.parts(&generator)
            let text = MasterTokens.playlist(using: &generator)
            var chain = try ChainedPlaylist(parts, PipelineLimits())
            _ = chain.write(text)
            chain.finish()
            var pipeline = PlaylistPipeline(try parts.recipe())
            var output: [UInt8] = []
            try text.withUnsafeBytes { bytes in
                try pipeline.write(bytes) { slice in
                    if case .chunk(let range) = slice.source { output += bytes[range] } else { output += slice.bytes }
                }
            }
            pipeline.finish { output += $0.bytes }
            #expect(output == chain.output)
        }
    }

    /// What edits and tracks make has no bound, so nothing of it goes straight to the caller's memory; what tracks alone
    /// make does, and tracks with lines left out that they do not read.
    @Test func onlyTheTracksPassHasABound() throws {
        let tracks = try SubtitleTracks([Track.english])
        let text = Array("#EXTM3U\n#EXT-X-STREAM-INF:A=1\nv\n#EXT-X-KEY:A=1\n".utf8)
        let withoutKey = Array("#EXTM3U\n#EXT-X-STREAM-INF:A=1\nv\n".utf8)
        let cases: [([PlaylistEdit], [UInt8]?)] = [
            ([], text), ([.drop("EXT-X-KEY")], withoutKey), ([.drop("EXT-X-MEDIA")], nil),
            ([.drop("EXT-X-KEY"), .remove("EXT-X-MAP", name: Array("A".utf8))], nil),
        ]
        for (edits, sideloaded) in cases {
            var pipeline = PlaylistPipeline(try PlaylistRecipe(edits: edits, tracks: tracks))
            let memory = UnsafeMutableRawBufferPointer.allocate(byteCount: 4096, alignment: 1)
            defer { memory.deallocate() }
            var output = OutputBuffer(memory)
            text.withUnsafeBytes { bytes in
                let isTaken = (try? pipeline.write(bytes, into: &output)) != nil
                #expect(isTaken == (sideloaded != nil))
                if isTaken { try? pipeline.finish(into: &output) }
            }
            #expect(Array(output.bytes) == (try sideloaded.map { try tracks.sideloaded(into: $0).bytes } ?? []))
        }
    }

    /// Whatever is done line by line has no bound.
    @Test func whateverElseIsDoneHasNoBound() throws {
        let tracks = try SubtitleTracks([Track.english])
        let recipes = [
            try PlaylistRecipe(appending: [Array("#a".utf8)], tracks: tracks),
            try PlaylistRecipe(keeping: VariantExpression(Array("BANDWIDTH<=2".utf8)), tracks: tracks),
            try PlaylistRecipe(mapping: URIMapping(base: Array("https://h/".utf8)), tracks: tracks),
            try PlaylistRecipe(tracks: tracks, observing: ["EXT-X-KEY"]),
            try PlaylistRecipe(appending: [Array("#a".utf8)]),
        ]
        for recipe in recipes { #expect(PlaylistPipeline(recipe).outputBound(forChunkOf: 19) == .max) }
        #expect(PlaylistPipeline(try PlaylistRecipe(tracks: tracks)).outputBound(forChunkOf: 19) == 19 + 269)
    }

    /// A line that neither an edit, nor the condition, nor the mapping can read is one line; where edits are for another
    /// tag, both count.
    @Test(arguments: [
        // The variant at 8 and that without a list at 47 for the edit and the filter, the rendition for its edit.
        (["EXT-X-STREAM-INF", "EXT-X-MEDIA"], true, true, 4), (["EXT-X-STREAM-INF"], true, false, 3),
        (["EXT-X-STREAM-INF"], false, false, 2), (["EXT-X-MEDIA"], true, false, 4), ([], true, true, 3),
        ([], false, true, 1),
    ])
    func aLineCountsOnce(tags: [String], isFiltered: Bool, isMapped: Bool, expected: Int) throws {
        let text = """
            #EXTM3U
            #EXT-X-STREAM-INF:BANDWIDTH=9,A="
            v
            #EXT-X-STREAM-INF
            w
            #EXT-X-STREAM-INF:BANDWIDTH=1
            x
            #EXT-X-I-FRAME-STREAM-INF:URI="i",B="
            #EXT-X-MEDIA:A="

            """
        let edits = tags.map { tag in
            PlaylistEdit.set(TagSelector(spelling: tag.utf8), name: Array("X".utf8), value: Array("1".utf8))
        }
        let condition = isFiltered ? try VariantExpression(Array("BANDWIDTH<=2".utf8)) : nil
        let mapping = isMapped ? try URIMapping(base: Array("https://h/".utf8)) : nil
        var pipeline = PlaylistPipeline(try PlaylistRecipe(edits: edits, keeping: condition, mapping: mapping))
        var output = OutputPieces()
        for handler in [nil, { _, _ in }] as [PlaylistPipeline.Handler?] {
            pipeline.reset()
            try Array(text.utf8).withUnsafeBytes { chunk in
                if let handler {
                    try pipeline.write(chunk, deciding: handler, into: &output)
                } else {
                    try pipeline.write(chunk, into: &output)
                }
            }
            #expect(pipeline.report.uneditableLines == expected)
        }
    }

    /// What is decided about each line is told, with the handler's part in it; without edits there is nothing to tell.
    @Test func aTrace() throws {
        let text = "#EXTM3U\n#EXT-X-STREAM-INF:A=1,B=2\nv\n#EXT-X-SESSION-KEY:A=1"
        var pipeline = PlaylistPipeline(
            try PlaylistRecipe(
                edits: [.remove("EXT-X-STREAM-INF", name: Array("A".utf8))], observing: ["EXT-X-SESSION-KEY"]))
        for size in [1, 7, text.utf8.count] {
            var trace = PlaylistTrace()
            var (entries, output) = ([TraceEntry](), [UInt8]())
            var seen = 0
            for range in Splits.even(of: text.utf8.count, size: size) {
                Array(Array(text.utf8)[range]).withUnsafeBytes { chunk in
                    entries += pipeline.write(chunk, tracedBy: &trace, deciding: { _, _ in seen += 1 }) {
                        output += $0.bytes
                    }
                }
            }
            entries += pipeline.write(nil, tracedBy: &trace, deciding: { _, _ in seen += 1 }) { output += $0.bytes }
            #expect(String(decoding: output, as: UTF8.self) == text.replacing("A=1,B", with: "B"))
            #expect(entries.map(\.position) == [8, 36] && entries.map(\.isShown) == [false, true])
            #expect(seen == 1 && pipeline.report.verdict == .multivariant)
            pipeline.reset()
        }
        var other = PlaylistPipeline(try PlaylistRecipe(tracks: SubtitleTracks([Track.english])))
        var trace = PlaylistTrace()
        let entries = Array(text.utf8).withUnsafeBytes { chunk in
            other.write(chunk, tracedBy: &trace, deciding: { _, _ in }) { _ in Issue.record("handed out") }
        }
        #expect(entries == [])
    }

    /// The handler of a caller comes before the recipe, and sees what that observes.
    @Test func aHandlerComesFirst() throws {
        let recipe = try PlaylistRecipe(
            mapping: URIMapping(base: Array("https://h/".utf8)), tracks: SubtitleTracks([Track.english]),
            observing: ["EXT-X-SESSION-KEY"])
        var pipeline = PlaylistPipeline(recipe)
        var output = OutputPieces(mergingThreshold: .max)
        var bytes: [UInt8] = []
        var seen: [String] = []
        let text = Array("#EXTM3U\n#EXT-X-SESSION-KEY:METHOD=NONE\n#EXT-X-STREAM-INF:A=1\nv\nw\n".utf8)
        try text.withUnsafeBytes { chunk in
            try pipeline.write(
                chunk,
                deciding: { line, edits in
                    seen.append(line.bytes.description)
                    if line.bytes == "w" { edits.drop() }
                }, into: &output)
        }
        for case .own(let piece) in output { bytes += piece }
        #expect(seen == ["#EXT-X-SESSION-KEY:METHOD=NONE", "#EXT-X-STREAM-INF:A=1", "v", "w"])
        #expect(
            String(decoding: bytes, as: UTF8.self)
                == "#EXTM3U\n#EXT-X-SESSION-KEY:METHOD=NONE\n#EXT-X-STREAM-INF:A=1,SUBTITLES=\"subs\"\nhttps://h/v\n")
    }
}
