import CByteScan
import Support

/// The kernels of CByteScan but that of lines, in every form that the processor has.
///
/// 1. Every form gives the naive answer, and so all give the same.
/// 2. No form reads outside of the text: it lies before a page that cannot be read, and then after one.
enum KernelCheck {
    static func run(_ input: inout FuzzInput, _ faults: inout Faults) {
        let use = Use(&input.choices, on: input.text)
        let text = GuardedBytes(input.text)
        for buffer in [text.buffer, text.leadingBuffer] {
            guard let base = buffer.baseAddress?.assumingMemoryBound(to: UInt8.self) else { continue }
            var number = 0
            while let form = kernelForm(number)?.pointee {
                Answers(form, base, use).check(&faults, "form \(number)")
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

        init(_ choices: inout Choices, on text: [UInt8]) {
            naive = NaiveKernels(text: text, offset: choices.number(upTo: min(text.count, 100)))
            byte = choices.pick([0x0A, 0x22, 0x2C, 0x3D, 0x23, 0x00, 0xFF])
            let distance = UInt16(choices.number(upTo: 12))
            pair = BytePair(first: choices.pick([0x53, 0x22, 0x0A, 0x2C]), second: byte, distance: distance)
            let start = choices.number(upTo: text.count)
            list = start..<(start + choices.number(upTo: text.count - start))
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
            checkItems(&faults, name)
        }

        private func masks() -> [UInt64] {
            let blocks = (use.naive.text.count - use.naive.offset) / 64
            var carry = BlockCarry()
            var masks = [LineMasks](repeating: LineMasks(), count: blocks)
            let lines = form.maskLines(base + use.naive.offset, blocks, &carry, &masks)
            return masks.flatMap { [$0.ends, $0.terminators, $0.blanks, $0.arrows] } + [UInt64(lines)]
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
