extension Optional where Wrapped: ~Copyable {
    /// Lets `body` change what there is, if there is anything.
    @inlinable @inline(__always)
    package mutating func use<Failure: Error>(_ body: (inout Wrapped) throws(Failure) -> Void) throws(Failure) {
        guard var value = take() else { return }
        do throws(Failure) {
            try body(&value)
        } catch {
            self = consume value
            throw error
        }
        self = consume value
    }
}
