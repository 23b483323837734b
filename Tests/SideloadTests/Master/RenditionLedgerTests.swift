import ByteScan
import M3U8
import Support
import Testing

@testable import Sideload

/// What a playlist's own words may make the ledger hold.
@Suite struct RenditionLedgerTests {
    /// A line of 64 KB asks for 16,000 times 60 KB: of values nothing more is put in once there is more than the limit.
    @Test func valuesThatArePutInAreLimited() {
        var ledger = RenditionLedger()
        let value = [UInt8](repeating: UInt8(ascii: "x"), count: 60_000)
        value.withView { ledger.variables.add(ByteView("a"), $0) }
        let references = Array(String(repeating: "{$a}", count: 16_000).utf8)
        let before = ledger.text.count
        for limit in [0, 1, 59_999, 60_000, 1 << 20] {
            let resolved = references.withUnsafeBytes { unsafe ledger.resolve(ByteView($0), upTo: limit) }
            #expect(ledger.text.count == before + resolved.count)
            let uses = limit / value.count + 1
            #expect(resolved.count == uses * value.count, "limit \(limit)")
            ledger.rollBack()
            #expect(ledger.text.count == before)
        }
    }
}
