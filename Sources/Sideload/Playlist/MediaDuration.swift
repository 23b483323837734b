internal import ByteScan
// One import is enough for who makes a duration.
@_exported public import struct M3U8.DecimalSeconds

/// How long some media plays, exact to the nanosecond.
public typealias MediaDuration = DecimalSeconds

// How a subtitle playlist writes it.
extension DecimalSeconds {
    /// Writes the duration in seconds, with three decimals, or as many as make it exact.
    func write(to text: inout ReusableBuffer<UInt8>) {
        guard nanosecondRest == 0 else { return text.append(contentsOf: spelling(decimals: 3)) }
        let (seconds, thousandths) = UInt64(milliseconds).quotientAndRemainder(dividingBy: 1000)
        if seconds < 10 {
            text.append(ASCII.zero &+ UInt8(truncatingIfNeeded: seconds))
        } else {
            text.append(contentsOf: DecimalDigits(seconds))
        }
        text.append(ASCII.period)
        text.append(ASCII.zero &+ UInt8(truncatingIfNeeded: thousandths / 100))
        text.append(ASCII.zero &+ UInt8(truncatingIfNeeded: thousandths / 10 % 10))
        text.append(ASCII.zero &+ UInt8(truncatingIfNeeded: thousandths % 10))
    }

    /// The whole seconds that cover it, at least 1.
    var secondsRoundedUp: UInt64 { Swift.max(1, seconds(roundedUpFrom: 1)) }

    /// The nearest whole number of seconds; half a second is rounded up.
    var secondsRounded: UInt64 { seconds(roundedUpFrom: 500_000_000) }

    /// The whole seconds, and one more if what is beyond them has at least so many nanoseconds.
    private func seconds(roundedUpFrom least: UInt64) -> UInt64 {
        let (seconds, rest) = nanoseconds.quotientAndRemainder(dividingBy: 1_000_000_000)
        return seconds + (rest >= least ? 1 : 0)
    }
}
