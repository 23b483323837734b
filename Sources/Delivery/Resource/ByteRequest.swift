/// Which bytes of a resource a player asks for, as AVFoundation puts it: an offset, and a length or all that follows.
///
/// Any numbers may stand here. Nothing is added up before it is known to fit.
public struct ByteRequest: Equatable, Sendable {
    /// How many bytes.
    public enum Extent: Equatable, Sendable {
        /// So many, or fewer if the resource ends before.
        case bytes(Int)
        /// All up to the end.
        case toEnd
    }

    /// Which of the bytes there are.
    public enum Answer: Equatable, Sendable {
        /// These, which may be none. The range lies in the resource.
        case range(Range<Int>)
        /// The offset is past the end.
        case pastEnd
        /// The offset or the length is below 0.
        case malformed
    }

    /// Where the bytes begin, from 0.
    public var offset: Int64

    /// How many they are.
    public var extent: Extent

    /// The bytes from `offset` on.
    public init(offset: Int64, extent: Extent) {
        self.offset = offset
        self.extent = extent
    }

    /// What a data request of AVFoundation asks for: `requestedOffset`, `requestedLength` and
    /// `requestsAllDataToEndOfResource`.
    public init(offset: Int64, length: Int, toEnd: Bool) {
        self.init(offset: offset, extent: toEnd ? .toEnd : .bytes(length))
    }

    /// The whole resource.
    public static var whole: ByteRequest { ByteRequest(offset: 0, extent: .toEnd) }

    /// The last `count` bytes of a resource of `length` bytes, or all of a shorter one.
    public static func suffix(_ count: Int, of length: Int) -> ByteRequest {
        ByteRequest(offset: Int64(max(length, 0) - min(max(count, 0), max(length, 0))), extent: .toEnd)
    }

    /// Which of the bytes a resource of `length` bytes has; a request at its very end gets an empty range.
    public func answer(length: Int) -> Answer {
        guard offset >= 0 else { return .malformed }
        if case .bytes(let count) = extent, count < 0 { return .malformed }
        guard let start = Int(exactly: offset), start <= length else { return .pastEnd }
        switch extent {
        case .toEnd: return .range(start..<length)
        case .bytes(let count): return .range(start..<(start + min(count, length - start)))
        }
    }

    /// Whether it is for the first two bytes, with which AVPlayer begins.
    package var isForTwoBytes: Bool { offset == 0 && extent == .bytes(2) }
}
