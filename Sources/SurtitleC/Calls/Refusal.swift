internal import ByteScan
internal import CSurtitle

/// Why a call is refused or has failed: what a `surtitle_error` tells.
///
/// Most refusals are a status and no more. What else there is to say is kept apart, so that nearly all of them are two
/// words.
struct Refusal: Error {
    /// What there is to say besides the status.
    private final class Details: Sendable {
        /// The status in words if there is no more to say.
        let message: Message?
        let position: Int?
        let index: Int?
        let field: [UInt8]

        init(_ message: Message?, _ position: Int?, _ index: Int?, _ field: [UInt8]) {
            self.message = message
            self.position = position
            self.index = index
            self.field = field
        }
    }

    let status: surtitle_status
    private let details: Details?

    /// A refusal of which the status says all.
    init(_ status: surtitle_status) {
        self.status = status
        details = nil
    }

    /// A refusal with a message, at a byte of the value called `field`, which is in the element at `index` of an array.
    init(
        _ status: surtitle_status, _ message: Message?, at position: Int? = nil, of index: Int? = nil,
        _ field: [UInt8] = []
    ) {
        self.status = status
        details = Details(message, position, index, field)
    }

    /// The same of the value called `field`.
    func of(_ field: Message) -> Refusal { Refusal(status, details?.message, at: details?.position, field.bytes) }

    /// The same of the value of one element of an array, or of the element as a whole: `tracks[2].language`,
    /// `tracks[2]`.
    func of(_ array: StaticString, _ index: Int) -> Refusal {
        let element: Message = "\(Message(array))[\(index)]"
        let field = details?.field ?? []
        let path = element.bytes + (field.isEmpty ? [] : [ASCII.period]) + field
        return Refusal(status, details?.message, at: details?.position, of: index, path)
    }

    /// Fills `error`, unless that is NULL, and returns the status.
    func fill(_ error: Place<surtitle_error>?) -> Int32 {
        guard let error = unsafe error else { return status.code }
        let message = (details?.message ?? Message(status.words)).bytes
        unsafe error.pointee.status = status.code
        unsafe error.pointee.message_count = Int32(truncatingIfNeeded: message.count)
        unsafe error.pointee.index = Int64(details?.index ?? -1)
        unsafe error.pointee.position = Int64(details?.position ?? -1)
        unsafe withUnsafeMutableBytes(of: &error.pointee.field) { unsafe Self.copy(details?.field ?? [], to: $0) }
        unsafe withUnsafeMutableBytes(of: &error.pointee.message) { unsafe Self.copy(message, to: $0) }
        return status.code
    }

    /// Copies a text with a NUL at its end; one that is too long is cut where a character ends.
    private static func copy(_ text: [UInt8], to memory: UnsafeMutableRawBufferPointer) {
        let count = text.countOfCharacters(within: memory.count - 1)
        for index in 0..<memory.count { unsafe memory[index] = index < count ? text[index] : 0 }
    }
}
