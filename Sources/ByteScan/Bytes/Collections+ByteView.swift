extension [UInt8] {
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
    /// Calls `body` with a view of the text in UTF-8, which is valid during the call.
    @inlinable
    package func withView<Result>(_ body: (ByteView) -> Result) -> Result {
        var text = self
        return text.withUTF8 { unsafe body(ByteView(UnsafeRawBufferPointer($0))) }
    }
}
