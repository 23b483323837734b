import Delivery
import Foundation
import Support
import Testing

/// Foundation's reader as a second opinion, where it is as strict.
@Suite struct JSONSerializationTests {
    /// Foundation takes the last of two equal keys and a comma before the end of an object, refuses numbers that no Double holds, and has a
    /// depth of its own; so those texts are left out.
    private static func isComparable(_ text: [UInt8]) -> Bool {
        guard let error = Transcript.refusal(text, JSONLimits(depth: 400)) else {
            let events = (try? Transcript.events(text, JSONLimits(depth: 400))) ?? []
            return events.allSatisfy { event in
                !event.hasPrefix("number ") || Double(event.dropFirst(7))?.isFinite == true
            }
        }
        return ![.duplicateKey, .trailingComma, .depth].contains(error.reason)
    }

    @Test func agreesAboutWhatIsJSON() throws {
        var generator = SeededGenerator(seed: 4)
        var (accepted, refused) = (0, 0)
        for round in 0..<4000 {
            var text = JSONTokens.document(using: &generator)
            if round % 2 == 1 {
                text.insert(
                    contentsOf: JSONTokens.token(using: &generator),
                    at: Int.random(in: 0...text.count, using: &generator))
            }
            // A mark or a NUL at the start tells Foundation of other encodings.
            guard Self.isComparable(text), !text.contains(0), !text.starts(with: [0xEF, 0xBB, 0xBF]) else { continue }
            let object = try? JSONSerialization.jsonObject(with: Data(text), options: .fragmentsAllowed)
            let isAccepted = Transcript.refusal(text, JSONLimits(depth: 400)) == nil
            #expect((object != nil) == isAccepted, "\(String(decoding: text, as: UTF8.self).debugDescription)")
            if isAccepted { accepted += 1 } else { refused += 1 }
        }
        #expect(accepted > 1500 && refused > 500, "\(accepted) \(refused)")
    }

    /// What Foundation writes reads as what it was made of.
    @Test func readsWhatFoundationWrites() throws {
        let object: [String: Any] = [
            "tracks": [["uri": "a/é🎬.m3u8", "name": "\"\\/\u{8}\u{C}\n\r\t\u{1}\u{7F}", "default": true]], "n": -12,
            "z": NSNull(),
        ]
        let text = [UInt8](try JSONSerialization.data(withJSONObject: object, options: [.prettyPrinted, .sortedKeys]))
        #expect(
            try Transcript.events(text) == [
                "{", "key n", "number -12", "key tracks", "[", "{", "key default", "true", "key name",
                "string \"\\/<8><c><a><d><9><1><7f>", "key uri", "string a/<e9><1f3ac>.m3u8", "}", "]", "key z", "null",
                "}",
            ])
    }
}
