internal import ByteScan
internal import CSurtitle
internal import Delivery

/// Texts that a handle hands out by pointer: copies, which do not move until all of them are forgotten.
///
/// They lie in blocks, one behind the other. A text that outgrows its block while it is made moves to the next. Blocks
/// are used again, so that a handle used again allocates nothing.
@safe
struct HandedTexts: ~Copyable {
    private var blocks: [UnsafeMutableRawBufferPointer] = unsafe []

    /// How many blocks hold something.
    private var used = 0

    /// The last of them, and where the text that is made begins and ends in it.
    private var memory = unsafe UnsafeMutableRawBufferPointer(start: nil, count: 0)
    private var text = 0..<0

    private var fields = unsafe ReusableBuffer<surtitle_field>()

    deinit {
        for index in unsafe blocks.indices { unsafe blocks[index].deallocate() }
    }

    /// Forgets all texts, and keeps the memory.
    mutating func removeAll() {
        used = 0
        unsafe memory = UnsafeMutableRawBufferPointer(start: nil, count: 0)
        text = 0..<0
    }

    /// Adds bytes to the text that is made.
    mutating func add(_ bytes: ByteView) {
        if unsafe bytes.count > memory.count - text.upperBound { moveOn(toHold: text.count + bytes.count) }
        unsafe UnsafeMutableRawBufferPointer(rebasing: memory[text.upperBound...]).copyMemory(from: bytes.buffer)
        text = text.lowerBound..<(text.upperBound + bytes.count)
    }

    /// Ends the text that is made, and returns it.
    mutating func take() -> ByteView {
        defer { text = text.upperBound..<text.upperBound }
        return unsafe ByteView(UnsafeRawBufferPointer(rebasing: memory[text]))
    }

    /// Copies a text.
    mutating func append(_ bytes: ByteView) -> ByteView {
        add(bytes)
        return take()
    }

    mutating func append(_ bytes: [UInt8]) -> ByteView { bytes.withView { append($0) } }

    /// Copies header field lines, in place of the last ones.
    mutating func append(_ lines: [HeaderLine]) -> UnsafeBufferPointer<surtitle_field> {
        unsafe fields.removeAll()
        for line in lines { unsafe fields.append(surtitle_field(append(line.name), append(line.value))) }
        return unsafe fields.elements
    }

    /// Moves the text that is made to a block with room for `count` bytes.
    private mutating func moveOn(toHold count: Int) {
        let begun = unsafe UnsafeRawBufferPointer(rebasing: memory[text])
        repeat {
            if unsafe used == blocks.count {
                unsafe blocks.append(.allocate(byteCount: max(count, 2 * memory.count, 512), alignment: 1))
            }
            unsafe memory = blocks[used]
            used += 1
        } while unsafe memory.count < count
        unsafe memory.copyMemory(from: begun)
        text = 0..<begun.count
    }
}

extension ByteView {
    var start: UnsafePointer<UInt8>? { unsafe buffer.baseAddress?.assumingMemoryBound(to: UInt8.self) }
}

extension surtitle_text {
    /// A text of these bytes; not given if there is none.
    init(_ bytes: ByteView?) {
        let start = unsafe bytes?.buffer.baseAddress?.assumingMemoryBound(to: CChar.self)
        unsafe self.init(bytes: start, count: bytes?.count ?? 0)
    }
}

extension surtitle_field {
    /// A field line; without a value the field is removed.
    init(_ name: ByteView, _ value: ByteView?) {
        let (name, value) = unsafe (surtitle_text(name), surtitle_text(value))
        unsafe self.init(name: name.bytes, name_count: name.count, value: value.bytes, value_count: value.count)
    }
}
