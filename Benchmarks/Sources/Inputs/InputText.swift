/// Text that grows line by line.
public struct InputText: Sendable {
    /// The UTF-8 bytes so far.
    public private(set) var bytes: [UInt8] = []

    /// Text with nothing in it, and room for `byteCount` bytes and a little more.
    init(byteCount: Int) { bytes.reserveCapacity(byteCount + 1024) }

    /// How many bytes there are so far.
    var count: Int { bytes.count }

    /// Appends a line and a line feed.
    mutating func line(_ line: InputLine) {
        bytes.append(contentsOf: line.bytes)
        bytes.append(UInt8(ascii: "\n"))
    }

    /// Appends bytes as they are.
    mutating func append(_ more: some Collection<UInt8>) { bytes.append(contentsOf: more) }
}

/// One line, written as a string literal with numbers in it: `"seg/\(n, width: 4).m4s"`.
///
/// It goes straight to bytes. A file of 10 MB has a third of a million lines, and valgrind, under which the inputs are made
/// too, takes fifty times as long over each.
struct InputLine: ExpressibleByStringInterpolation {
    struct StringInterpolation: StringInterpolationProtocol {
        typealias StringLiteralType = StaticString

        var bytes: [UInt8] = []

        init(literalCapacity: Int, interpolationCount: Int) {
            bytes.reserveCapacity(literalCapacity + 20 * interpolationCount)
        }

        mutating func appendLiteral(_ literal: StaticString) {
            literal.withUTF8Buffer { bytes.append(contentsOf: $0) }
        }

        mutating func appendInterpolation(_ text: String) { bytes.append(contentsOf: text.utf8) }

        /// A number in decimal, with zeros before it up to `width` digits.
        mutating func appendInterpolation(_ number: Int, width: Int = 1) {
            append(UInt64(number.magnitude), radix: 10, width: width)
        }

        /// The lowest 4 × `width` bits of a number in hexadecimal.
        mutating func appendInterpolation(hex number: UInt64, width: Int) {
            append(width < 16 ? number & ((1 << UInt64(4 * width)) - 1) : number, radix: 16, width: width)
        }

        /// A number of units of 10 to the power of −`digits`, with a point: 29970, 3 gives `29.970`.
        mutating func appendInterpolation(_ number: Int, fraction digits: Int) {
            var unit = 1
            for _ in 0..<digits { unit *= 10 }
            appendInterpolation(number / unit)
            bytes.append(UInt8(ascii: "."))
            appendInterpolation(number % unit, width: digits)
        }

        /// A time in milliseconds as WebVTT writes it: `00:00:03.952`; SubRip has a comma.
        mutating func appendInterpolation(timestamp time: Int, _ separator: StaticString = ".") {
            appendInterpolation(time / 3_600_000, width: 2)
            appendLiteral(":")
            appendInterpolation(time / 60_000 % 60, width: 2)
            appendLiteral(":")
            appendInterpolation(time / 1_000 % 60, width: 2)
            appendLiteral(separator)
            appendInterpolation(time % 1_000, width: 3)
        }

        private mutating func append(_ number: UInt64, radix: UInt64, width: Int) {
            let start = bytes.count
            var left = number
            while left > 0 || bytes.count - start < width {
                let digit = UInt8(left % radix)
                bytes.append(digit < 10 ? UInt8(ascii: "0") + digit : UInt8(ascii: "a") + digit - 10)
                left /= radix
            }
            bytes[start...].reverse()
        }
    }

    let bytes: [UInt8]

    init(stringLiteral literal: StaticString) { bytes = literal.withUTF8Buffer { Array($0) } }
    init(stringInterpolation: StringInterpolation) { bytes = stringInterpolation.bytes }
}
