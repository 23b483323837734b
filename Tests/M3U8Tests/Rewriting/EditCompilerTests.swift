import ByteScan
import Support
import Testing

@testable import M3U8

/// Programs of those who build on the rewriter: one attribute that most lines lack, and a handler for the others.
@Suite struct EditCompilerTests {
    /// What has come of a text.
    struct Answer: Equatable {
        var output = ""
        /// The lines that the handler was shown; those in a mixed playlist after an exclamation mark.
        var shown: [String] = []
        var appended = 0
        var known = 0
        var uneditable = 0
        var firstUneditable: Int?
        var limit: Int?
        var verdict = PlaylistVerdict.undecided
    }

    static var attribute: ByteView { ByteView(",SUBTITLES=\"s\"") }

    static func program(readsMixed: Bool = true) -> EditProgram { compiler(readsMixed: readsMixed).program() }

    static func compiler(readsMixed: Bool = true) -> EditCompiler {
        var compiler = EditCompiler(scope: .multivariant, absentAttribute: Array("SUBTITLES".utf8))
        compiler.readsMixed = readsMixed
        compiler.append(to: .streamInf)
        compiler.observeIfAttributeMayBeThere(.streamInf)
        compiler.observe(.media, ifValueStartsWith: ("TYPE=", "SUB"))
        compiler.observe(.define)
        compiler.skip(linesStartingWith: "#EXT-X-MEDIA:TYPE=AUDIO,")
        compiler.skipsIFrames = true
        return compiler
    }

    /// Appends the attribute to lines that lack it, and does what a line's `X-DO` says.
    static func decide(_ line: SelectedLine, _ edits: inout LineEdits) {
        switch Self.content(of: "X-DO", in: line) {
        case "stop": edits.stop(LimitError(.longestLine, bytes: 1, position: line.position))
        case "refuse": edits.refuse()
        case "drop": edits.drop()
        case "replace": edits.replaceLine(with: Array("#new".utf8))
        case "know": edits.appended.known = ByteView(",SUBTITLES=\"k\"")
        case "forget": edits.appended.known = ByteView()
        default:
            if line.kind == .tag(.streamInf), content(of: "SUBTITLES", in: line) == nil {
                edits.appendAttribute(to: line)
            }
        }
    }

    private static func content(of name: String, in line: SelectedLine) -> String? {
        var attributes = line.attributes
        let found = Array(name.utf8).withView { attributes.first(named: $0) }
        return found.map { "\(line.bytes[$0.content(in: line.bytes)])" }
    }

    /// Writes `text` in `split` slice by slice, or to pieces with a threshold.
    static func answer(
        _ program: EditProgram, _ text: String, split: [Range<Int>]? = nil, threshold: Int? = nil,
        limits: LineLimits = LineLimits()
    ) -> Answer {
        let text = Array(text.utf8)
        var answer = Answer()
        var rewriter = PlaylistRewriter(
            program, appending: AppendedAttribute(attribute, nameLength: 9), limits: limits)
        var output = OutputPieces(mergingThreshold: threshold ?? 0, longestPiece: 64)
        var bytes: [UInt8] = []
        let handler: PlaylistRewriter.Handler = { line, edits in
            // A line near one with these bytes may be shown too: whether it is hangs on where the text is cut.
            if line.kind == .tag(.define) || "\(line.bytes)".contains("UB") {
                answer.shown.append((edits.areIgnored ? "!" : "") + "\(line.bytes)")
            }
            decide(line, &edits)
        }
        for range in split ?? [0..<text.count] {
            let chunk = GuardedBytes(Array(text[range]))
            if threshold == nil {
                try? rewriter.write(chunk.buffer, deciding: handler) { bytes += $0.view }
            } else {
                try? rewriter.write(chunk.buffer, deciding: handler, into: &output)
                for piece in output { bytes += piece.bytes(in: chunk.buffer) }
            }
        }
        rewriter.finish(deciding: handler) { bytes += $0.view }
        answer.output = String(decoding: bytes, as: UTF8.self)
        (answer.appended, answer.known) = (rewriter.appendedCount, rewriter.knownCount)
        (answer.uneditable, answer.firstUneditable) = (rewriter.uneditableLines, rewriter.firstUneditableLine)
        (answer.limit, answer.verdict) = (rewriter.exceededLimit?.position, rewriter.verdict)
        return answer
    }

