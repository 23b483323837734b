// How a JSON text is read (RFC 8259): one event a call, with nothing built of them.
//
//     text       {"tracks": [{"uri": "en.m3u8"}], "target": 6}
//     events     { key tracks  [ { key uri  string } ] key target  number }
//
// The state says what may come next; the containers that are open say whether a comma leads to a key or to a value.
// Between two events only white space has been passed over, a colon after a key, and a comma before a key or a value.
//
// What the RFC leaves open: a byte order mark is ignored (8.1), a key that an object has twice is refused (4), and so
// is an escaped half of a surrogate pair (8.2). The text may be any value (2).

package import ByteScan

/// Reads a JSON text event by event, without a tree: strict after RFC 8259, and bounded.
///
///     var reader = unsafe JSONReader(ByteView(buffer))
///     while let event = try reader.next() {
///         if case .key(let name) = event { keys.append(Array(name)) }
///     }
///
/// The text's memory must outlive the reader and its events.
package struct JSONReader: ~Copyable {
    /// What may come next.
    private enum State {
        /// A value: the text's, or that of a key.
        case value
        /// The first value of an array, or its end.
        case firstElement
        /// The first key of an object, or its end.
        case firstKey
        /// A comma and what follows it, or the end of the innermost array or object.
        case next
        /// Nothing: the text's value is complete.
        case end
        /// Nothing: the text is refused.
        case failed(JSONError)
    }

    /// An array or an object that is open.
    private enum Container {
        case array
        /// The number tells the object's keys from those of others.
        case object(number: Int)
    }

    /// The whole text.
    let text: ByteView
    /// The offset of the byte to be read next.
    var offset: Int
    /// The text of a string with escapes.
    var unescaped = ReusableBuffer<UInt8>()

    /// The offset in the text at which the event begins that was handed out last.
    package private(set) var position = 0

    private let limits: JSONLimits
    private var state = State.value
    private var containers: [Container] = []
    private var objectCount = 0
    private var keys = JSONKeys()

    /// A reader of `text`.
    package init(_ text: ByteView, limits: JSONLimits = JSONLimits()) {
        self.text = text
        self.limits = limits
        offset = text.hasBytes("\u{FEFF}", at: 0) ? 3 : 0
    }

    /// The next event, or nil after the last.
    ///
    /// - Throws: ``JSONError`` for what does not fit, and the same again whenever it is asked once more.
    /// - Complexity: O(*n*) for a text of *n* bytes.
    package mutating func next() throws(JSONError) -> JSONEvent? {
        do throws(JSONError) {
            if text.count > limits.bytes { throw error(.length, at: limits.bytes) }
            return try event()
        } catch {
            state = .failed(error)
            throw error
        }
    }

    /// An error at `offset`, or at the text's end if that is where it is.
    func error(_ reason: JSONError.Reason, at offset: Int) -> JSONError {
        JSONError(
            reason: offset < text.count || reason == .length ? reason : .unexpectedEnd,
            location: JSONLocation(of: offset, in: text))
    }

    private mutating func event() throws(JSONError) -> JSONEvent? {
        skipSpace()
        position = offset
        switch state {
        case .value: return try value()
        case .firstElement: return consume(ASCII.closingBracket) ? close(.endArray) : try value()
        case .firstKey: return consume(ASCII.closingBrace) ? close(.endObject) : try key()
        case .next: return try nextMember()
        case .end:
            if offset < text.count { throw error(.extraText, at: offset) }
            return nil
        case .failed(let error): throw error
        }
    }

    /// What follows a value in an array or object.
    private mutating func nextMember() throws(JSONError) -> JSONEvent {
        let isObject = if case .object = containers.last { true } else { false }
        let closing = isObject ? ASCII.closingBrace : ASCII.closingBracket
        if consume(closing) { return close(isObject ? .endObject : .endArray) }
        guard consume(ASCII.comma) else { throw error(.comma, at: offset) }
        let comma = position
        skipSpace()
        position = offset
        if offset < text.count, text[offset] == closing {
            throw error(.trailingComma, at: comma)
        }
        return isObject ? try key() : try value()
    }

    private mutating func key() throws(JSONError) -> JSONEvent {
        guard offset < text.count, text[offset] == ASCII.quote else { throw error(.key, at: offset) }
        let key = try string()
        if case .object(let number) = containers.last, !keys.insert(key, ofObject: number) {
            throw error(.duplicateKey, at: position)
        }
        skipSpace()
        guard consume(ASCII.colon) else { throw error(.colon, at: offset) }
        state = .value
        return .key(key)
    }

    private mutating func value() throws(JSONError) -> JSONEvent {
        guard offset < text.count else { throw error(.value, at: offset) }
        switch text[offset] {
        case ASCII.openingBrace:
            objectCount += 1
            return try open(.object(number: objectCount), .beginObject, .firstKey)
        case ASCII.openingBracket: return try open(.array, .beginArray, .firstElement)
        case ASCII.quote: return ended(.string(try string()))
        case ASCII.hyphen, ASCII.zero...ASCII.nine: return ended(.number(try number()))
        default:
            if consume("true") { return ended(.truth(true)) }
            if consume("false") { return ended(.truth(false)) }
            if consume("null") { return ended(.null) }
            throw error(.value, at: offset)
        }
    }

    private mutating func open(
        _ container: Container, _ event: JSONEvent, _ next: State
    ) throws(JSONError) -> JSONEvent {
        if containers.count >= limits.depth { throw error(.depth, at: offset) }
        containers.append(container)
        offset += 1
        state = next
        return event
    }

    private mutating func close(_ event: JSONEvent) -> JSONEvent {
        containers.removeLast()
        return ended(event)
    }

    /// Notes that a value is complete.
    private mutating func ended(_ event: JSONEvent) -> JSONEvent {
        state = containers.isEmpty ? .end : .next
        return event
    }

    private mutating func skipSpace() { while offset < text.count, text[offset].isJSONSpace { offset += 1 } }

    mutating func consume(_ byte: UInt8) -> Bool {
        guard offset < text.count, text[offset] == byte else { return false }
        offset += 1
        return true
    }

    private mutating func consume(_ word: StaticString) -> Bool {
        guard text.hasBytes(word, at: offset) else { return false }
        offset += word.utf8CodeUnitCount
        return true
    }
}

