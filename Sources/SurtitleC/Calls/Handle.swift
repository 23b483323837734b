internal import CSurtitle

/// What a pointer of the caller's stands for: an object that the caller alone keeps, from its creation to its destruction.
///
/// Pointers are OpaquePointer: surtitle.h declares the structs and never defines them.
class Handle {
    /// Whether a call is running. An allocation hook may come back to the handle in the middle of one.
    private var isBusy = false

    /// Forgets what the handle was used for, and keeps its memory.
    func reset() {}

    /// Begins a call.
    @inline(__always)
    final func enter() throws(Refusal) {
        guard !isBusy else { throw Refusal(SURTITLE_BUSY) }
        isBusy = true
    }

    /// Ends a call.
    @inline(__always)
    final func leave() { isBusy = false }

    /// Whether a call is running.
    final var isInUse: Bool { isBusy }
}

extension OpaquePointer? {
    /// Calls `body` with the object that the pointer stands for, and returns the status that comes of it.
    @inline(__always)
    func use<Object: Handle>(_: Object.Type, _ body: (Object) throws(Refusal) -> Int32) -> Int32 {
        guard let pointer = self else { return SURTITLE_NULL_ARGUMENT.code }
        let object = unsafe Unmanaged<Object>.fromOpaque(UnsafeRawPointer(pointer))
        return unsafe object._withUnsafeGuaranteedRef { object in
            do throws(Refusal) {
                try object.enter()
                defer { object.leave() }
                return try body(object)
            } catch {
                return error.status.code
            }
        }
    }

    /// The same for a call that fills `error` if it fails.
    @inline(__always)
    func use<Object: Handle>(
        _: Object.Type, _ error: UnsafeMutablePointer<surtitle_error>?, _ body: (Object) throws(Refusal) -> Int32
    ) -> Int32 {
        unsafe status(error) { () throws(Refusal) in
            let object = try unsafe shared(Object.self)
            try object.enter()
            defer { object.leave() }
            return try body(object)
        }
    }

    /// The object that the pointer stands for, which is only read.
    func shared<Object: AnyObject>(_: Object.Type) throws(Refusal) -> Object {
        guard let pointer = self else { throw Refusal(SURTITLE_NULL_ARGUMENT) }
        return unsafe Unmanaged<Object>.fromOpaque(UnsafeRawPointer(pointer)).takeUnretainedValue()
    }

    /// Resets the handle.
    func reset() -> Int32 {
        unsafe use(Handle.self) { object throws(Refusal) in
            object.reset()
            return SURTITLE_OK.code
        }
    }

    /// Destroys the handle, unless a call on it is running.
    func destroy<Object: Handle>(_: Object.Type) {
        if let object = try? unsafe shared(Object.self), object.isInUse { return }
        unsafe release(Object.self)
    }

    /// Destroys an object that is only read.
    func release<Object: AnyObject>(_: Object.Type) {
        guard let pointer = self else { return }
        unsafe Unmanaged<Object>.fromOpaque(UnsafeRawPointer(pointer)).release()
    }
}

/// The status of a call that makes an object for the caller, at `place`, and fills `error` if it fails; NULL stands at
/// `place` then.
@inline(__always)
func make<Object: AnyObject>(
    _ place: UnsafeMutablePointer<OpaquePointer?>?, _ error: UnsafeMutablePointer<surtitle_error>? = nil,
    _ body: () throws(Refusal) -> Object
) -> Int32 {
    unsafe status(error) { () throws(Refusal) in
        let place = try unsafe Arguments.place(place)
        unsafe place.pointee = nil
        unsafe place.pointee = OpaquePointer(Unmanaged.passRetained(try body()).toOpaque())
        return SURTITLE_OK.code
    }
}

/// The status of a call that has no handle.
@inline(__always)
func status(_ body: () throws(Refusal) -> Int32) -> Int32 {
    do throws(Refusal) { return try body() } catch { return error.status.code }
}

/// The status of a call that fills `error` if it fails.
func status(_ error: UnsafeMutablePointer<surtitle_error>?, _ body: () throws(Refusal) -> Int32) -> Int32 {
    do throws(Refusal) { try unsafe Arguments.check(error) } catch { return error.status.code }
    do throws(Refusal) { return try body() } catch let refusal { return unsafe refusal.fill(error) }
}