    static let padding = String(repeating: "# padding\n", count: 20)

    /// Checks that all forms and cuts give the same, and returns it.
    static func answer(
        ofAll text: String, _ program: EditProgram = program(), limits: LineLimits = LineLimits()
    ) -> Answer {
        let first = answer(program, text, limits: limits)
        for threshold in [0, 5, 40, .max] {
            #expect(answer(program, text, threshold: threshold, limits: limits) == first, "threshold \(threshold)")
        }
        for (number, split) in Splits.all(of: text.utf8.count, random: 4).enumerated() {
            let threshold = number % 2 == 0 ? nil : 40
            #expect(answer(program, text, split: split, threshold: threshold, limits: limits) == first, "\(split)")
        }
        return first
    }

    /// A line of EXT-X-STREAM-INF by its list, what becomes of it, and whether the handler sees it.
    private static let lists: [(list: String, edited: String, isShown: Bool)] = [
        (":BANDWIDTH=1", ":BANDWIDTH=1,SUBTITLES=\"s\"", false), (":A=\"b,c\"", ":A=\"b,c\",SUBTITLES=\"s\"", false),
        (":A=1 \t", ":A=1,SUBTITLES=\"s\" \t", false), (":A=1,", ":A=1,SUBTITLES=\"s\"", false),
        (":", ":SUBTITLES=\"s\"", false), (": ", ":SUBTITLES=\"s\" ", false), (":,", ":,SUBTITLES=\"s\"", false),
        (":A=\"", ":A=\"", false), ("", "", false), (":SUBTITLES=\"a\"", ":SUBTITLES=\"a\"", true),
        (":A=UB", ":A=UB,SUBTITLES=\"s\"", true), (":UB=\"", ":UB=\"", true),
        (":SUBTITLES=\"a\",X-DO=refuse", ":SUBTITLES=\"a\",X-DO=refuse", true),
    ]

    @Test(arguments: ["\n", "\r\n"]) func linesThatLackTheAttributeGetIt(_ ending: String) {
        for row in Self.lists {
            // Simple lines, which go by tens, before and after it.
            let simple = "#EXT-X-STREAM-INF:BANDWIDTH=1,CODECS=\"a\""
            let line = "#EXT-X-STREAM-INF\(row.list)"
            func text(_ simple: String, _ line: String) -> String {
                let lines = ["#EXTM3U", simple, "v", simple, simple, line, simple, "v", line, ""]
                return (lines.joined(separator: "\n") + Self.padding).replacing("\n", with: ending)
            }
            let answer = Self.answer(ofAll: text(simple, line))
            #expect(answer.output == text(simple + ",SUBTITLES=\"s\"", "#EXT-X-STREAM-INF\(row.edited)"))
            #expect(answer.shown == (row.isShown ? [line, line] : []), "\(row.list)")
            #expect(answer.appended == (row.list == row.edited ? 4 : 6) && answer.known == 0, "\(row.list)")
            let isUneditable = row.list == row.edited && row.list != ":SUBTITLES=\"a\""
            #expect(answer.uneditable == (isUneditable ? 2 : 0), "\(row.list)")
            let first = text(simple, "!").utf8.firstIndex(of: UInt8(ascii: "!")).map {
                $0.utf16Offset(in: text(simple, "!"))
            }
            #expect(answer.firstUneditable == (isUneditable ? first : nil), "\(row.list)")
            #expect(answer.verdict == .multivariant && answer.limit == nil)
        }
    }

