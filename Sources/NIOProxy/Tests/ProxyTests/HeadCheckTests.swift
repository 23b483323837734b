import Foundation
import HeadCheck
import Testing

/// The corpus of Fuzz/head-fuzz, replayed.
@Suite struct HeadCheckTests {
    private static var corpus: [URL] {
        get throws {
            let folder = URL(fileURLWithPath: #filePath).deletingLastPathComponent()
                .appendingPathComponent("../../Fuzz/Corpus").standardizedFileURL
            return try FileManager.default.contentsOfDirectory(at: folder, includingPropertiesForKeys: nil)
        }
    }

    @Test func whatIsAcceptedIsFramedAsNIOHasFramedIt() throws {
        let files = try Self.corpus
        #expect(files.count > 30)
        for file in files {
            let bytes = Array(try Data(contentsOf: file))
            #expect(HeadCheck.faults(in: bytes) == [], "\(file.lastPathComponent)")
            // Requests that break off anywhere, and with any one byte gone.
            for place in stride(from: 0, to: min(bytes.count, 400), by: 3) {
                #expect(HeadCheck.faults(in: Array(bytes[..<place])) == [], "\(file.lastPathComponent), \(place) bytes")
                var without = bytes
                without.remove(at: place)
                #expect(HeadCheck.faults(in: without) == [], "\(file.lastPathComponent), without byte \(place)")
            }
        }
    }
}
