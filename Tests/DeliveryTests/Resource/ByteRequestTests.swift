import Delivery
import Support
import Testing

/// Which bytes a request gets of a resource, as AVFoundation puts it.
@Suite struct ByteRequestTests {
    private static let length = 10

    @Test(arguments: [
        (ByteRequest(offset: 0, length: 2, toEnd: false), ByteRequest.Answer.range(0..<2), "the probe"),
        (ByteRequest(offset: 0, length: 10, toEnd: false), .range(0..<10), "all of it"),
        (ByteRequest(offset: 0, length: .max, toEnd: false), .range(0..<10), "an enormous length"),
        (ByteRequest(offset: 3, length: .max, toEnd: false), .range(3..<10), "offset and length would overflow"),
        (ByteRequest(offset: 9, length: 1, toEnd: false), .range(9..<10), "the last byte"),
        (ByteRequest(offset: 9, length: 2, toEnd: false), .range(9..<10), "clamped to the end"),
        (ByteRequest(offset: 4, length: 0, toEnd: false), .range(4..<4), "empty"),
        (ByteRequest(offset: 10, length: 5, toEnd: false), .range(10..<10), "at the end there is nothing left"),
        (ByteRequest(offset: 10, length: 0, toEnd: true), .range(10..<10), "nor to the end"),
        (ByteRequest(offset: 11, length: 1, toEnd: false), .pastEnd, "past the end"),
        (ByteRequest(offset: .max, length: .max, toEnd: false), .pastEnd, "the largest numbers"),
        (ByteRequest(offset: .max, length: 0, toEnd: true), .pastEnd, "the largest offset"),
        (ByteRequest(offset: 6, length: 0, toEnd: true), .range(6..<10), "open-ended, whatever the length"),
        (ByteRequest(offset: 0, length: -1, toEnd: true), .range(0..<10), "of no length if it is open-ended"),
        (ByteRequest(offset: -1, length: 5, toEnd: false), .malformed, "an offset below 0"),
        (ByteRequest(offset: .min, length: 5, toEnd: true), .malformed, "the lowest offset"),
        (ByteRequest(offset: 0, length: .min, toEnd: false), .malformed, "the lowest length"),
        (.whole, .range(0..<10), "the whole"),
        (.suffix(3, of: length), .range(7..<10), "a suffix"), (.suffix(11, of: length), .range(0..<10), "a longer one"),
        (.suffix(0, of: length), .range(10..<10), "an empty one"),
        (.suffix(-1, of: length), .range(10..<10), "below 0"),
        (.suffix(.max, of: length), .range(0..<10), "the largest"),
        (.suffix(.min, of: length), .range(10..<10), "the lowest"),
    ])
    func answers(_ request: ByteRequest, _ expected: ByteRequest.Answer, _ reason: String) {
        #expect(request.answer(length: Self.length) == expected, "\(reason)")
    }

    @Test func nothingIsInAnEmptyResource() {
        #expect(ByteRequest.whole.answer(length: 0) == .range(0..<0))
        #expect(ByteRequest(offset: 0, length: 2, toEnd: false).answer(length: 0) == .range(0..<0))
        #expect(ByteRequest(offset: 1, length: 2, toEnd: false).answer(length: 0) == .pastEnd)
        #expect(ByteRequest.suffix(4, of: -3).answer(length: 0) == .range(0..<0))
    }

    static let offsets: [Int64] = [0, 1, 2, 3, 7, 8, 9, -1, .max, .min, .max - 1, Int64(Int32.max)]
    static let lengths = [0, 1, 2, 3, 8, 9, -1, .max, .min, .max - 7]

    /// Every combination of numbers, against the form that looks at each byte.
    @Test(arguments: 0..<9)
    func isTheNaiveAnswer(of length: Int) {
        for offset in Self.offsets {
            for count in Self.lengths.map({ Optional($0) }) + [nil] {
                let request = ByteRequest(offset: offset, extent: count.map { .bytes($0) } ?? .toEnd)
                let naive = NaiveRanges.positions(offset, count, of: length)
                switch request.answer(length: length) {
                case .range(let range):
                    #expect(naive == Array(range) && range.lowerBound >= 0 && range.upperBound <= length, "\(request)")
                case .pastEnd, .malformed: #expect(naive == nil, "\(request)")
                }
            }
        }
    }

    @Test(arguments: 0..<50)
    func randomRequestsStayInside(seed: UInt64) {
        var generator = SeededGenerator(seed: seed)
        for _ in 0..<400 {
            let length = Int.random(in: 0...40, using: &generator)
            let offset =
                Bool.random(using: &generator)
                ? Int64.random(in: -3...44, using: &generator) : Int64(bitPattern: generator.next())
            let count =
                Bool.random(using: &generator)
                ? Int.random(in: -3...44, using: &generator) : Int(truncatingIfNeeded: generator.next())
            let toEnd = Bool.random(using: &generator)
            let request = ByteRequest(offset: offset, length: count, toEnd: toEnd)
            let naive = NaiveRanges.positions(offset, toEnd ? nil : count, of: length)
            guard case .range(let range) = request.answer(length: length) else {
                #expect(naive == nil, "\(request) of \(length)")
                continue
            }
            #expect(naive == Array(range), "\(request) of \(length)")
        }
    }
}
