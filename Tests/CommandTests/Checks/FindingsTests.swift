import M3U8
import Testing

@testable import surtitle

/// What a check has found, as sentences and as numbers.
@Suite struct FindingsTests {
    @Test func sentencesNameFileAndPlace() {
        let findings = Findings()
        findings.broken("a", LineLocation(position: 8, number: 2), "b")
        findings.doubtful("a", nil, "c")
        findings.add(false, "d", LineLocation(position: 0, number: 1), "e")
        #expect(findings.sentences == ["a: line 2, at byte 8: b", "note: a: c", "note: d: line 1, at byte 0: e"])
        #expect(findings.brokenCount == 1)
    }

    /// A file gets 20 sentences. What is broken is counted in any case, and notes are not.
    @Test func aFileGetsSoManySentences() {
        let findings = Findings()
        for _ in 0..<19 { findings.broken("a", nil, "x") }
        findings.doubtful("a", nil, "20")
        #expect(findings.sentences.count == 20 && findings.sentences.last == "note: a: 20")
        #expect(findings.summary(of: "p").hasSuffix(": 19 broken"))
        findings.broken("a", nil, "21")
        findings.doubtful("a", nil, "22")
        findings.broken("a", nil, "23")
        #expect(findings.sentences.count == 20)
        #expect(findings.summary(of: "p").hasSuffix(": 21 broken, 2 of them not listed"))
        findings.doubtful("b", nil, "x")
        #expect(findings.sentences.last == "note: b: x")
    }

    @Test(arguments: [
        (0, 0, 0, "p: 0 playlists, 0 files of subtitles, 0 references: nothing is broken"),
        (1, 1, 1, "p: 1 playlist, 1 file of subtitles, 1 reference: nothing is broken"),
        (2, 3, 4, "p: 2 playlists, 3 files of subtitles, 4 references: nothing is broken"),
    ])
    func theSummaryCounts(_ playlists: Int, _ files: Int, _ references: Int, _ summary: String) {
        let findings = Findings()
        (findings.playlists, findings.files, findings.references) = (playlists, files, references)
        #expect(findings.summary(of: "p") == summary)
    }

    @Test func longReferencesAreShortened() {
        let longest = String(repeating: "é", count: 120)
        #expect(Findings.excerpt("") == "" && Findings.excerpt(longest) == longest)
        #expect(Findings.excerpt(longest + "é") == longest + "…")
    }
}
