extension Collection<UInt8> {
    /// Calls `body` with the bytes, which are valid during the call: with the collection's own, or with a copy if they
    /// do not lie in one piece.
    @inlinable
    package func withBytes<Answer, Failure: Error>(
        _ body: (UnsafeRawBufferPointer) throws(Failure) -> Answer
    ) throws(Failure) -> Answer {
        // The standard library's call throws no typed errors.
        let answer = withContiguousStorageIfAvailable { bytes in
            Result { () throws(Failure) in try unsafe body(UnsafeRawBufferPointer(bytes)) }
        }
        if let answer { return try answer.get() }
        return try unsafe ContiguousArray(self).withUnsafeBufferPointer { (bytes) throws(Failure) in
            try unsafe body(UnsafeRawBufferPointer(bytes))
        }
    }
}