    /// A list of EXT-X-MEDIA, and whether the handler sees it: what begins with another TYPE is ruled out.
    @Test(
        arguments: [
            ("TYPE=SUBTITLES,A=1", true), ("TYPE=SUB", true), ("TYPE=AUDIO,NAME=\"SUB\"", false),
            ("TYPE=VIDEO,NAME=\"SUB\"", false), ("TYPE=sUB", false), ("TYPE=SU,NAME=\"SUB\"", false),
            ("TYPE=SVB,NAME=\"SUB\"", false), ("TYPE=@UB", false), ("TYPE= SUBTITLES", true),
            ("TYPE=\"SUBTITLES\"", true), (" TYPE=AUDIO,NAME=\"SUB\"", true), ("TYPE =AUDIO,NAME=\"SUB\"", true),
            ("NAME=\"SUB\",TYPE=AUDIO", true), ("TYPE=,NAME=\"SUB\"", true), ("TYPF=AUDIO,NAME=\"SUB\"", true),
            ("TYPE=9,NAME=\"SUB\"", true), ("TYPE=", false), ("", false), ("A=1,B=2", false),
        ])
    func theBeginningOfAValueDecides(_ list: String, _ isShown: Bool) {
        let line = "#EXT-X-MEDIA:\(list)"
        for padding in [Self.padding, ""] {
            let text = "#EXTM3U\n#EXT-X-STREAM-INF:\nv\n\(line)\n\(padding)"
            let answer = Self.answer(ofAll: text)
            #expect(answer.shown == (isShown ? [line] : []))
            #expect(answer.output == text.replacing("INF:\n", with: "INF:SUBTITLES=\"s\"\n"))
        }
        // A last line without an ending.
        #expect(Self.answer(ofAll: "#EXTM3U\n\(line)").shown == (isShown ? [line] : []))
    }

    /// Lines that begin so are skipped, but for what they say of the playlist.
    @Test(arguments: ["#EXT-X-MEDIA:TYPE=AUDIO,A=\"SUB\"", "#EXT-X-I-FRAME-STREAM-INF:A=1", "#EXT-X-MEDIA:TYPE=AUDIO"])
    func skippedLines(_ line: String) {
        for text in [
            "#EXTM3U\n\(line)\n\(line)\n\(Self.padding)", "#EXTM3U\n\(line)\n", "#EXTM3U\nv\n\(line)\n#EXTINF:1,\n",
        ] {
            let answer = Self.answer(ofAll: text)
            let isMixed = text.hasSuffix("#EXTINF:1,\n")
            #expect(answer == Answer(output: text, verdict: isMixed ? .mixed : .multivariant))
        }
    }

