import Support

/// Makes inputs of inputs: most of each stays well-formed, and one thing or a few are broken.
public struct Mutator {
    /// Changes a text without a grammar, into one of at most so many bytes.
    public typealias Blind = (_ text: [UInt8], _ room: Int) -> [UInt8]

    private let grammar: Grammar
    private var generator: SeededGenerator

    /// A mutator whose work depends on `seed` alone.
    public init(_ grammar: Grammar, seed: UInt64) {
        self.grammar = grammar
        generator = SeededGenerator(seed: seed)
    }

    /// Another input of at most `room` bytes.
    public mutating func mutated(_ input: [UInt8], room: Int, blindly: Blind) -> [UInt8] {
        var (head, text) = Self.parts(of: input)
        let textRoom = room - head.count
        guard textRoom > 0 else { return Array(input.prefix(room)) }
        switch number(8) {
        case 0: head[number(head.count - 1)] = UInt8(number(256))
        case 1, 2: text = blindly(text, textRoom)
        default:
            for _ in 0...number(3) { change(&text) }
            if number(8) == 0 { head[number(head.count - 1)] = UInt8(number(256)) }
        }
        return head + text.prefix(textRoom)
    }

    /// The beginning of one and the end of the other, both cut where a line begins.
    public mutating func crossed(_ first: [UInt8], _ second: [UInt8], room: Int) -> [UInt8] {
        let (head, beginning) = Self.parts(of: Bool.random(using: &generator) ? first : second)
        let (left, right) = (Self.lines(of: beginning), Self.lines(of: Self.parts(of: second).text))
        var text = Array(left.prefix(number(left.count + 1))) + Array(right.dropFirst(number(right.count + 1)))
        if number(4) == 0 { text += left.suffix(number(left.count + 1)) }
        return Array((head + text.flatMap { $0 }).prefix(room))
    }

    private static func parts(of input: [UInt8]) -> (head: [UInt8], text: [UInt8]) {
        let missing = max(0, FuzzInput.headCount - input.count)
        let head = input.prefix(FuzzInput.headCount) + [UInt8](repeating: 0x0A, count: missing)
        return (Array(head), Array(input.dropFirst(FuzzInput.headCount)))
    }

    /// The lines of `text` with what ends them: LF, CR or CRLF.
    static func lines(of text: [UInt8]) -> [[UInt8]] {
        var lines: [[UInt8]] = []
        var line: [UInt8] = []
        for (index, byte) in text.enumerated() {
            line.append(byte)
            let isEnd = byte == 0x0A || byte == 0x0D && (index + 1 == text.count || text[index + 1] != 0x0A)
            guard isEnd else { continue }
            lines.append(line)
            line = []
        }
        return line.isEmpty ? lines : lines + [line]
    }

    private mutating func number(_ count: Int) -> Int { Int.random(in: 0..<max(1, count), using: &generator) }

    private mutating func change(_ text: inout [UInt8]) {
        var lines = Self.lines(of: text)
        let place = number(lines.count)
        guard !lines.isEmpty, number(5) != 0 else {
            let fresh = grammar.fragment(using: &generator)
            lines.insert(fresh, at: number(lines.count + 1))
            text = Array(lines.joined())
            return
        }
        switch number(12) {
        case 0: lines.remove(at: place)
        case 1: lines.insert(lines[place], at: number(lines.count + 1))
        case 2: lines.swapAt(place, number(lines.count))
        case 3: endOtherwise(&lines[place])
        case 4, 5, 6: changeList(&lines[place])
        case 7: stretch(&lines[place])
        case 8: lines[place].removeSubrange(range(in: lines[place]))
        case 9: changeDigit(&lines[place])
        case 10: lines.removeLast(number(min(lines.count, 3)))
        default: lines[place].insert(contentsOf: grammar.token(using: &generator), at: number(lines[place].count + 1))
        }
        text = Array(lines.joined())
    }

    private mutating func range(in line: [UInt8]) -> Range<Int> {
        let start = number(line.count)
        return start..<min(line.count, start + 1 + number(8))
    }

    private mutating func endOtherwise(_ line: inout [UInt8]) {
        while let last = line.last, last == 0x0A || last == 0x0D { line.removeLast() }
        let ends = ["\n", "\r\n", "\r", "", "\n\n", "\r\r", "\r\n\r\n", "\r\r\n", " \n"]
        line += Array(ends[number(ends.count)].utf8)
    }

    /// Repeats one byte, so that what follows moves within the blocks of 64 bytes that are searched at once.
    private mutating func stretch(_ line: inout [UInt8]) {
        let place = number(line.count)
        let byte = line[place] == 0x0A || line[place] == 0x0D ? 0x20 : line[place]
        let counts = [1, 2, 7, 8, 15, 31, 62, 63, 64, 65, 127, 128]
        line.insert(contentsOf: [UInt8](repeating: byte, count: counts[number(counts.count)]), at: place)
    }

    private mutating func changeDigit(_ line: inout [UInt8]) {
        let digits = line.indices.filter { (0x30...0x39).contains(line[$0]) }
        guard !digits.isEmpty else { return }
        line[digits[number(digits.count)]] = UInt8(0x30 + number(10))
    }

    /// Does something to an attribute of a list, and leaves the others as they are.
    private mutating func changeList(_ line: inout [UInt8]) {
        let content = Array(line.prefix { $0 != 0x0A && $0 != 0x0D })
        let start =
            content.first == UInt8(ascii: "#") ? content.firstIndex(of: UInt8(ascii: ":")).map { $0 + 1 } ?? 0 : 0
        var pieces = NaiveAttributes.pieces(of: Array(content[start...]))
        guard start > 0 || grammar == .attributes, !pieces.isEmpty else {
            line.insert(contentsOf: grammar.token(using: &generator), at: number(line.count + 1))
            return
        }
        let place = number(pieces.count)
        switch number(8) {
        case 0: pieces.remove(at: place)
        case 1: pieces.insert(pieces[place], at: number(pieces.count + 1))
        case 2: pieces.swapAt(place, number(pieces.count))
        case 3: pieces.insert(PlaylistTokens.list(using: &generator), at: place)
        case 4: pieces[place] = Array("X-".utf8) + pieces[place]
        case 5: pieces[place].insert(0x22, at: number(pieces[place].count + 1))
        case 6: pieces[place].insert(Bool.random(using: &generator) ? 0x20 : 0x09, at: number(pieces[place].count + 1))
        default: pieces[place].insert(contentsOf: grammar.token(using: &generator), at: number(pieces[place].count + 1))
        }
        let list = Array(pieces.joined(separator: [UInt8(ascii: ",")]))
        line = Array(content[..<start]) + list + Array(line.dropFirst(content.count))
    }
}
