extension [UInt8] {
    /// A copy of the view's bytes, made at once.
    package init(_ view: ByteView) { self = unsafe Array(view.buffer) }

    /// The text in UTF-8.
    package init(utf8 text: String) {
        #if hasFeature(Embedded)
        // All texts lie in one piece there; what walks over others is as large as a scanner of cues.
        self = unsafe text.utf8.withContiguousStorageIfAvailable { unsafe Array($0) } ?? []
        #else
        self.init(text.utf8)
        #endif
    }

    /// Calls `body` with a view of the bytes, which is valid during the call.
    @inlinable
    package func withView<Result, Failure: Error>(
        _ body: (ByteView) throws(Failure) -> Result
    ) throws(Failure) -> Result {
        try unsafe withUnsafeBufferPointer { (bytes) throws(Failure) in
            try unsafe body(ByteView(UnsafeRawBufferPointer(bytes)))
        }
    }
}

extension String {
    /// The text that `bytes` are in UTF-8, with U+FFFD in place of what is not.
    package init(utf8 bytes: [UInt8]) {
        #if hasFeature(Embedded)
        // Not by the standard library's repair, which walks over texts of all kinds too.
        self = String(validating: bytes, as: UTF8.self) ?? ""
        #else
        self.init(decoding: bytes, as: UTF8.self)
        #endif
    }

    /// The same of a view's bytes.
    package init(utf8 bytes: ByteView) {
        #if hasFeature(Embedded)
        self.init(utf8: Array(bytes))
        #else
        unsafe self.init(decoding: bytes.buffer, as: UTF8.self)
        #endif
    }

    /// Calls `body` with a view of the text in UTF-8, which is valid during the call.
    @inlinable
    package func withView<Result>(_ body: (ByteView) -> Result) -> Result {
        #if hasFeature(Embedded)
        // As above.
        return unsafe utf8.withContiguousStorageIfAvailable { unsafe body(ByteView(UnsafeRawBufferPointer($0))) }
            ?? body(ByteView())
        #else
        var text = self
        return text.withUTF8 { unsafe body(ByteView(UnsafeRawBufferPointer($0))) }
        #endif
    }
}
