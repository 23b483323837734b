import CReference
import Inputs

extension Row {
    /// A SubRip file made WebVTT and the output copied, against copying the file.
    static func subRip(_ key: String, _ input: Input, limit: Double?) -> Row {
        let bytes = input.bytes
        let output = OutputBuffer(capacity: 2 * bytes.count)
        let room = output.room
        func transcode(inChunksOf size: Int, times: Int) -> UInt64 {
            Transcoding.copied(bytes, inChunksOf: size, into: output, times: times)
        }
        return Row(
            key: key, work: "SubRip to WebVTT, copied", input: input, reference: "memcpy", limit: limit,
            run: { transcode(inChunksOf: bytes.count, times: $0) },
            runInChunks: { transcode(inChunksOf: UnsafeRawBufferPointer.countedChunk, times: $0) },
            runReference: repeating { Reference.copy(bytes.baseAddress, bytes.count, into: room.baseAddress) },
            fault: {
                let expected = Expected.transcoded(bytes)
                for size in [bytes.count] + UnsafeRawBufferPointer.checkedChunks {
                    let count = transcode(inChunksOf: size, times: 1)
                    guard count == expected.count, room.prefix(expected.count).elementsEqual(expected) else {
                        return "in chunks of \(size) bytes: the output is not the expected one"
                    }
                }
                return nil
            }
        )
    }
}
