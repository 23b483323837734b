// iconv is in the C library, or beside it on Apple's systems.
#if canImport(Glibc)
import Glibc
#elseif canImport(Musl)
import Musl
#else
import Darwin
#endif

/// Converts text of another encoding into UTF-8 by the system's iconv, in chunks of any size.
///
/// What cannot be converted becomes U+FFFD, one for each unit (a byte; two or four in UTF-16 and UTF-32) at which no
/// character begins, and is counted. Memory is bounded: a character that goes on in the next chunk is kept, and some
/// thousand bytes of input and output.
@safe
final class EncodingConverter {
    private static let inputSize = 16 << 10
    private static let outputSize = 64 << 10
    /// No character has more bytes than this, with the escape sequences before it.
    private static let longestSequence = 64

    /// How many U+FFFD stand for what could not be converted.
    private(set) var malformedCount = 0
    /// The stream position, in bytes, of the first of these.
    private(set) var firstMalformed: Int?

    private let descriptor: iconv_t
    /// How many bytes are skipped where no character begins.
    private let unit: Int
    private let input: UnsafeMutableRawBufferPointer
    private let output: UnsafeMutableRawBufferPointer
    /// How many bytes at the beginning of `input` have not been converted.
    private var pendingCount = 0
    /// The stream position of the first of them.
    private var position = 0
    /// Whether nothing has been handed out.
    private var isAtStart = true

    /// A converter of a file in `encoding`.
    init(_ encoding: TextEncoding) throws(UnknownEncodingError) {
        guard let descriptor = unsafe Self.open(encoding) else { throw UnknownEncodingError(encoding.name) }
        unsafe self.descriptor = descriptor
        unit = unsafe Self.unit(of: descriptor)
        unsafe input = .allocate(byteCount: Self.inputSize, alignment: 64)
        unsafe output = .allocate(byteCount: Self.outputSize, alignment: 64)
    }

    deinit {
        unsafe input.deallocate()
        unsafe output.deallocate()
        _ = unsafe iconv_close(descriptor)
    }

    /// Converts the next chunk, and hands out the characters that are whole.
    func write<Failure>(_ chunk: UnsafeRawBufferPointer, _ body: TextDecoder.Body<Failure>) throws(Failure) {
        var offset = 0
        while offset < chunk.count {
            let count = min(chunk.count - offset, Self.inputSize - pendingCount)
            let part = unsafe UnsafeRawBufferPointer(rebasing: chunk[offset..<offset + count])
            unsafe UnsafeMutableRawBufferPointer(rebasing: input[pendingCount...]).copyMemory(from: part)
            pendingCount += count
            offset += count
            try unsafe convertPending(isLast: false, body)
        }
    }

    /// Ends the text: what is left of it is no character.
    func finish<Failure>(_ body: TextDecoder.Body<Failure>) throws(Failure) {
        try unsafe convertPending(isLast: true, body)
        // Some encodings keep a character back until they know what follows it.
        var space = Self.outputSize
        var target = unsafe output.assumingMemoryBound(to: CChar.self).baseAddress
        _ = unsafe iconv(descriptor, nil, nil, &target, &space)
        try unsafe handOut(Self.outputSize - space, body)
    }

    private func convertPending<Failure>(isLast: Bool, _ body: TextDecoder.Body<Failure>) throws(Failure) {
        var start = 0
        while start < pendingCount {
            var source = unsafe input.assumingMemoryBound(to: CChar.self).baseAddress.map { unsafe $0 + start }
            var rest = pendingCount - start
            var target = unsafe output.assumingMemoryBound(to: CChar.self).baseAddress
            var space = Self.outputSize
            let result = unsafe iconv(descriptor, &source, &rest, &target, &space)
            let code = errno
            start = pendingCount - rest
            try unsafe handOut(Self.outputSize - space, body)
            guard Int(result) == -1 else { break }
            if code == E2BIG { continue }
            if code == EINVAL, !isLast, rest < Self.longestSequence { break }
            try unsafe replaceUnit(at: position + start, body)
            start += min(unit, rest)
        }
        let rest = unsafe UnsafeRawBufferPointer(rebasing: input[start..<pendingCount])
        unsafe input.copyMemory(from: rest)
        pendingCount -= start
        position += start
    }

    /// Hands out the first `count` bytes of the output, without a byte order mark at the beginning of the text.
    private func handOut<Failure>(_ count: Int, _ body: TextDecoder.Body<Failure>) throws(Failure) {
        guard count > 0 else { return }
        var bytes = unsafe UnsafeRawBufferPointer(rebasing: output[..<count])
        // Characters are never cut, and neither is the mark.
        if isAtStart, unsafe bytes.starts(with: [0xEF, 0xBB, 0xBF]) {
            unsafe bytes = UnsafeRawBufferPointer(rebasing: bytes[3...])
        }
        isAtStart = false
        if bytes.count > 0 { try unsafe body(bytes) }
    }

    private func replaceUnit<Failure>(at position: Int, _ body: TextDecoder.Body<Failure>) throws(Failure) {
        malformedCount += 1
        firstMalformed = firstMalformed ?? position
        isAtStart = false
        try unsafe [0xEF, 0xBF, 0xBD].withUnsafeBufferPointer { (bytes: UnsafeBufferPointer<UInt8>) throws(Failure) in
            try unsafe body(UnsafeRawBufferPointer(bytes))
        }
    }

    private static func open(_ encoding: TextEncoding) -> iconv_t? {
        let descriptor: iconv_t? = unsafe iconv_open("UTF-8", encoding.name)
        return unsafe Int(bitPattern: descriptor) == -1 ? nil : descriptor
    }

    /// The size of the smallest piece of text in bytes: the least number of zeros that are a whole character.
    private static func unit(of descriptor: iconv_t) -> Int {
        for count in [1, 2, 4] {
            var zeros = [CChar](repeating: 0, count: 4)
            var space = [CChar](repeating: 0, count: 16)
            let isWhole = unsafe zeros.withUnsafeMutableBufferPointer { zeros in
                unsafe space.withUnsafeMutableBufferPointer { space in
                    var (source, target) = (zeros.baseAddress, space.baseAddress)
                    var (rest, room) = (count, space.count)
                    return unsafe Int(iconv(descriptor, &source, &rest, &target, &room)) != -1
                }
            }
            _ = unsafe iconv(descriptor, nil, nil, nil, nil)
            if isWhole { return count }
        }
        return 1
    }
}
