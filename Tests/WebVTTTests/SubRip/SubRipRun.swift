import Support
import Testing

@testable import WebVTT

/// What came of a file: the output before any error, and the error.
struct SubRipRun: Equatable, CustomStringConvertible {
    var output: [UInt8] = []
    var error: TranscodingError?
    var cueCount = 0
    var brokenArrowCount = 0
    var firstBrokenArrow: Int?

    /// A run over `file`, handed over in the chunks that `ranges` are.
    init(_ file: UnsafeRawBufferPointer, ranges: [Range<Int>], limits: SubRipLimits = SubRipLimits()) {
        var transcoder = SubRipTranscoder(limits: limits)
        self.init(file, ranges: ranges, with: &transcoder)
    }

    /// A run with a transcoder that is new or reset.
    init(_ file: UnsafeRawBufferPointer, ranges: [Range<Int>], with transcoder: inout SubRipTranscoder) {
        var output: [UInt8] = []
        do throws(TranscodingError) {
            for range in ranges {
                try transcoder.write(UnsafeRawBufferPointer(rebasing: file[range])) { output += $0 }
            }
            try transcoder.finish { output += $0 }
        } catch {
            self.error = error
        }
        self.output = output
        cueCount = transcoder.cueCount
        brokenArrowCount = transcoder.brokenArrowCount
        firstBrokenArrow = transcoder.firstBrokenArrow
    }

    /// A run over `file` handed over whole, which has been found to be the same as every other way to hand it over.
    init(checking file: [UInt8], limits: SubRipLimits = SubRipLimits(), isThorough: Bool = true) {
        let guarded = GuardedBytes(file)
        self.init(guarded.buffer, ranges: [0..<file.count], limits: limits)
        var transcoder = SubRipTranscoder(limits: limits)
        let splits =
            isThorough
            ? Splits.all(of: file.count)
            : Splits.random(of: file.count, times: 4) + [Splits.even(of: file.count, size: 1)]
        for (number, ranges) in splits.enumerated() {
            // Every other one is against the other guard page, and all but the first are with a transcoder that was reset.
            let buffer = number % 2 == 0 ? guarded.leadingBuffer : guarded.buffer
            let other = SubRipRun(buffer, ranges: ranges, with: &transcoder)
            if other != self { Issue.record("\(ranges): \(other), not \(self)") }
            transcoder.reset()
        }
    }

    var description: String {
        "\(String(decoding: output, as: UTF8.self).debugDescription), \(cueCount) cues"
            + (firstBrokenArrow.map { ", \(brokenArrowCount) left out, the first at \($0)" } ?? "")
            + (error.map { ", \($0)" } ?? "")
    }
}
