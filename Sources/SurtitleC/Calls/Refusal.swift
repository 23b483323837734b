internal import ByteScan
internal import CSurtitle

/// Why a call is refused or has failed: what a `surtitle_error` tells.
struct Refusal: Error {
    let status: surtitle_status
    /// What is wrong; the status in words if there is no more to say.
    var words: StaticString?
    /// Of the track, edit, segment or pattern.
    var index: Int?
    /// The byte at which it is wrong.
    var position: Int?
    /// Which value it is.
    var field: [UInt8] = []

    init(_ status: surtitle_status, _ words: StaticString? = nil) {
        self.status = status
        self.words = words
    }

    /// The same of one element of an array: `tracks[2].language`.
    func of(_ array: StaticString, _ index: Int, _ field: StaticString? = nil) -> Refusal {
        var refusal = self
        refusal.index = index
        refusal.field = Array(ByteView(array)) + [UInt8(ascii: "[")]
        refusal.field += DecimalDigits(UInt64(index))
        refusal.field.append(UInt8(ascii: "]"))
        if let field { refusal.field += [ASCII.period] + Array(ByteView(field)) }
        return refusal
    }

    /// The same at a byte of the value.
    func at(_ position: Int?) -> Refusal {
        var refusal = self
        refusal.position = position
        return refusal
    }

    /// Fills `error`, unless that is NULL, and returns the status.
    func fill(_ error: UnsafeMutablePointer<surtitle_error>?) -> Int32 {
        guard let error = unsafe error else { return status.code }
        unsafe error.pointee.status = status.code
        unsafe error.pointee.reserved = 0
        unsafe error.pointee.index = Int64(index ?? -1)
        unsafe error.pointee.position = Int64(position ?? -1)
        unsafe withUnsafeMutableBytes(of: &error.pointee.field) { unsafe Self.copy(field, to: $0) }
        let message = Array(ByteView(words ?? StatusText.words(for: status)))
        unsafe withUnsafeMutableBytes(of: &error.pointee.message) { unsafe Self.copy(message, to: $0) }
        return status.code
    }

    /// Copies a text with a NUL at its end; one that is too long is cut where a character ends.
    private static func copy(_ text: [UInt8], to memory: UnsafeMutableRawBufferPointer) {
        var count = min(text.count, memory.count - 1)
        if count < text.count {
            while count > 0, text[count] & 0xC0 == 0x80 { count -= 1 }
        }
        for index in 0..<memory.count { unsafe memory[index] = index < count ? text[index] : 0 }
    }
}
