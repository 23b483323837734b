import CByteScan
import Support

/// The kernels of CByteScan, in every form that the processor has.
///
/// 1. Every form gives the naive answer, and so all give the same. The finder of lines has its naive form in Tests/Kernels alone; here
///    its forms are held against each other.
/// 2. No form reads outside of the text: it lies before a page that cannot be read, and then after one.
enum KernelCheck {
    static func run(_ input: inout FuzzInput, _ faults: inout Faults) {
        let use = Use(&input.choices, on: input.text)
        let text = GuardedBytes(input.text)
        for buffer in [text.buffer, text.leadingBuffer] {
            guard let base = buffer.baseAddress?.assumingMemoryBound(to: UInt8.self) else { continue }
            var number = 0
            var expected: [[Int]]?
            while let form = kernelForm(number)?.pointee {
                let answers = Answers(form, base, use)
                answers.check(&faults, "form \(number)")
                let lines = answers.foundLines()
                faults.expect(lines, is: expected ?? lines, "find_lines, form \(number)")
                expected = lines
                number += 1
            }
        }
    }

    /// What the kernels are asked.
    struct Use {
        let naive: NaiveKernels
        let byte: UInt8
        let pair: BytePair
        let list: Range<Int>
        let finder: LineFinderMemory

        init(_ choices: inout Choices, on text: [UInt8]) {
            naive = NaiveKernels(text: text, offset: choices.number(upTo: min(text.count, 100)))
            byte = choices.pick([0x0A, 0x22, 0x2C, 0x3D, 0x23, 0x00, 0xFF])
            let distance = UInt16(choices.number(upTo: 12))
            pair = BytePair(first: choices.pick([0x53, 0x22, 0x0A, 0x2C]), second: byte, distance: distance)
            let start = choices.number(upTo: text.count)
            list = start..<(start + choices.number(upTo: text.count - start))
            finder = Self.finder(&choices, pair)
        }

        private static func finder(_ choices: inout Choices, _ pair: BytePair) -> LineFinderMemory {
            var finder = LineFinderMemory()
            finder.filter = filter(&choices)
            finder.successor = filter(&choices)
            finder.pair = pair
            finder.simple = prefix(choices.pick(["#EXT-X-STREAM-INF:", "#EXT-X-MEDIA:", "#", "\n"]))
            finder.skipped = (
                prefix("#EXT-X-MEDIA:TYPE=AUDIO,"), prefix(choices.pick(["#EXT-X-I-FRAME-STREAM-INF:", "v"]))
            )
            finder.shortest = choices.number(upTo: 24)
            finder.span = choices.number(upTo: 200)
            return finder
        }

        private static func filter(_ choices: inout Choices) -> LineFilter {
            let second: (UInt8, UInt16) = choices.pick([(0x23, 1), (0x0A, 0), (0x2D, 5)])
            let hashes: UInt64 = choices.pick([.max, 0, 0xAAAA_AAAA_AAAA_AAAA, 0x0F0F_F0F0_0FF0_F00F])
            return LineFilter(
                anchor: BytePair(first: 0x0A, second: second.0, distance: second.1),
                tellsSkipped: choices.number(upTo: 1) == 1,
                skips: choices.number(upTo: 1) == 1, hashes: hashes, capacity: choices.number(upTo: 31) + 1)
        }

        private static func prefix(_ text: String) -> LinePrefix {
            var prefix = LinePrefix()
            withUnsafeMutableBytes(of: &prefix.words) { $0.copyBytes(from: text.utf8) }
            withUnsafeMutableBytes(of: &prefix.mask) { mask in
                for index in 0..<text.utf8.count { mask[index] = 0xFF }
            }
            return prefix
        }
    }

    /// One form's answers to what is asked of the bytes at `base`.
    struct Answers {
        private let form: KernelForm
        private let base: UnsafePointer<UInt8>
        private let use: Use

