import CReference
import WebVTT

/// The library's transcoder of SubRip.
enum Transcoding {
    /// Makes WebVTT of the file, and copies it to `output`; 0 if the file is refused.
    static func copied(
        _ file: UnsafeRawBufferPointer, inChunksOf size: Int, into output: OutputBuffer, times: Int
    ) -> UInt64 {
        var output = output
        var transcoder = SubRipTranscoder()
        var sum: UInt64 = 0
        do throws(TranscodingError) {
            for _ in 0..<times {
                output.removeAll()
                transcoder.reset()
                for chunk in file.chunks(of: size) { try transcoder.write(chunk) { output.append($0) } }
                try transcoder.finish { output.append($0) }
                Reference.keep(output.room.baseAddress)
                sum &+= UInt64(output.count)
            }
        } catch {
            return 0
        }
        return sum
    }
}
