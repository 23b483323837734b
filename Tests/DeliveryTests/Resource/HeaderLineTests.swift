import Testing

@testable import Delivery

/// Lines of headers: what a name may have, and whose it is.
struct HeaderLineTests {
    @Test func whatANameMayHave() {
        let letters = "abcdefghijklmnopqrstuvwxyz"
        let expected = Set("!#$%&'*+-.^_`|~0123456789\(letters)\(letters.uppercased())".utf8)
        for byte in UInt8.min...UInt8.max { #expect(HeaderLine.isNameByte(byte) == expected.contains(byte), "\(byte)") }
    }

    @Test func namesAreOneInAnyCase() {
        #expect(HeaderLine("RANGE", "a").isNamed("Range") && !HeaderLine("Range ", "a").isNamed("Range"))
        #expect(HeaderLine("A", "b") == HeaderLine(Array("A".utf8), Array("b".utf8)))
    }
}
