internal import ByteScan
internal import CSurtitle
internal import Delivery

/// Texts that a handle hands out: copied one behind the other, with pointers to them made when all are there and nothing moves any more.
struct HandedTexts: ~Copyable {
    private var bytes = ReusableBuffer<UInt8>()

    mutating func removeAll() { bytes.removeAll() }

    /// Adds a text, and returns its place.
    mutating func append(_ text: [UInt8]) -> Range<Int> {
        let start = bytes.count
        unsafe text.withUnsafeBytes { unsafe bytes.append(ByteView($0)) }
        return start..<bytes.count
    }

    /// The text at that place; not given if there is none.
    func text(_ place: Range<Int>?) -> surtitle_text {
        guard let place else { return unsafe surtitle_text(bytes: nil, count: 0) }
        let view = unsafe bytes.view[place].buffer
        return unsafe surtitle_text(bytes: view.baseAddress?.assumingMemoryBound(to: CChar.self), count: view.count)
    }

    /// Where the bytes at that place are.
    func start(_ place: Range<Int>) -> UnsafePointer<UInt8>? {
        unsafe bytes.view[place].buffer.baseAddress?.assumingMemoryBound(to: UInt8.self)
    }
}

/// Header field lines that a handle hands out.
@safe
struct HandedFields: ~Copyable {
    /// A line, laid out as the C struct is.
    @safe
    private struct CField {
        let field: surtitle_field
    }

    /// Where a name begins and ends, and the value behind it ends.
    private struct Place: BitwiseCopyable {
        let start: Int
        let middle: Int
        let end: Int
    }

    private var texts = HandedTexts()
    private var places = ReusableBuffer<Place>()
    private var fields = GrowingArray<CField>()

    init() {}

    var count: Int { fields.count }

    /// Where the lines are; nil if there has never been one.
    var start: UnsafePointer<surtitle_field>? { unsafe fields.start(as: surtitle_field.self) }

    /// Hands out these lines in place of the last ones.
    mutating func set(_ lines: [HeaderLine]) {
        texts.removeAll()
        places.removeAll()
        fields.removeAll()
        for line in lines {
            let (name, value) = (texts.append(line.name), texts.append(line.value))
            places.append(Place(start: name.lowerBound, middle: name.upperBound, end: value.upperBound))
        }
        for index in 0..<places.count {
            let place = places[index]
            let name = unsafe texts.text(place.start..<place.middle)
            let value = unsafe texts.text(place.middle..<place.end)
            unsafe fields.append(
                CField(
                    field: surtitle_field(
                        name: name.bytes, name_count: name.count, value: value.bytes, value_count: value.count)))
        }
    }
}
