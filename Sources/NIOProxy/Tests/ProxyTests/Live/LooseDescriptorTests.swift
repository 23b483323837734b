import Foundation
import Testing

@testable import SurtitleProxy

/// Files that are read without waiting.
@Suite struct LooseDescriptorTests {
    private static func withFile(_ count: Int, _ body: (String) throws -> Void) throws {
        let path = FileManager.default.temporaryDirectory.appendingPathComponent("\(UUID())").path
        try Data((0..<count).map { UInt8($0 % 251) }).write(to: URL(fileURLWithPath: path))
        defer { unlink(path) }
        try body(path)
    }

    /// A read brings 64 KiB at a time, and 4 MiB at most; the end shows once it is met.
    @Test(arguments: [
        (0, [0], 1), (5, [5], 1), (65_536, [65_536], 1), (65_537, [65_537], 1), (4_194_304, [4_194_304, 0], 1),
        (4_194_305, [4_194_304, 1], 1),
    ])
    func aFileIsRead(_ count: Int, _ reads: [Int], _ ends: Int) throws {
        try Self.withFile(count) { path in
            let file = LooseDescriptor()
            #expect(!file.isOpen && file.read { _ in } == 0)
            #expect(file.open(path) && file.isOpen)
            var (bytes, ended) = ([UInt8](), 0)
            #expect(reads.map { _ in file.read(into: { bytes += $0 }, atEnd: { ended += 1 }) } == reads)
            #expect(bytes == (0..<count).map { UInt8($0 % 251) } && ended == ends)
            file.close()
            #expect(!file.isOpen && file.read { _ in } == 0)
        }
    }

    @Test func whatIsNotThereIsNotOpened() {
        let file = LooseDescriptor()
        #expect(!file.open("/nonexistent") && errno == ENOENT && !file.isOpen)
    }

    @Test func oneTakesThePlaceOfTheOneBefore() throws {
        try Self.withFile(3) { path in
            let file = LooseDescriptor()
            #expect(file.open(path) && file.read { _ in } == 3)
            #expect(file.open(path) && file.read { _ in } == 3, "from its beginning")
            #expect(!file.open("/nonexistent") && !file.isOpen)
        }
    }
}
