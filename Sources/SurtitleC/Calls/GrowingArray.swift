/// An array that a handle hands out: filled anew by each call, and never moved between calls.
///
/// It keeps its memory, so that a handle used again allocates nothing. C structs with pointers in them are elements inside a type that is
/// marked as safe, and has nothing else in it.
@safe
struct GrowingArray<Element>: ~Copyable {
    private var memory: UnsafeMutablePointer<Element>?
    private var capacity = 0
    private(set) var count = 0

    init() { unsafe memory = nil }

    // The elements are C structs, which need no deinitialization.
    deinit { unsafe memory?.deallocate() }

    mutating func removeAll() { count = 0 }

    mutating func append(_ element: Element) {
        if count == capacity { grow() }
        guard let memory = unsafe memory else { return }
        unsafe (memory + count).initialize(to: element)
        count += 1
    }

    /// Changes every element.
    mutating func forEach(_ change: (inout Element) -> Void) {
        guard let memory = unsafe memory else { return }
        for index in 0..<count { unsafe change(&memory[index]) }
    }

    /// Where the elements are, for a C struct that an element is laid out as; nil if there has never been one.
    func start<Struct>(as _: Struct.Type) -> UnsafePointer<Struct>? {
        unsafe memory.map { unsafe UnsafeRawPointer($0).assumingMemoryBound(to: Struct.self) }
    }

    /// Tells the caller where the elements are and how many.
    func give(to place: ArrayPlace) { unsafe place.tell(memory.map { UnsafeRawPointer($0) }, count) }

    private mutating func grow() {
        let larger = UnsafeMutablePointer<Element>.allocate(capacity: max(2 * capacity, 16))
        if let memory = unsafe memory {
            unsafe larger.moveInitialize(from: memory, count: count)
            unsafe memory.deallocate()
        }
        unsafe memory = larger
        capacity = max(2 * capacity, 16)
    }
}

/// Where a caller wants to be told of an array: where it starts, and how many elements it has.
@safe
struct ArrayPlace {
    private let start: UnsafeMutableRawPointer
    private let count: UnsafeMutablePointer<Int>

    /// The caller's two places, which say that there is nothing yet.
    init<Struct>(
        _ start: UnsafeMutablePointer<UnsafePointer<Struct>?>?, _ count: UnsafeMutablePointer<Int>?
    ) throws(Refusal) {
        unsafe self.start = try unsafe UnsafeMutableRawPointer(Arguments.place(start))
        unsafe self.count = try unsafe Arguments.place(count)
        unsafe tell(nil, 0)
    }

    fileprivate func tell(_ start: UnsafeRawPointer?, _ count: Int) {
        unsafe self.start.storeBytes(of: start, as: UnsafeRawPointer?.self)
        unsafe self.count.pointee = count
    }
}
