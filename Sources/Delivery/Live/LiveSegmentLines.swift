internal import ByteScan

/// What changes little from one segment to the next.
struct LiveSegmentLines {
    /// `#EXTINF:6.006,` and a line feed, and of what.
    private var durationLine = ShortText()
    private var duration: (nanoseconds: Int64, digits: UInt8) = (-1, 0)
    /// `17.vtt` and a line feed, and of which number.
    private var nameLine = ShortText()
    private var number: UInt64?

    mutating func duration(_ nanoseconds: Int64, _ digits: UInt8) -> ShortText {
        if duration != (nanoseconds, digits) {
            duration = (nanoseconds, digits)
            durationLine = ShortText()
            durationLine.append("#EXTINF:")
            LiveVersion.write(nanoseconds, digits: Int(digits), to: &durationLine)
            durationLine.append(",\n")
        }
        return durationLine
    }

    mutating func name(_ next: UInt64) -> ShortText {
        let ending: StaticString = ".vtt\n"
        if let number, next == number + 1, nameLine.countUp(before: ending.utf8CodeUnitCount) {
            self.number = next
        } else {
            number = next
            nameLine = ShortText()
            nameLine.append(digits: next)
            nameLine.append(ending)
        }
        return nameLine
    }
}

/// A text of up to 32 bytes, without memory of its own; what does not fit is left out.
struct ShortText: ByteSink {
    private var words: (UInt64, UInt64, UInt64, UInt64) = (0, 0, 0, 0)
    private var count = 0

    mutating func append(_ byte: UInt8) {
        unsafe withUnsafeMutableBytes(of: &words) { bytes in
            guard count < bytes.count else { return }
            unsafe bytes[count] = byte
            count &+= 1
        }
    }

    mutating func append(_ bytes: ByteView) { for offset in 0..<bytes.count { append(bytes[offset]) } }

    /// Makes the number that ends so many bytes before the end one more, if it has as many digits then.
    mutating func countUp(before ending: Int) -> Bool {
        unsafe withUnsafeMutableBytes(of: &words) { bytes in
            var offset = count &- ending
            while offset > 0 {
                offset &-= 1
                if unsafe bytes[offset] != UInt8(ascii: "9") {
                    unsafe bytes[offset] &+= 1
                    return true
                }
                unsafe bytes[offset] = ASCII.zero
            }
            return false
        }
    }

    func withView(_ body: (ByteView) -> Void) {
        unsafe withUnsafeBytes(of: words) { unsafe body(ByteView(UnsafeRawBufferPointer(rebasing: $0[..<count]))) }
    }
}
