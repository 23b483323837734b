import ByteScan
import CReference
import Delivery
import Inputs
import WebVTT

/// A live stream's playlist that moves on by a segment each time, and the channel that follows it.
///
/// Numbers and dates have always as many digits. So the playlist moves on in place: segments move to the front, and the last one gets another
/// number and another date.
final class Following {
    private var channel = LiveChannel(LiveConfiguration(anchor: .date(0), map: .none))
    private var output = OutputPieces()
    private let names = LiveNames(prefix: Array("en/".utf8))
    private var playlist: [UInt8]
    /// Where segments begin, how many bytes each has, and how many there are.
    private let start: Int
    private let stride = Array(Input.liveSegment.utf8).count
    private let count: Int
    /// The number of the segment behind the last.
    private var next: Int

    /// Follows a playlist of ``Input/liveMedia``.
    init(_ bytes: UnsafeRawBufferPointer) {
        playlist = Array(bytes)
        start = Array(Input.liveHead.utf8).count
        count = (playlist.count - start) / stride
        next = count
        // Windows that have slid out are kept up to a bound, and memory has its size then.
        for _ in 0..<(Row.beginsSteady ? 4 * count : 8) { _ = follow() }
    }

    /// The next version, in place of the one before.
    private func advance() {
        let last = playlist.count - stride
        playlist.withUnsafeMutableBytes { bytes in
            guard let base = bytes.baseAddress else { return }
            (base + start).copyMemory(from: base + start + stride, byteCount: last - start)
        }
        write(1 + next / 14_400 % 28, width: 2, endingAt: last + 35)
        write(next / 600 % 24, width: 2, endingAt: last + 38)
        write(next / 10 % 60, width: 2, endingAt: last + 41)
        write(next * 6 % 60, width: 2, endingAt: last + 44)
        write(next, width: 9, endingAt: playlist.count - 4)
        next += 1
        write(next - count, width: 9, endingAt: start - 1)
    }

    private func write(_ number: Int, width: Int, endingAt end: Int) {
        var rest = number
        for place in 1...width {
            playlist[end - place] = UInt8(0x30 + rest % 10)
            rest /= 10
        }
    }

    /// Moves on, takes the version and writes the rendition: how many bytes that has.
    private func follow() -> Int {
        advance()
        _ = try? playlist.withUnsafeBytes { try channel.take($0) }
        channel.playlist(named: names, into: &output)
        return output.byteCount
    }

    /// The same so many times.
    func follow(times: Int) -> UInt64 {
        var sum: UInt64 = 0
        for _ in 0..<times { sum &+= UInt64(follow()) }
        return sum
    }

    /// Takes the same version again so many times.
    func takeAgain(times: Int) -> UInt64 {
        var count: UInt64 = 0
        for _ in 0..<times {
            let change = try? playlist.withUnsafeBytes { try channel.take($0) }
            if change == .unchanged { count &+= 1 }
        }
        return count
    }

    /// What is wrong with the rendition, or nil.
    func fault() -> String? {
        _ = follow()
        var rendition: [UInt8] = []
        for piece in output { rendition += piece.bytes(in: [UInt8]()) }
        return rendition == Expected.rendition(of: playlist) ? nil : "the rendition is not the expected one"
    }
}
