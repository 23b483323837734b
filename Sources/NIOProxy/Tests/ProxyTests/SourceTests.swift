import Foundation
import Testing

/// Rules that the sources keep.
@Suite struct SourceTests {
    @Test func framingIsNamedInOnePlace() throws {
        let tests = URL(fileURLWithPath: #filePath).deletingLastPathComponent()
        let sources = tests.appendingPathComponent("../../Sources/SurtitleProxy").standardizedFileURL
        let files = try FileManager.default.subpathsOfDirectory(atPath: sources.path).filter { $0.hasSuffix(".swift") }
        let naming = try files.filter { file in
            let text = try String(contentsOf: sources.appendingPathComponent(file), encoding: .utf8).lowercased()
            return text.contains("content-length") || text.contains("transfer-encoding")
        }
        #expect(naming == ["Framing/Framing.swift"])
    }
}
