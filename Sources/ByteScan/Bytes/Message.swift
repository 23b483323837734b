// What errors and plans say of themselves, made of bytes, so that C, the browser and Embedded Swift get the words that
// `description` has.
//
//     case .blockTooLong(let limit): "the block is longer than the limit of \(limit) bytes; break it up"
//
// A literal stands as it is. What is put into it may come from anywhere, so bytes are escaped and cut short here, and
// nowhere else.

/// Words for people, in UTF-8 and without a line break.
public struct Message: Equatable, ExpressibleByStringInterpolation, StringInterpolationProtocol, Sendable {
    /// The most bytes that a value puts into a message: a URL, a key. An ellipsis stands for the rest.
    package static var longestValue: Int { 1024 }

    /// The words.
    public private(set) var bytes: [UInt8] = []

    /// A message of fixed words.
    public init(stringLiteral words: StaticString) { appendLiteral(words) }

    /// A message of fixed words.
    package init(_ words: StaticString) { appendLiteral(words) }

    /// The message that `interpolation` has become.
    public init(stringInterpolation interpolation: Message) { self = interpolation }

    /// A message without words yet, for the compiler.
    public init(literalCapacity: Int, interpolationCount: Int) {}

    /// A text of any length, with escapes in place of control characters, line breaks, and what turns the direction of
    /// text.
    package init(escaping text: String) { text.withView { append($0) } }

    /// Adds fixed words.
    public mutating func appendLiteral(_ words: StaticString) { bytes += ByteView(words) }

    /// Adds a number in decimal.
    public mutating func appendInterpolation(_ number: Int) {
        if number < 0 { bytes.append(UInt8(ascii: "-")) }
        bytes += DecimalDigits(UInt64(number.magnitude))
    }

    /// Adds another message.
    public mutating func appendInterpolation(_ message: Message) { bytes += message.bytes }

    /// Adds what `described` says of itself.
    public mutating func appendInterpolation(_ described: some Described) { bytes += described.message.bytes }

    /// Adds a value in UTF-8: what is invalid becomes U+FFFD.
    public mutating func appendInterpolation(_ value: [UInt8]) { append(value) }

    /// Adds a value in UTF-8 between quotes, with backslashes before those that it has.
    public mutating func appendInterpolation(quoted value: [UInt8]) {
        bytes.append(ASCII.quote)
        append(value, isQuoted: true)
        bytes.append(ASCII.quote)
    }

    @inline(never)
    private mutating func append(_ value: [UInt8], isQuoted: Bool = false) {
        let count = value.countOfCharacters(within: Self.longestValue)
        value.withView { append($0.prefix(upTo: count), isQuoted: isQuoted) }
        if count < value.count { appendLiteral("…") }
    }

    /// Adds a text of any length, with escapes such as `\u{202E}` in it.
    private mutating func append(_ text: ByteView, isQuoted: Bool = false) {
        var start = 0
        while start < text.count {
            let (count, isWhole) = text.suffix(from: start).firstCharacter
            append(character: isWhole ? text[start..<start + count] : ByteView("\u{FFFD}"), isQuoted: isQuoted)
            start += count
        }
    }

    private mutating func append(character: ByteView, isQuoted: Bool) {
        if let number = character.hiddenCharacter {
            appendLiteral("\\")
            switch UInt8(exactly: number) {
            case 0: appendLiteral("0")
            case ASCII.tab: appendLiteral("t")
            case ASCII.lineFeed: appendLiteral("n")
            case ASCII.carriageReturn: appendLiteral("r")
            default: append(hexadecimal: number, digits: character.count == 1 ? 2 : 4)
            }
        } else {
            if isQuoted, character == "\"" || character == "\\" || character == "'" { appendLiteral("\\") }
            bytes += character
        }
    }

    /// One of some, each between two `marks`, and `last` before the last of them: `vtt, srt or m3u8`.
    package init(
        choiceOf words: [StaticString], between marks: (StaticString, StaticString) = ("", ""),
        last: StaticString = " or "
    ) {
        for (index, word) in words.enumerated() {
            if index > 0 { appendLiteral(index < words.count - 1 ? ", " : last) }
            appendLiteral(marks.0)
            appendLiteral(word)
            appendLiteral(marks.1)
        }
    }

    /// Adds `u{202E}`.
    private mutating func append(hexadecimal number: UInt16, digits: Int) {
        appendLiteral("u{")
        bytes += ASCII.hexadecimal(number, digits: digits)
        appendLiteral("}")
    }
}

extension Message: CustomStringConvertible {
    /// The words as a string.
    public var description: String { String(utf8: bytes) }
}

/// The value; an error of its making is thrown as what `refusal` makes of it.
@inlinable
package func refusing<Value: ~Copyable, Old: Error, New: Error>(
    _ value: @autoclosure () throws(Old) -> Value, _ refusal: (Old) -> New
) throws(New) -> Value {
    do throws(Old) { return try value() } catch { throw refusal(error) }
}

/// What `call` throws; nil if it throws nothing.
@inlinable
package func fault<Value, Fault: Error>(of call: @autoclosure () throws(Fault) -> Value) -> Fault? {
    do throws(Fault) { _ = try call() } catch { return error }
    return nil
}

/// What says in words what it is: an error, a reason, a plan. In Embedded Swift too, which has no descriptions.
public protocol Described: CustomStringConvertible {
    /// What it is; of an error what is wrong, and what to do.
    var message: Message { get }
}

extension Described {
    /// The words of ``message``.
    public var description: String { String(utf8: message.bytes) }
}

extension ByteView {
    /// The number of the character that the view is, in UTF-8, if an escape is written in its place: for a control
    /// character, and for one that breaks a line or turns the direction of the text around it, so that it reads as
    /// something else (Unicode 17, annex 9, sections 2.1 to 2.6).
    package var hiddenCharacter: UInt16? {
        let number: UInt16
        switch (count, self[0]) {
        case (1, let byte): number = byte < 0x80 ? UInt16(byte) : .max
        case (2, let lead) where lead < 0xE0: number = UInt16(lead & 0x1F) << 6 | UInt16(self[1] & 0x3F)
        case (3, 0xE2): number = 0x2000 | UInt16(self[1] & 0x3F) << 6 | UInt16(self[2] & 0x3F)
        default: return nil
        }
        switch number {
        case ..<0x20, 0x7F...0x9F, 0x061C, 0x200E, 0x200F, 0x2028...0x202E, 0x2066...0x2069: return number
        default: return nil
        }
    }
}

extension [UInt8] {
    /// How many of the first `most` bytes are whole characters of UTF-8: all that there are, if they are no more.
    package func countOfCharacters(within most: Int) -> Int {
        guard most < count else { return count }
        return (Swift.max(most - 3, 0)...most).last { self[$0] & 0xC0 != 0x80 } ?? most
    }
}
