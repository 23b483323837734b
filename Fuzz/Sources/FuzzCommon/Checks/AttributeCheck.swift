import ByteScan
import Drivers
import M3U8
import Support

/// Attribute lists read and edited as the naive forms read and edit them.
enum AttributeCheck {
    static func run(_ input: inout FuzzInput, _ faults: inout Faults) {
        let text = input.text.filter { $0 != ASCII.lineFeed }
        let isCut = input.choices.flag()
        let start = min(text.count, input.choices.number(upTo: 70))
        let end = isCut ? start + (text.count - start) / 2 : text.count
        let list = Array(text[start..<end])
        let guarded = GuardedBytes(isCut ? text : Array(text[..<end]))
        for buffer in [guarded.buffer, guarded.leadingBuffer] {
            read(ByteView(buffer), start..<end, as: NaiveAttributes.items(of: list), list, &faults)
        }
        edit(list, &input.choices, &faults)
    }

    private static func read(
        _ line: ByteView, _ bounds: Range<Int>, as expected: [NaiveAttributes.Item], _ list: [UInt8],
        _ faults: inout Faults
    ) {
        var items: [NaiveAttributes.Item] = []
        var contents: [[UInt8]] = []
        var scanner = AttributeScanner(line, from: bounds.lowerBound, to: bounds.upperBound)
        var last = bounds.lowerBound
        while let attribute = scanner.next() {
            let isInside =
                attribute.item.lowerBound >= last && attribute.item.upperBound <= bounds.upperBound
                && attribute.item.lowerBound <= attribute.name.lowerBound
                && attribute.name.upperBound <= attribute.value.lowerBound
                && attribute.value.upperBound <= attribute.item.upperBound
            guard isInside else { return faults.add("\(attribute) is not inside \(last)..<\(bounds.upperBound)") }
            last = attribute.item.upperBound
            let value = attribute.hasValue ? Array(line[attribute.value]) : nil
            items.append(NaiveAttributes.Item(name: Array(line[attribute.name]), value: value))
            contents.append(attribute.hasValue ? Array(line[attribute.content(in: line)]) : [])
        }
        faults.expect(items, is: expected, "items")
        faults.expect(contents, is: expected.map(\.content), "contents")
        faults.expect(scanner.endsInsideQuotes, is: !NaiveAttributes.isClosed(list), "an open quote")
        for item in expected.prefix(6) {
            let first = expected.first { $0.name == item.name }
            var scanner = AttributeScanner(line, from: bounds.lowerBound, to: bounds.upperBound)
            let found = item.name.withUnsafeBytes { scanner.first(named: ByteView($0)) }
            let value = found.map { $0.hasValue ? Array(line[$0.value]) : nil }
            faults.expect(value, is: first.map(\.value), "the first of its name")
        }
    }

    /// The list on a tag's line, edited by a handler.
    private static func edit(_ list: [UInt8], _ choices: inout Choices, _ faults: inout Faults) {
        let operations = choices.operations(upTo: 4)
        // A last CR would be one of the line's ending.
        guard !operations.isEmpty, list.last != ASCII.carriageReturn else { return }
        let head = Array("#EXTM3U\n#EXT-X-A:".utf8)
        let text = head + list + [ASCII.lineFeed]
        guard let edits = try? PlaylistEdits([], observing: ["EXT-X-A"]) else { return faults.add("no edits") }
        let output = RewriterRun.output(of: edits, text, choices.split(of: text.count)) { _, edits in
            for operation in operations { operation.decide(&edits) }
        }
        let edited = NaiveAttributes.isClosed(list) ? NaiveRewriter.edited(list, operations) : list
        faults.expect(output, is: head + edited + [ASCII.lineFeed], "\(operations)")
    }
}
