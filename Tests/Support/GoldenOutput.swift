import Foundation

/// Numbers that stand for what some configuration makes of many texts: they change when the output does.
public struct GoldenOutput: Equatable, Sendable, CustomStringConvertible {
    /// What stands for the texts.
    public private(set) var inputs: UInt64 = 0xCBF2_9CE4_8422_2325
    /// What stands for what becomes of them.
    public private(set) var outputs: UInt64 = 0xCBF2_9CE4_8422_2325

    /// Of no texts.
    public init() {}

    /// What is on record.
    public init(inputs: UInt64, outputs: UInt64) {
        self.inputs = inputs
        self.outputs = outputs
    }

    /// Adds `text`, and what becomes of it.
    public mutating func add(_ text: [UInt8], _ output: [UInt8]) {
        Self.mix(text, into: &inputs)
        Self.mix(output, into: &outputs)
    }

    /// What is wrong beside `recorded`, which is what the version of the output was when it was noted; nil if nothing is.
    public func fault(beside recorded: GoldenOutput?) -> String? {
        guard let recorded else { return "nothing is on record for this version of the output; note \(self)" }
        if inputs != recorded.inputs { return "the texts have changed: see that the output has not, and note \(self)" }
        if outputs != recorded.outputs {
            return "the output has changed: raise outputVersion, so that fingerprints change, and note \(self) for it"
        }
        return nil
    }

    /// The files of the folder Tests/Fixtures whose names end in `.suffix`, in order of their names.
    public static func fixtures(withExtension suffix: String) throws -> [[UInt8]] {
        let folder = URL(fileURLWithPath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
            .appendingPathComponent("Fixtures")
        let found = FileManager.default.enumerator(at: folder, includingPropertiesForKeys: nil)?
            .compactMap { $0 as? URL }.filter { $0.pathExtension == suffix }.sorted { $0.path < $1.path }
        guard let found, !found.isEmpty else { throw CocoaError(.fileNoSuchFile) }
        return try found.map { try Conformance.bytes(of: $0) }
    }

    /// The numbers as they are to be noted.
    public var description: String {
        "GoldenOutput(inputs: 0x\(String(inputs, radix: 16)), outputs: 0x\(String(outputs, radix: 16)))"
    }

    private static func mix(_ bytes: [UInt8], into number: inout UInt64) {
        for byte in bytes + [0xFF] { number = (number ^ UInt64(byte)) &* 0x0000_0100_0000_01B3 }
    }
}
