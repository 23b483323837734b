import CReference

// SEAM: stands in for the library until MasterRewriter is there. The blind edit does its work meanwhile.

/// The library's rewriter, one that is reset and used again for every playlist.
enum Sideloading {
    /// The lines that the two tracks come to at the end of a master playlist.
    static let renditions = ""

    /// Sideloads, and copies what comes out to `output`.
    static func copied(_ bytes: UnsafeRawBufferPointer, into output: OutputBuffer, times: Int) -> UInt64 {
        var sum: UInt64 = 0
        for _ in 0..<times {
            output.removeAll()
            let room = output.room
            sum &+= UInt64(Reference.blindEdit(bytes.baseAddress, bytes.count, into: room.baseAddress, room.count))
        }
        return sum
    }

    /// Sideloads, and notes the slices that come out.
    static func sliced(_ bytes: UnsafeRawBufferPointer, to slices: SliceList, times: Int) -> UInt64 {
        var sum: UInt64 = 0
        for _ in 0..<times {
            slices.removeAll()
            sum &+= Reference.lines(bytes.baseAddress, bytes.count)
            slices.append(bytes)
            Reference.keep(bytes.baseAddress)
        }
        return sum
    }

    /// What is wrong with the output for `bytes`, whole and in small chunks, or nil.
    static func fault(in bytes: UnsafeRawBufferPointer, expected: [UInt8]) -> String? {
        let room = UnsafeMutableRawBufferPointer.allocate(byteCount: 2 * bytes.count, alignment: 1)
        defer { room.deallocate() }
        let count = Reference.blindEdit(bytes.baseAddress, bytes.count, into: room.baseAddress, room.count)
        return room[..<count].elementsEqual(expected) ? nil : "the output is not the expected one"
    }
}
