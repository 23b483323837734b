import ByteScan
import Testing

@testable import Delivery

/// What is told of a live stream: each note has a bit and words of its own.
struct LiveNotesTests {
    @Test func eachHasABitAndWords() {
        #expect(LiveNotes.all.map(\.note.rawValue) == (0..<11).map { 1 << $0 })
        #expect(Set(LiveNotes.all.map { "\($0.words)" }).count == 11)
        func words(_ notes: LiveNotes) -> [String] { notes.messages.map { "\($0)" } }
        #expect(
            words([]).isEmpty && words([.restarted, .missed]) == ["segments were missed", "the stream has begun anew"])
        #expect(words(LiveNotes(rawValue: .max)).count == 11)
    }
}
