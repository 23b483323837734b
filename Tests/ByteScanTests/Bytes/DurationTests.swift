import ByteScan
import Testing

@Suite struct DurationTests {
    @Test(
        arguments: [
            (Duration.zero, 0), (.nanoseconds(1), 1), (.milliseconds(1500), 1_500_000_000), (.nanoseconds(-1), nil),
            (Duration(secondsComponent: 0, attosecondsComponent: 999_999_999), nil),
            (Duration(secondsComponent: 18_446_744_073, attosecondsComponent: 709_551_615_000_000_000), UInt64.max),
            (Duration(secondsComponent: 18_446_744_073, attosecondsComponent: 709_551_616_000_000_000), nil),
        ] as [(Duration, UInt64?)])
    func nanosecondsAreExactOrNone(_ duration: Duration, _ nanoseconds: UInt64?) {
        #expect(duration.exactNanoseconds == nanoseconds)
    }
}