extension UInt8 {
    /// Space, tab, line feed and carriage return (RFC 8259, section 2), and no other white space.
    fileprivate var isJSONSpace: Bool {
        self == ASCII.space || self == ASCII.tab || self == ASCII.lineFeed || self == ASCII.carriageReturn
    }
}

/// A piece of a JSON text, as a ``JSONReader`` hands it out.
///
/// Bytes are those of the text or of the reader, and valid until the reader is asked for the next event.
package enum JSONEvent: Equatable {
    /// `{`
    case beginObject
    /// A key of the innermost object, without escapes, in UTF-8. Its value comes next.
    case key(ByteView)
    /// `}`
    case endObject
    /// `[`
    case beginArray
    /// `]`
    case endArray
    /// A string, without escapes, in UTF-8. It may hold any character, U+0000 too.
    case string(ByteView)
    /// A number as it is written, of which nothing is lost (RFC 8259, section 6).
    case number(ByteView)
    /// `true` or `false`
    case truth(Bool)
    /// `null`
    case null
}

/// How much a ``JSONReader`` reads (RFC 8259, section 9, allows both limits).
package struct JSONLimits: Equatable, Sendable {
    /// The longest text, in bytes. 1 MiB unless said otherwise; at most 1 GiB.
    ///
    /// It bounds the memory too: the reader keeps the keys of all objects, to refuse a key that is there twice, and a
    /// key takes some 100 bytes besides its own.
    package let bytes: Int

    /// How many arrays and objects may be open at once. 32 unless said otherwise.
    package let depth: Int

    /// Limits with the documented defaults; each is at least 1.
    package init(bytes: Int = 1 << 20, depth: Int = 32) {
        self.bytes = min(max(bytes, 1), 1 << 30)
        self.depth = max(depth, 1)
    }
}
