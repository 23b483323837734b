package import CByteScan

/// Memory that is filled, emptied and filled again: what a scanner must remember from one call to the next.
///
/// It allocates when it first outgrows what it has and keeps the memory after that, so a scanner that is reset and used
/// again allocates nothing.
@safe
public struct ReusableBuffer<Element: BitwiseCopyable>: ~Copyable {
    @usableFromInline var memory: UnsafeMutableBufferPointer<Element>

    /// How many elements are kept.
    @inlinable public var count: Int { used }

    @usableFromInline var used = 0

    /// A buffer with nothing in it and no memory yet.
    @inlinable
    public init() { unsafe memory = UnsafeMutableBufferPointer(start: nil, count: 0) }

    @inlinable
    deinit { unsafe memory.deallocate() }

    /// Whether nothing is kept.
    @inlinable
    public var isEmpty: Bool { count == 0 }

    /// The element at `index`, which must be in `0..<count`.
    @inlinable
    public subscript(index: Int) -> Element {
        @inline(__always) get {
            precondition(UInt(bitPattern: index) < UInt(bitPattern: count), "index outside the buffer")
            return unsafe memory[index]
        }
        @inline(__always) set {
            precondition(UInt(bitPattern: index) < UInt(bitPattern: count), "index outside the buffer")
            unsafe memory[index] = newValue
        }
    }

    /// The elements kept, valid until the buffer next changes.
    package var elements: UnsafeBufferPointer<Element> {
        unsafe UnsafeBufferPointer(rebasing: UnsafeBufferPointer(memory)[..<count])
    }

    /// Keeps one more element.
    @inlinable @inline(__always)
    public mutating func append(_ element: Element) {
        if unsafe used == memory.count { grow() }
        unsafe memory[used] = element
        used &+= 1
    }

    /// Forgets everything and keeps the memory.
    @inlinable @inline(__always)
    public mutating func removeAll() { used = 0 }

    /// Forgets all but the first `count` elements.
    public mutating func truncate(to count: Int) {
        precondition(count >= 0 && count <= self.count, "count outside the buffer")
        used = count
    }

    /// Takes twice as much memory, or more if that does not hold `needed` elements.
    @usableFromInline
    mutating func grow(toHold needed: Int = 0) {
        let larger = unsafe UnsafeMutableBufferPointer<Element>.allocate(capacity: max(needed, 2 &* memory.count, 16))
        if let source = unsafe memory.baseAddress, let target = larger.baseAddress {
            unsafe UnsafeMutableRawPointer(target)
                .copyMemory(from: source, byteCount: count &* MemoryLayout<Element>.stride)
        }
        unsafe memory.deallocate()
        unsafe memory = larger
    }
}

// It alone has its memory.
extension ReusableBuffer: @unchecked Sendable where Element: Sendable {}

extension ReusableBuffer where Element == UInt8 {
    /// The bytes kept, valid until the buffer next changes.
    @inlinable @inline(__always)
    public var view: ByteView {
        unsafe ByteView(UnsafeRawBufferPointer(rebasing: UnsafeRawBufferPointer(memory)[..<count]))
    }

    /// Keeps a copy of `bytes`, which must not be this buffer's own.
    public mutating func append(_ bytes: ByteView) {
        guard !bytes.isEmpty else { return }
        if unsafe used &+ bytes.count > memory.count { grow(toHold: used &+ bytes.count) }
        unsafe copyBytes(memory.baseAddress.unsafelyUnwrapped + used, from: bytes.base, bytes.count)
        used &+= bytes.count
    }

    /// Measures the line that the buffer holds: up to its first line feed, or its end if there is none.
    package mutating func measureLine(lookingFor pair: BytePair) -> MeasuredLine {
        let padding = Int(bytescan_tail_padding)
        if unsafe used &+ padding > memory.count { grow(toHold: used &+ padding) }
        let base = unsafe UnsafeMutableRawBufferPointer(memory).baseAddress.unsafelyUnwrapped
        unsafe (base + used).initializeMemory(as: UInt8.self, repeating: 0, count: padding)
        return unsafe CByteScan.measureLine(view.base, from: 0, last: used &- 1, lookingFor: pair)
    }

    /// Writes the bytes of `word`, the lowest first, over those at `offset`.
    @inlinable @inline(__always)
    package mutating func overwrite(_ offset: Int, with word: some FixedWidthInteger & BitwiseCopyable) {
        precondition(offset >= 0 && offset <= count &- word.bitWidth / 8, "bytes outside the buffer")
        unsafe UnsafeMutableRawBufferPointer(memory).storeBytes(
            of: word.littleEndian, toByteOffset: offset, as: type(of: word))
    }

    /// Forgets the first `count` bytes and moves the others to the front.
    public mutating func removeFirst(_ count: Int) {
        precondition(count >= 0 && count <= self.count, "count outside the buffer")
        guard count > 0, let start = unsafe UnsafeMutableRawBufferPointer(memory).baseAddress else { return }
        used &-= count
        unsafe start.copyMemory(from: start + count, byteCount: used)
    }

    /// Copies the bytes in `range` to `offset`; both places lie among the bytes kept, and may overlap.
    public mutating func move(_ range: Range<Int>, to offset: Int) {
        precondition(
            range.lowerBound >= 0 && range.upperBound <= count && offset >= 0 && offset <= count &- range.count,
            "range outside the buffer")
        guard range.lowerBound != offset, let start = unsafe UnsafeMutableRawBufferPointer(memory).baseAddress else {
            return
        }
        unsafe (start + offset).copyMemory(from: start + range.lowerBound, byteCount: range.count)
    }

    /// Keeps a copy of `bytes`, which must not be this buffer's own.
    public mutating func append(contentsOf bytes: some Sequence<UInt8>) {
        let isCopied: Void? = bytes.withContiguousStorageIfAvailable {
            append(unsafe ByteView(UnsafeRawBufferPointer($0)))
        }
        if isCopied == nil { for byte in bytes { append(byte) } }
    }
}