    @Test func twoPrefixesAtMost() async {
        await #expect(processExitsWith: .failure) {
            var compiler = EditCompiler(scope: .any)
            for _ in 0..<3 { compiler.skip(linesStartingWith: "#EXT-X-MEDIA:A") }
        }
    }

    /// What has an attribute that the handler knows is passed over, as long as it is known and its line is plain.
    @Test func knownAttributes() {
        let first = "#EXT-X-STREAM-INF:SUBTITLES=\"k\",X-DO=know"
        func lines(_ list: [String], longest: Int = 1 << 16) -> Answer {
            let lines = (["v", first] + list).map { $0 + "\n" }.joined()
            return Self.answer(
                Self.program(), "#EXTM3U\n\(lines)\(Self.padding)", limits: LineLimits(longestLine: longest))
        }
        let known = "#EXT-X-STREAM-INF:SUBTITLES=\"k\""
        let more = "#EXT-X-STREAM-INF:BANDWIDTH=1,SUBTITLES=\"k\",A=\"b\""
        let lacking = "#EXT-X-STREAM-INF:BANDWIDTH=1"
        let all = lines([known, more, lacking, known])
        #expect(all.shown == [first] && all.known == 3 && all.appended == 1)
        for other in [
            "#EXT-X-STREAM-INF:SUBTITLES=\"l\"", "#EXT-X-STREAM-INF:SUBTITLES=k", "#EXT-X-STREAM-INF:SUBTITLES=\"kk\"",
            "#EXT-X-STREAM-INF:SUBTITLES=\"k\",SUBTITLES=\"k\"", "#EXT-X-STREAM-INF:SUBTITLES=\"k\" ",
            "#EXT-X-STREAM-INF:X-SUBTITLES=\"k\"",
        ] {
            let answer = lines([known, other, known])
            #expect(answer.shown == [first, other] && answer.known == 2, "\(other)")
        }
        // EXT-X-DEFINE is always shown, and so are all lines once nothing is known any more.
        let forget = "#EXT-X-DEFINE:X-DO=forget"
        let forgotten = lines([known, forget, known])
        #expect(forgotten.shown == [first, forget, known] && forgotten.known == 1)
        // A line of just the limit is passed over; one that is longer ends all editing.
        let (length, long) = (first.utf8.count, "#EXT-X-STREAM-INF:SUBTITLES=\"k\",A=")
        let fitting = long + String(repeating: "a", count: length - long.utf8.count)
        #expect(lines([fitting, known], longest: length).known == 2)
        let exceeded = lines([known, fitting + "a", known], longest: length)
        #expect(exceeded.known == 1 && exceeded.limit == 8 + 2 + length + 1 + known.utf8.count + 1)
        // In a mixed playlist it is shown again.
        let mixed = lines([known, "#EXTINF:1,", known])
        #expect(mixed.shown == [first, "!\(known)"] && mixed.known == 1 && mixed.verdict == .mixed)
    }

    /// What a handler decides about a line beside its attributes.
    @Test(
        arguments: [
            ("refuse", "#EXT-X-DEFINE:X-DO=refuse\n", 1, nil), ("drop", "", 0, nil), ("replace", "#new\n", 0, nil),
            ("stop", "#EXT-X-DEFINE:X-DO=stop\n", 0, 10), ("", "#EXT-X-DEFINE:X-DO=\n", 0, nil),
        ] as [(String, String, Int, Int?)])
    func decisions(_ word: String, _ edited: String, _ uneditable: Int, _ limit: Int?) {
        let line = "#EXT-X-DEFINE:X-DO=\(word)"
        let variant = "#EXT-X-STREAM-INF:A=1"
        let answer = Self.answer(ofAll: "#EXTM3U\nv\n\(line)\n\(variant)\n\(Self.padding)")
        let isEdited = limit == nil
        #expect(
            answer.output == "#EXTM3U\nv\n\(edited)\(variant)\(isEdited ? ",SUBTITLES=\"s\"" : "")\n\(Self.padding)")
        #expect(answer.shown == [line] && answer.limit == limit && answer.appended == (isEdited ? 1 : 0))
        #expect(answer.uneditable == uneditable && answer.firstUneditable == (uneditable > 0 ? 10 : nil))
        // Once a playlist is mixed nothing is done any more, unless it is to be done with at all.
        let mixed = "#EXTM3U\n#EXT-X-MEDIA:\n#EXTINF:1,\n\(line)\n\(line)\n\(Self.padding)"
        let read = Self.answer(ofAll: mixed)
        #expect(read.output == mixed && read.uneditable == 0 && read.limit == (isEdited ? nil : 33))
        #expect(read.shown == (isEdited ? ["!\(line)", "!\(line)"] : ["!\(line)"]))
        #expect(Self.answer(ofAll: mixed, Self.program(readsMixed: false)) == Answer(output: mixed, verdict: .mixed))
    }

    /// Nothing of another kind of playlist is shown.
    @Test func mediaPlaylists() {
        let text = "#EXTM3U\n#EXTINF:1,\n#EXT-X-DEFINE:A=1\n\(Self.padding)"
        #expect(Self.answer(ofAll: text) == Answer(output: text, verdict: .media))
    }

    /// With no attribute of its own a program appends nothing, and makes room for as much as its edits add.
    @Test func whatIsAppended() throws {
        let program = Self.program()
        let own = PlaylistRewriter(program, limits: LineLimits())
        let other = PlaylistRewriter(
            program, appending: AppendedAttribute(Self.attribute, nameLength: 9), limits: LineLimits())
        #expect(own.appendedBytes == 0 && other.appendedBytes == 14)
        #expect(try !PlaylistEdits([.drop("EXT-X-KEY"), .set("EXT-X-STREAM-INF", "A", to: "1")]).dropsVariants)
        #expect(try PlaylistEdits([.drop("EXT-X-STREAM-INF")]).dropsVariants)
    }

    /// What is done at once: up to four attributes of a tag that nobody observes, whose names are searched for.
    @Test(
        arguments: [
            (1, true), (4, true), (5, false), (0, false),
        ])
    func attributesAtOnce(_ count: Int, _ isMadeAtOnce: Bool) throws {
        let edits = (0..<count).map { PlaylistEdit.set("EXT-X-KEY", "A\($0)", to: "1") }
        func plan(_ edits: [PlaylistEdit], observing: [TagSelector] = []) throws -> EditPlan? {
            let program = try PlaylistEdits(edits, observing: observing).program
            #expect(program.editsAnyAtOnce == program.plans.contains { $0.isMadeAtOnce })
            return program.plans.first
        }
        #expect(try plan(edits)?.isMadeAtOnce ?? false == isMadeAtOnce)
        #expect(try plan(edits, observing: ["EXT-X-KEY"])?.isMadeAtOnce != true)
        #expect(try plan(edits + [.drop("EXT-X-KEY")])?.isMadeAtOnce == false)
        for (length, isSearched) in [(31, true), (32, false)] {
            let name = String(repeating: "N", count: length)
            let more = try plan(edits.dropLast() + [.remove("EXT-X-KEY", name)])
            #expect(more?.isMadeAtOnce == (isSearched && count < 5), "\(count), \(length)")
        }
        // Of several edits of one attribute the last counts, in the first one's place.
        #expect(try plan(edits + edits)?.operations.count ?? 0 == count)
    }

    @Test(
        arguments: [
            (TagName.Scope.any, [0, 1, 2, 3, 4, 5]), (.multivariant, [1, 1, 4, 3, 4, 5]), (.media, [2, 3, 2, 3, 4, 5]),
        ])
    func kindsOfDocuments(_ scope: TagName.Scope, _ after: [Int]) {
        #expect(DocumentKind.allCases.map { $0.after(scope).rawValue } == after)
        #expect(DocumentKind.allCases.map(\.isFinal) == [false, false, false, true, true, true])
        #expect(
            DocumentKind.allCases.map { Set($0.reachable) } == [
                [.undecided, .multivariant, .media, .multivariantThenMedia, .mediaThenMultivariant],
                [.multivariant, .multivariantThenMedia], [.media, .mediaThenMultivariant], [.multivariantThenMedia],
                [.mediaThenMultivariant], [.notPlaylist],
            ])
        #expect(
            DocumentKind.allCases.map(\.verdict) == [.undecided, .multivariant, .media, .mixed, .mixed, .notPlaylist])
    }

    @Test func errorsInWords() {
        #expect(
            PlaylistEditError(.value, index: 2).description
                == "edit 2: a value may not be empty, hold a line break, leave a quote open, or hold a comma outside quotes"
        )
        #expect(
            PlaylistEditError(.appendedLine, index: 0).description
                == "appended line 0: a line may not be empty nor hold a line break")
        let limit = LimitError(.longestLine, bytes: 12, position: 7)
        #expect(limit.description == "at byte 7: the line is longer than the limit of 12 bytes")
        #expect(limit.words.description == "the line is longer than the limit of 12 bytes")
        #expect(limit.limit != .heldVariables && LimitError.Limit.heldVariables != .longestURI)
        #expect(
            VariantExpressionError(.conjunction, at: 4).description == "byte 4: expected && or the end")
        #expect(
            URIEditError(.scheme, at: 3).description
                == "byte 3 of the scheme: expected a letter, then letters, digits, + - or .")
        #expect(
            URIMappingError(.baseByte, at: 3).description
                == "byte 3 of the base may not stand in a URI; percent-encode it")
        #expect(URIMappingError(.relativeBase).description.hasPrefix("the base has no scheme; give a whole URI"))
    }
}
