import Foundation
import Testing

@testable import surtitle

/// A file that is written again and again.
@Suite struct WatchedFileTests {
    @Test func itsBytesComeWheneverTheyHaveChanged() throws {
        let scratch = try Scratch()
        var file = WatchedFile(scratch.folder.appendingPathComponent("a").path)
        #expect(try file.read(upTo: 3) == nil)
        try scratch.write("a", [1])
        #expect(try file.read(upTo: 3) == [1] && file.read(upTo: 3) == nil)
        try scratch.write("a", [1, 2, 3])
        #expect(try file.read(upTo: 3) == [1, 2, 3] && file.read(upTo: 3) == nil)
        try FileManager.default.removeItem(atPath: file.path)
        #expect(try file.read(upTo: 3) == nil)
        // Too long a file is told once, and not again as long as it stays.
        try scratch.write("a", [1, 2, 3, 4])
        let error = #expect(throws: Failure.self) { try file.read(upTo: 3) }
        #expect(error?.message?.contains("at byte 3: more than 3 bytes") == true)
        #expect(try file.read(upTo: 3) == nil)
    }
}
