import ByteScan
import Drivers
import Support
import Testing

@testable import M3U8

@Suite struct VariantExpressionTests {
    private static let attributes =
        "BANDWIDTH=3000000,AVERAGE-BANDWIDTH=02500000,RESOLUTION=1280x720,FRAME-RATE=29.970,CODECS=\"avc1,mp4a\","
        + "VIDEO-RANGE=SDR,AUDIO=\"aac\",SCORE=1.50,NAME=\"720\",X-EMPTY=\"\""

    @Test(arguments: [
        "BANDWIDTH==3000000", "BANDWIDTH==3000000.0", "BANDWIDTH==003000000", "BANDWIDTH<=3000000",
        "BANDWIDTH>=3000000",
        "BANDWIDTH<3000000.0001", "BANDWIDTH>2999999.999", "BANDWIDTH<10000000", "BANDWIDTH>999999", "BANDWIDTH!=1",
        "BANDWIDTH<99999999999999999999999999", "AVERAGE-BANDWIDTH==2500000", "FRAME-RATE==29.97", "FRAME-RATE<30",
        "FRAME-RATE>29.9699", "FRAME-RATE>29.9", "FRAME-RATE<29.9700001", "SCORE==1.5", "SCORE>.5", "SCORE<2.",
        "RESOLUTION==720", "RESOLUTION>=720", "RESOLUTION<721", "RESOLUTION!=1080", "RESOLUTION==1280x720",
        "RESOLUTION!=1281x720", "RESOLUTION<=1280x720", "RESOLUTION<1281x720", "RESOLUTION>1279x720",
        "RESOLUTION>3840x719", "RESOLUTION<1x721", "VIDEO-RANGE==SDR", "VIDEO-RANGE==\"SDR\"", "VIDEO-RANGE!=PQ",
        "CODECS==avc1,mp4a", "CODECS==\"avc1,mp4a\"", "CODECS!=\"avc1\"", "NAME==720", "NAME==\"720\"", "NAME==720.0",
        "X-EMPTY==\"\"", "HDCP-LEVEL!=NONE", "HDCP-LEVEL!=5", "VIDEO-RANGE!=5", "RESOLUTION!=HD", "BANDWIDTH!=1x1",
        " BANDWIDTH\t<= 3000000  &&RESOLUTION>=720&&CODECS==\"avc1,mp4a\" ", "AUDIO==aac",
    ])
    func holds(_ text: String) throws { #expect(try verdict(text)) }

    @Test(arguments: [
        "BANDWIDTH!=3000000", "BANDWIDTH<3000000", "BANDWIDTH>3000000", "BANDWIDTH==300000", "BANDWIDTH>=3000000.1",
        "BANDWIDTH<=999999", "BANDWIDTH>10000000", "FRAME-RATE>29.97", "FRAME-RATE<29.9", "FRAME-RATE==29",
        "RESOLUTION>720", "RESOLUTION==1280", "RESOLUTION==1280x721", "RESOLUTION>1280x720", "RESOLUTION<=1279x720",
        "VIDEO-RANGE==sdr", "CODECS==avc1", "HDCP-LEVEL==NONE", "HDCP-LEVEL<5", "HDCP-LEVEL>=0", "VIDEO-RANGE<5",
        "VIDEO-RANGE==5", "BANDWIDTH==1x1", "BANDWIDTH<=1x1", "NAME==\"720.0\"", "ANDWIDTH==3000000", "X-EMPTY==0",
        "BANDWIDTH==3000000&&RESOLUTION>720", "RESOLUTION>720&&BANDWIDTH==3000000", "RESOLUTION==HD",
    ])
    func doesNotHold(_ text: String) throws { #expect(try !verdict(text)) }

    @Test func otherStreamsAreNotAskedForWhatOnlyVariantsHave() throws {
        for name in ["FRAME-RATE", "AUDIO", "SUBTITLES", "CLOSED-CAPTIONS"] {
            #expect(try verdict("\(name)==5&&BANDWIDTH==1", tag: .iFrameStreamInf, "BANDWIDTH=1,\(name)=6"))
            #expect(try verdict("\(name)==5", tag: .imageStreamInf, "BANDWIDTH=1"))
            #expect(try !verdict("\(name)==5", "BANDWIDTH=1"))
        }
        #expect(try !verdict("FRAME-RATE==5&&BANDWIDTH==2", tag: .iFrameStreamInf, "BANDWIDTH=1"))
        #expect(try !verdict("CODECS==x", tag: .iFrameStreamInf, "BANDWIDTH=1"))
    }

    @Test(arguments: [
        ("", VariantExpressionError.Reason.name, 0), ("  ", .name, 2), ("<5", .name, 0),
        ("bandwidth<5", .name, 0), ("A<5&&", .name, 5), ("A<5&& &&B<5", .name, 6),
        ("A", .comparison, 1), ("A=5", .comparison, 1), ("A !5", .comparison, 2),
        ("A 5", .comparison, 2), ("A<", .value, 2), ("A< ", .value, 3),
        ("A<&&B<5", .value, 2), ("A==\"x", .value, 3), ("A<5 B<5", .conjunction, 4),
        ("A<5&B<5", .conjunction, 3), ("A<5 || B<5", .conjunction, 4),
        ("A==\"x\"y", .conjunction, 6), ("A<x", .orderOfText, 2),
        ("A <= \"5\"", .orderOfText, 5),
        ("A>=-5", .orderOfText, 3), ("A>=5>", .orderOfText, 3),
    ])
    func refuses(_ text: String, _ reason: VariantExpressionError.Reason, _ position: Int) {
        #expect(throws: VariantExpressionError(reason, at: position)) { try VariantExpression(Array(text.utf8)) }
    }

    /// What a search says by itself of whole numbers and sizes, of which the height counts; nil of anything else.
    @Test(
        arguments: [
            ("720", true), ("721", false), ("0720", true), ("0", true), ("1920x720", true), ("1x721", false),
            ("1x0", true),
            ("x720", nil), ("1x", nil), ("1x2x3", nil), ("", nil), ("x", nil), ("a", nil), ("7a", nil), ("1.5", nil),
            ("-1", nil), ("720 ", nil), ("1X720", nil),
            ("999999999999999999", false), ("9999999999999999999", nil), ("000000000000000720", true),
            ("0000000000000000720", nil), ("999999999999999999x720", true), ("9999999999999999999x720", nil),
            ("1x999999999999999999", false), ("1x9999999999999999999", nil), ("1x000000000000000720", true),
        ] as [(String, Bool?)])
    func searches(_ content: String, _ isAtMost720: Bool?) throws {
        func holds(_ text: String) throws -> Bool? {
            let search = try #require(try VariantExpression(Array("A\(text)".utf8)).comparisons.first?.search)
            return Array(content.utf8).withView { search.holds(for: $0) }
        }
        #expect(try holds("<=720") == isAtMost720 && holds(">720") == isAtMost720.map { !$0 })
        let isSame = isAtMost720.map { $0 && content.hasSuffix("720") }
        #expect(try holds("==720") == isSame && holds("!=720") == isSame.map { !$0 })
        #expect(try holds("<720") == isAtMost720.map { $0 && !content.hasSuffix("720") })
        #expect(try holds(">=720") == isAtMost720.map { !$0 || content.hasSuffix("720") })
        // No other values are searched for.
        for other in ["<720.5", "<9999999999999999999", "==1x720", "==\"720\"", "==a"] {
            #expect(try holds(other) == nil)
        }
    }

    /// Names of 31 bytes at most are searched for.
    @Test func longNamesAreNotSearchedFor() throws {
        for (count, isSearched) in [(31, true), (32, false)] {
            let name = [UInt8](repeating: 0x41, count: count)
            let comparison = try #require(try VariantExpression(name + Array("<5".utf8)).comparisons.first)
            #expect((comparison.search != nil) == isSearched)
        }
    }

    /// What is told at once of a list, and where its line ends.
    @Test(
        arguments: [
            ("A<=2", ":A=1,B=2\n", true, true), ("A<=2", ":A=3\n", true, false), ("A<=2", ":B=1\n", true, false),
            ("A!=2", ":B=1\n", true, true), ("A<=2&&B==x", ":A=1,B=\"x\"\n", true, true),
            ("A<=2&&B==x", ":A=1,B=\"y\"\n", true, false), ("A<=2&&B==x", ":A=1,B=x\n", true, true),
            ("A<=2", ":A=1 ,B=2\n", true, nil), ("A<=2", ":A=1,A=1\n", true, nil), ("A<=2", ":A=1", true, nil),
            ("AUDIO==x", ":A=1\n", true, false), ("AUDIO==x", ":A=1\n", false, nil),
            ("AUDIO==x&&A<=2", ":A=1\n", false, true), ("A<=2&&AUDIO==x", ":A=3\n", false, false),
            ("AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA<5", ":A=1\n", true, nil),
        ] as [(String, String, Bool, Bool?)])
    func judges(_ text: String, _ list: String, _ isStream: Bool, _ isKept: Bool?) throws {
        let expression = try VariantExpression(Array(text.utf8))
        let bytes = GuardedBytes(Array("##\(list)\(String(repeating: "x", count: 120))".utf8))
        let judged = expression.judge(ByteView(bytes.buffer), from: 2, isStream: isStream)
        #expect(judged?.isKept == isKept && judged?.lineEnd == isKept.map { _ in 1 + list.utf8.count })
    }

    @Test func namesInOrder() throws {
        let names = try VariantExpression(Array("B<5 && A==x && B>1".utf8)).attributeNames
        #expect(names == ["B", "A", "B"].map { Array($0.utf8) })
    }

    /// Whether `text` holds for a line of `tag` with `attributes`.
    private func verdict(
        _ text: String, tag: TagName = .streamInf, _ attributes: String = attributes
    ) throws -> Bool {
        let expression = try VariantExpression(Array(text.utf8))
        var verdicts: [Bool] = []
        let selector = TagSelector(tag)
        let input = Array("#EXTM3U\n#".utf8) + selector.spelling + Array(":\(attributes)\n".utf8)
        let edits = try PlaylistEdits([], observing: [selector])
        _ = RewriterRun.output(of: edits, input, [0..<input.count]) { line, _ in
            verdicts.append(expression.holds(for: line))
        }
        #expect(verdicts.count == 1)
        return verdicts == [true]
    }
}
