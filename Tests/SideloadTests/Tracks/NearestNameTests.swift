import Sideload
import Testing

/// What a mistyped word may have been meant to be.
@Suite struct NearestNameTests {
    private static let names = [
        "uri", "type", "language", "name", "default", "sdh", "no", "a", "assoc-language", "ab1x", "ab2x",
    ]

    @Test(
        arguments: [
            ("uri", "uri"), ("urn", "uri"), ("ur", "uri"), ("urix", "uri"), ("rui", "uri"), ("xyi", nil),
            ("xuriy", nil),
            ("languag", "language"), ("lagnuaeg", "language"), ("langxxge", "language"), ("lanxxxge", nil),
            ("languagexx", "language"), ("languagexxx", nil), ("tpye", "type"), ("ty", "type"), ("t", nil),
            ("nm", "no"), ("nam", "name"),
            // Half of its letters at most: of two one, of one none.
            ("on", "no"), ("n", "no"), ("b", nil), ("a", "a"),
            // Of names as near the first.
            ("ab3x", "ab1x"), ("ab2y", "ab2x"),
            // Cut short: three letters tell, of which hyphens are none.
            ("lan", "language"), ("la", nil), ("def", "default"), ("de", nil), ("assoc", "assoc-language"),
            ("as-", nil), ("ass", "assoc-language"), ("", nil), ("zzz", nil),
        ] as [(String, String?)])
    func nearest(_ word: String, _ name: String?) {
        let index = NearestName.index(of: Array(word.utf8), among: Self.names.map { Array($0.utf8) })
        #expect(index.map { Self.names[$0] } == name)
    }
}
