import ByteScan
import Delivery
import M3U8
import Sideload
import Support
import Testing
import WebVTT

@Suite struct SpellingTests {
    @Test(
        arguments: [
            ("6", 6_000_000_000), ("634.567s", 634_567_000_000), ("0.0000000019", 1), ("1:30", 90_000_000_000),
            ("90:00.5", 5_400_500_000_000),
            ("1:02:03.5", 3_723_500_000_000), ("0:00", 0), ("99999999999999:00", .max), ("1:60", nil), ("1:5", nil),
            ("1:2:03", nil), (":30", nil),
            ("1:30s", nil), ("1:1:1:11", nil), ("+1:00", nil), ("-1", nil), ("1,5", nil), ("", nil), ("s", nil),
            (":", nil), ("1:", nil), ("1:.5", nil),
            ("99999999999999999999:00", nil),
        ] as [(String, UInt64?)])
    func readsTimes(_ text: String, _ nanoseconds: UInt64?) {
        let bytes = GuardedBytes(Array(text.utf8))
        #expect(unsafe DecimalSeconds(clock: ByteView(bytes.buffer))?.nanoseconds == nanoseconds)
    }

    @Test(
        arguments: [
            ("126000", TimestampMap(mpegTS: 126_000), nil), ("0", TimestampMap(mpegTS: 0), nil),
            ("8589934591", TimestampMap(mpegTS: 8_589_934_591), nil),
            ("0:00:01.500", TimestampMap(mpegTS: 0, local: Timestamp(milliseconds: 1500)), nil),
            ("8589934592", nil, .ticks),
            ("99999999999999999999999", nil, .ticks), ("", nil, .ticks), (":00:01.000", nil, .ticks),
            ("a", nil, .ticks), ("-1", nil, .ticks),
            ("1:", nil, .local), ("1:2", nil, .local), ("1:00:01.000 ", nil, .local),
        ] as [(String, TimestampMap?, TimestampMapFault?)])
    func readsMaps(_ text: String, _ map: TimestampMap?, _ fault: TimestampMapFault?) {
        let bytes = GuardedBytes(Array(text.utf8))
        do {
            #expect(try unsafe TimestampMap(spelling: ByteView(bytes.buffer)) == map)
            #expect(fault == nil)
        } catch {
            #expect(error == fault)
        }
    }

    @Test(
        arguments: [
            ("medai", 1), ("media", 1), ("tracks", 0), ("track", 0), ("trcaks", 0), ("tra", 0), ("tr", nil),
            ("zzzzzzzz", nil), ("ke", 2), ("kx", nil), ("", nil),
        ] as [(String, Int?)])
    func findsTheNearestName(_ word: String, _ index: Int?) {
        let names = ["tracks", "media", "key"].map { Array($0.utf8) }
        #expect(NearestName.index(of: Array(word.utf8), among: names) == index)
    }
}
