import Testing

@testable import surtitle

/// What a playlist refers to, as far as it can be read.
@Suite struct PlaylistReferenceTests {
    @Test(
        arguments: [
            ("a", "m", .file("a")), ("a", "d/e/m", .file("d/e/a")), ("../a", "/d/m", .file("/d/../a")),
            ("a?b#c", "m", .file("a")),
            ("./a%20b", "d/m", .file("d/a b")), ("..", "d/m", nil), ("a/..", "m", nil), ("a/", "m", nil),
            ("", "m", nil),
            ("/a", "m", nil), ("//h/a", "m", nil), ("file:a", "m", nil), ("a", "-", nil),
            ("http://h/a", "m", .web("http://h/a")),
            ("http://h/a", "-", .web("http://h/a")), ("a", "http://h/d/m?q", .web("http://h/d/a")),
            ("/a", "https://h/d/m", .web("https://h/a")), ("file:///a", "http://h/m", nil),
            ("../a", "http://h/m", .web("http://h/a")),
        ] as [(String, String, PlaylistReference?)])
    func references(_ uri: String, _ place: String, _ found: PlaylistReference?) {
        #expect(PlaylistReference(uri, in: place) == found)
        if case .file(let path) = found {
            #expect(LocalReference.path(uri, in: place) == path)
        } else {
            #expect(LocalReference.path(uri, in: place) == nil)
        }
    }

    @Test(arguments: [
        ("a.b.c", "a.b"), ("a", "a"), ("a.", "a"), (".vtt", ".vtt"), ("..a", "."), ("", ""), ("a.e\u{301}", "a"),
    ])
    func extensionsAreTakenOff(_ name: String, _ stem: String) {
        #expect(URIPath.Component(encoded: name).withoutExtension.encoded == stem)
    }
}
