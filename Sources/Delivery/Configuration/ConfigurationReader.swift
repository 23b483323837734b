internal import ByteScan
internal import Sideload

/// Reads a ``Configuration`` value by value, and knows the path of the value at hand for an error.
struct ConfigurationReader: ~Copyable {
    private let text: ByteView
    private var json: JSONReader

    /// The path of the value at hand.
    var path: [UInt8] = []
    /// How much of it is the path of each array and object that is open.
    private var bases: [Int] = []
    /// The number of the element that comes next, of each array that is open.
    private var indices: [Int] = []

    /// A reader of the whole of `text`.
    init(_ text: ByteView, limits: JSONLimits) {
        self.text = text
        json = JSONReader(text, limits: limits)
    }

    /// Where the value at hand begins.
    var position: Int { json.position }

    /// The next event, which is there as long as an array or object is open.
    mutating func next() throws(ConfigurationError) -> JSONEvent {
        guard let event = try nextOrEnd() else { throw failure(.json(.unexpectedEnd), at: text.count) }
        return event
    }

    /// Reads to the text's end, after its value.
    mutating func finish() throws(ConfigurationError) { while try nextOrEnd() != nil {} }

    private mutating func nextOrEnd() throws(ConfigurationError) -> JSONEvent? {
        try refusing(try json.next()) { (error: JSONError) in
            ConfigurationError(
                reason: ConfigurationError.Reason(.json(error.reason)), path: path, location: error.location)
        }
    }

    /// An error at the value at hand, or at `position`.
    @inline(never)
    func failure(_ kind: ConfigurationError.Reason.Kind, at position: Int? = nil) -> ConfigurationError {
        ConfigurationError(
            reason: ConfigurationError.Reason(kind), path: path,
            location: JSONLocation(of: position ?? json.position, in: text))
    }

    // MARK: Objects and arrays

    /// Enters the object that `event` begins.
    mutating func enterObject(
        _ event: JSONEvent, orExpect words: ConfigurationError.Words = "an object in braces"
    ) throws(ConfigurationError) {
        guard event == .beginObject else { throw failure(.expected(words)) }
        bases.append(path.count)
    }

    /// The next key of the innermost object, or nil at its end. The value at hand is then that of the key.
    mutating func key<Word: ConfigurationWord>(_: Word.Type) throws(ConfigurationError) -> Word? {
        guard let name = try keyName() else { return nil }
        guard let word = Word(name) else {
            throw failure(
                .unknownKey(
                    name: Array(name), nearest: Word.nearest(to: name).map { ConfigurationError.Words($0.name) }))
        }
        append(word.name)
        return word
    }

    /// The next key of the innermost object, whatever it is, or nil at its end. The value at hand is then that of the
    /// key.
    mutating func anyKey() throws(ConfigurationError) -> [UInt8]? {
        guard let name = try keyName() else { return nil }
        path += [ASCII.period] + Array(name)
        return Array(name)
    }

    /// The next key of the innermost object, which is then the value at hand, or nil at its end.
    private mutating func keyName() throws(ConfigurationError) -> ByteView? {
        path.removeLast(path.count - bases[bases.count - 1])
        guard case .key(let name) = try next() else {
            bases.removeLast()
            return nil
        }
        return name
    }

    /// Makes the value of the key `name` in the innermost object the one at hand.
    mutating func append(_ name: StaticString) {
        if !path.isEmpty { path.append(ASCII.period) }
        path += ByteView(name)
    }

    /// Makes an element of the innermost array the value at hand.
    mutating func append(index: Int) {
        path.append(UInt8(ascii: "["))
        path += DecimalDigits(UInt64(index))
        path.append(UInt8(ascii: "]"))
    }

    /// Enters the array that `event` begins.
    mutating func enterArray(_ event: JSONEvent) throws(ConfigurationError) {
        guard event == .beginArray else { throw failure(.expected("an array in brackets")) }
        bases.append(path.count)
        indices.append(0)
    }

    /// The beginning of the next element of the innermost array, which is then the value at hand; nil at its end.
    mutating func element() throws(ConfigurationError) -> JSONEvent? {
        path.removeLast(path.count - bases[bases.count - 1])
        let index = indices.removeLast()
        append(index: index)
        let event = try next()
        guard event != .endArray else {
            path.removeLast(path.count - bases.removeLast())
            return nil
        }
        indices.append(index + 1)
        return event
    }

    // MARK: Values

    private static var aString: ConfigurationError.Words { "a string in double quotes" }

    /// The text of a string, in UTF-8.
    func text(_ event: JSONEvent, orExpect words: ConfigurationError.Words = aString) throws(ConfigurationError)
        -> [UInt8]
    {
        Array(try view(event, orExpect: words))
    }

    /// The same, valid until the next event.
    func view(
        _ event: JSONEvent, orExpect words: ConfigurationError.Words = aString
    ) throws(ConfigurationError) -> ByteView {
        guard case .string(let text) = event else { throw failure(.expected(words)) }
        return text
    }

    mutating func truth() throws(ConfigurationError) -> Bool {
        guard case .truth(let truth) = try next() else { throw failure(.expected("true or false")) }
        return truth
    }

    /// One of the words of a kind.
    mutating func word<Word: ConfigurationWord>() throws(ConfigurationError) -> Word {
        guard case .string(let text) = try next(), let word = Word(text) else {
            throw failure(.expectedOne(Word.allCases.map { Spelling($0.name) }))
        }
        return word
    }

    /// A limit: a number from 1 to 1 GiB.
    mutating func limit() throws(ConfigurationError) -> Int {
        guard case .number(let number) = try next(), let bytes = Int(decimal: number), 1...(1 << 30) ~= bytes else {
            throw failure(.expected("a whole number of bytes from 1 to 1073741824"))
        }
        return bytes
    }
}
