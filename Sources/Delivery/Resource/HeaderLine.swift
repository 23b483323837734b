internal import ByteScan

/// A header field line that is kept: a name and a value.
public struct HeaderLine: Equatable, Sendable {
    /// The name, in any case (RFC 9110 5.1).
    public var name: [UInt8]

    /// The value, without white space around it.
    public var value: [UInt8]

    /// A field line.
    public init(_ name: [UInt8], _ value: [UInt8]) {
        self.name = name
        self.value = value
    }

    /// A field line.
    public init(_ name: String, _ value: String) { self.init(Array(utf8: name), Array(utf8: value)) }

    init(_ name: StaticString, _ value: [UInt8]) { self.init(Array(ByteView(name)), value) }

    /// Whether `byte` may stand in a name (RFC 9110 5.1, 5.6.2).
    package static func isNameByte(_ byte: UInt8) -> Bool {
        ASCII.isDigit(byte) || ASCII.isLetter(byte) || ByteView("!#$%&'*+-.^_`|~").contains(byte)
    }

    /// Whether `byte` may stand in a value (RFC 9110 5.5): no control character but a tab may.
    package static func isValueByte(_ byte: UInt8) -> Bool { byte >= ASCII.space && byte != 0x7F || byte == ASCII.tab }

    /// Whether its name is `name`, in any case.
    func isNamed(_ name: StaticString) -> Bool { self.name.withView { $0.equalsIgnoringCase(name) } }
}
