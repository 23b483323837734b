import ByteScan
import M3U8
import Support
import Testing

@Suite struct URISyntaxTests {
    /// What a step of a path calls a file.
    @Test(arguments: [
        ("sv", "sv"), ("sv%20x.vtt", "sv x.vtt"), ("%C3%A5", "å"), ("...", "..."), ("%2Ehidden", ".hidden"),
        ("a%01", "a\u{1}"),
    ])
    func fileName(_ step: String, _ name: String) {
        #expect(Array(step.utf8).withView(URISyntax.fileName) == Array(name.utf8))
    }

    @Test(arguments: ["", ".", "..", "%2e", "%2E.", "a%2Fb", "a/b", "a%00", "%00", "a%FF"])
    func noFile(_ step: String) {
        #expect(Array(step.utf8).withView(URISyntax.fileName) == nil)
    }
}
