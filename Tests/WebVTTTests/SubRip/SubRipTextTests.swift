import ByteScan
import Support
import Testing

@testable import WebVTT

@Suite struct SubRipTextTests {
    /// A line of SubRip and the cue text it becomes.
    static let lines: [(String, String)] = [
        ("Hello", "Hello"),
        ("  Hello \t", "  Hello"),
        ("<b>a</b> <i>b</i> <u>c</u>", "<b>a</b> <i>b</i> <u>c</u>"),
        ("<B>a</B> <I >b</I > <u class=\"x\">c", "<b>a</b> <i>b</i> <u>c"),
        ("<i/>a<b/ >b", "<i>a<b>b"),
        ("<font color=\"#ffff00\" size=14>a</font>b", "ab"),
        ("<FONT COLOR=red>a</Font>", "a"),
        ("<br><span x>a</span><bold>b<ii>c<script>", "abc"),
        ("<v Fred>a <c.x>b <lang en>c <ruby>d", "a b c d"),
        ("1 < 2 <3 <- <", "1 &lt; 2 &lt;3 &lt;- &lt;"),
        ("<00:00:01.000>a", "&lt;00:00:01.000>a"),
        ("<i a <b>c", "&lt;i a <b>c"),
        ("<<i>i>", "&lt;<i>i>"),
        ("<!-- x --> y", "&lt;!-- x --&gt; y"),
        ("</>", "&lt;/>"),
        (">> a -> b => c", ">> a -> b => c"),
        ("-->", "--&gt;"),
        ("--->-->>", "---&gt;--&gt;>"),
        ("--<font>> a", "--&gt; a"),
        ("-{\\i1}-{\\i0}>", "--&gt;"),
        ("--<b>>", "--<b>>"),
        ("a & b &amp; &lt; &gt; &nbsp; &lrm; &rlm;", "a &amp; b &amp; &lt; &gt; &nbsp; &lrm; &rlm;"),
        ("&quot; &#39; &AMP; &amp &", "&amp;quot; &amp;#39; &amp;AMP; &amp;amp &amp;"),
        ("&<i>amp;", "&amp;<i>amp;"),
        ("{\\i1}a{\\pos(1,2)\\c&H00&}b{\\an8}", "ab"),
        ("{b} {\\ {\\x {\\i}", "{b} {\\ {\\x "),
        ("{\\", "{\\"),
        ("}{a}\\N", "}{a}"),
        ("a\\Nb \\n c", "a\nb\n c"),
        ("\\N \\Na\\N", "a"),
        ("a\\b\\h\\", "a\\b\\h\\"),
        ("{\\i1\\N}a<x \\N>b--\\N>", "ab--\n>"),
        ("< i>a</ i> < b >c< / B > <\tu\t>d< /u>", "<i>a</i> <b>c</b> <u>d</u>"),
        ("< i class=x> < font> < / < i/> <", "&lt; i class=x> &lt; font> &lt; / &lt; i/> &lt;"),
        ("<I>a</I>", "<i>a</i>"),
        ("{y:i}a", "<i>a</i>"),
        ("x {y:b,i}a ", "x <b><i>a</i></b>"),
        ("{y:i}a{y: bi ,U}c", "<i>a<b><u>c</u></b></i>"),
        ("{y:b,i}a{y:i}b{y:b}c", "<b><i>abc</i></b>"),
        ("{y:i} \\N{Y:b}a\\Nb", "<b>a</b>\n<b>b</b>"),
        ("{y:i}a\\N{y:B}b", "<i>a</i>\n<b>b</b>"),
        ("a {y:i} ", "a <i></i>"),
        ("{y:s}a{y:}b{y:x}c{y:i", "a{y:}b{y:x}c{y:i"),
        ("{y:i}--{y:b}>{y:u}-->", "<i>--<b>><u>--&gt;</u></b></i>"),
        ("<\u{301}b>é字🎬", "&lt;\u{301}b>é字🎬"),
        ("a\0b", "a\u{FFFD}b"),
    ]

    @Test(arguments: lines)
    func line(line: String, text: String) {
        let head = "WEBVTT\n\n00:00:00.000 --> 00:00:01.000\n~\n"
        let file = Array("0:0 --> 0:1\n~\n\(line)".utf8)
        let run = SubRipRun(checking: file)
        #expect(run.brokenArrowCount == 0)
        let trimmed = text.hasSuffix(" ") ? String(text.dropLast()) : text
        #expect(String(decoding: run.output, as: UTF8.self) == head + trimmed + "\n")
        #expect(NaiveSubRip.transcode(file) == run.output)
    }

    /// What the text begins with, and the settings that the timing line gets.
    static let alignments: [(String, String)] = [
        ("{\\an1}", "position:5% align:left"),
        ("{\\an2}", ""),
        ("{\\an3}", "position:95% align:right"),
        ("{\\an4}", "line:45% position:5% align:left"),
        ("{\\an5}", "line:45%"),
        ("{\\an6}", "line:45% position:95% align:right"),
        ("{\\an7}", "line:0 position:5% align:left"),
        ("{\\an8}", "line:0"),
        ("{\\an9}", "line:0 position:95% align:right"),
        (" \t{\\an8}", "line:0"),
        ("{\\an8\\i1}", "line:0"),
        ("{\\i1\\an8}", "line:0"),
        ("{\\i1}{\\an8}", "line:0"),
        ("{\\an8}{\\an1}", "line:0"),
        ("{\\an0}{\\an8}", "line:0"),
        ("{\\an0}", ""), ("{\\an10}", ""), ("{\\an}", ""), ("{\\a8}", ""), ("{\\}", ""), ("{an8}", ""),
        ("{\\an8", ""), ("{\\an8 ", ""), ("{ \\an8}", ""), ("{\\i1} {\\an8}", ""), ("x{\\an8}", ""),
    ]

    @Test(arguments: alignments)
    func alignment(start: String, settings: String) throws {
        let file = Array("0:0 --> 0:1\n\(start)text".utf8)
        let run = SubRipRun(checking: file)
        #expect(try #require(NaiveCues.cues(in: run.output)).map(\.settings) == [settings])
        #expect(NaiveSubRip.transcode(file) == run.output)
    }

    @Test func workIsProportionalToTheLength() {
        // Each of these would take minutes if every opening looked for its end through the rest of the line.
        for piece in ["<a", "{\\", "{\\an8 ", "&", "--", "<font <", "< ", "{y:", "{y:i,", "{Y:u}", "\\N"] {
            let file = Array(("0:0 --> 0:1\n" + String(repeating: piece, count: 60_000)).utf8)
            let run = file.withUnsafeBytes {
                SubRipRun($0, ranges: [0..<file.count], limits: SubRipLimits(longestLine: 1 << 20))
            }
            #expect(run.cueCount == 1)
        }
    }
}