        init(_ form: KernelForm, _ base: UnsafePointer<UInt8>, _ use: Use) {
            self.form = form
            self.base = base
            self.use = use
        }

        func check(_ faults: inout Faults, _ name: String) {
            let naive = use.naive
            let count = naive.text.count
            let match = form.findByte(base, naive.offset, count - 64, use.byte)
            faults.expect(
                [UInt64(match.start), match.bits], is: naive.findByte(use.byte, last: count - 64), "find_byte, \(name)")
            let line = form.measureLine(base, naive.offset, count - 76, use.pair)
            faults.expect(
                [UInt64(line.offset), line.ends, line.hasOddQuotes ? 1 : 0, line.mayContain ? 1 : 0],
                is: naive.measureLine(lookingFor: use.pair, last: count - 76), "measure_line, \(name)")
            faults.expect(masks(), is: naive.maskLines(), "mask_lines, \(name)")
            faults.expect(
                form.passUTF8(base, naive.offset, count - 64), is: naive.passUTF8(last: count - 64),
                "pass_utf8, \(name)")
            checkItems(&faults, name)
        }

        /// All lines that the finder reports, and after each call where it goes on.
        func foundLines() -> [[Int]] {
            let last = use.naive.text.count - 96
            var finder = use.finder
            var found: [[Int]] = []
            var offset = use.naive.offset
            repeat {
                let count = form.findLines(base, offset, last, &finder)
                for index in 0..<count {
                    let line = foundLine(&finder, index)
                    found.append([line.start, line.end])
                }
                found.append([finder.next])
                if finder.next <= offset { break }
                offset = finder.next
            } while offset <= last
            return found
        }

        private func masks() -> [UInt64] {
            let blocks = (use.naive.text.count - use.naive.offset) / 64
            var carry = BlockCarry()
            var batch = LineBatchMemory()
            var answer: [UInt64] = []
            var lines = 0
            for first in stride(from: 0, to: blocks, by: Int(bytescan_batch_capacity)) {
                batch.clear()
                let count = min(blocks - first, Int(bytescan_batch_capacity))
                form.maskLines(base + (use.naive.offset + 64 * first), count, &carry, &batch)
                lines += batch.lineCount
                var marks: [Int] = []
                for block in 0..<count {
                    let masks = CByteScan.masks(&batch, block)
                    answer += [masks.ends, masks.terminators, masks.blanks, masks.arrows]
                    let bits = masks.blanks | masks.arrows
                    marks += (0..<64).filter { bits >> $0 & 1 == 1 }.map { 64 * block + $0 }
                }
                // What is listed are the masks' own bits: anything else is a wrong answer.
                if marks != (0..<batch.markCount).map({ mark(&batch, $0) }) { answer.append(.max) }
            }
            return answer + [UInt64(lines)]
        }

        /// As many items as a kernel likes, at least one: they are the list's first ones, and plain if it says so.
        private func checkItems(_ faults: inout Faults, _ name: String) {
            let (list, text) = (use.list, use.naive.text)
            var items = ListItems()
            form.splitAttributes(base, list.lowerBound, list.upperBound, text.count, &items)
            let found = (0..<items.count).map { index in
                let item = listItem(&items, index)
                return [item.equals, item.stop]
            }
            let all = use.naive.items(in: list)
            faults.expect(found, is: Array(all.prefix(found.count)), "split_attributes, \(name)")
            faults.expect(!found.isEmpty || list.isEmpty, "split_attributes finds nothing, \(name)")
            if items.arePlain, let last = found.last {
                faults.expect(use.naive.isPlain(list.lowerBound..<last[1]), "items are not plain, \(name)")
            }
            if found.count == all.count, found.count < Int(bytescan_items_capacity), !list.isEmpty {
                faults.expect(
                    items.endsInsideQuotes, is: text[list].count { $0 == 0x22 } % 2 == 1, "the last quote, \(name)")
            }
        }
    }
}
