internal import CSurtitle

/// What a pointer of the caller's stands for: an object that the caller alone keeps, from its creation to its
/// destruction.
///
/// Pointers are OpaquePointer: surtitle.h declares the structs and never defines them.
class Handle {
    /// Whether a call is running. An allocation hook may come back to the handle in the middle of one.
    fileprivate final var isBusy = false

    /// Whether the playlist or file has been finished or abandoned.
    final var hasEnded = false

    /// Forgets what the handle was used for, and keeps its memory.
    func reset() { hasEnded = false }

    /// Begins a call that takes a chunk of a playlist or file, or its end if that is nil.
    final func begin(_ chunk: UnsafeRawBufferPointer?) throws(Refusal) {
        if hasEnded { throw Refusal(SURTITLE_ENDED) }
        hasEnded = unsafe chunk == nil
    }
}

extension OpaquePointer? {
    /// Calls `body` with the object that the pointer stands for, and returns the status that comes of it. A refusal
    /// fills `error`.
    @inline(__always)
    func ask<Object: Handle>(
        _: Object.Type, _ error: Place<surtitle_error>? = nil,
        _ body: (Object) throws(Refusal) -> surtitle_status
    ) -> Int32 {
        guard let pointer = self else {
            return unsafe status(error) { () throws(Refusal) in throw Refusal(SURTITLE_NULL_ARGUMENT) }
        }
        let object = unsafe Unmanaged<Object>.fromOpaque(UnsafeRawPointer(pointer))
        return unsafe object._withUnsafeGuaranteedRef { object in
            unsafe status(error) { () throws(Refusal) in
                guard !object.isBusy else { throw Refusal(SURTITLE_BUSY) }
                object.isBusy = true
                defer { object.isBusy = false }
                return try body(object)
            }
        }
    }

    /// The same for a call of which nothing comes but SURTITLE_OK.
    @inline(__always)
    func use<Object: Handle>(
        _ type: Object.Type, _ error: Place<surtitle_error>? = nil,
        _ body: (Object) throws(Refusal) -> Void
    ) -> Int32 {
        unsafe ask(type, error) { object throws(Refusal) in
            try body(object)
            return SURTITLE_OK
        }
    }

    func reset() -> Int32 { unsafe use(Handle.self) { object throws(Refusal) in object.reset() } }

    /// Destroys the handle, unless a call on it is running.
    func destroy<Object: Handle>(_: Object.Type) {
        guard let object = try? unsafe shared(Object.self), !object.isBusy else { return }
        // What it keeps goes back through the hook, which may come back to the handle too.
        object.isBusy = true
        unsafe release(Object.self)
    }

    /// The object that the pointer stands for, which is only read.
    func shared<Object: AnyObject>(_: Object.Type) throws(Refusal) -> Object {
        let pointer = try unsafe Arguments.required(self)
        return unsafe Unmanaged<Object>.fromOpaque(UnsafeRawPointer(pointer)).takeUnretainedValue()
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
    _ place: Place<OpaquePointer?>?, _ error: Place<surtitle_error>?,
    _ object: @autoclosure () throws(Refusal) -> Object
) -> Int32 {
    unsafe status(error) { () throws(Refusal) in
        let place = try unsafe Arguments.required(place)
        unsafe place.pointee = nil
        unsafe place.pointee = OpaquePointer(Unmanaged.passRetained(try object()).toOpaque())
        return SURTITLE_OK
    }
}

/// The status of a call. A refusal fills `error`.
func status(_ error: Place<surtitle_error>? = nil, _ body: () throws(Refusal) -> surtitle_status) -> Int32 {
    do throws(Refusal) { try unsafe Arguments.check(error) } catch { return error.status.code }
    do throws(Refusal) { return try body().code } catch let refusal { return unsafe refusal.fill(error) }
}
