internal import ByteScan

/// Bytes to be put in the place of a range of a line.
struct Splice: BitwiseCopyable {
    /// Where the range replaced starts.
    let start: Int
    /// Where it ends; the start if something is inserted.
    let end: Int
    /// What stands there afterwards; empty if something is removed.
    let bytes: ByteView

    init(_ range: Range<Int>, with bytes: ByteView) {
        start = range.lowerBound
        end = range.upperBound
        self.bytes = bytes
    }
}

extension LineEdits {
    /// Turns the decisions about a tag's attributes into splices, in order and without overlap.
    mutating func resolve(_ line: SelectedLine) {
        if let knownValue {
            operations[0].isFound = true
            return splices.append(Splice(knownValue, with: operations[0].value(in: rendered(operations[0]))))
        }
        let listStart = line.valueStart
        let listEnd = WhiteSpace.contentEnd(of: line.bytes, from: listStart, to: line.bytes.count)
        var removedTo = listStart
        var scanner = AttributeScanner(line.bytes, from: listStart, to: listEnd)
        while let attribute = scanner.next() {
            guard let index = pendingOperation(named: line.bytes[attribute.name]) else { continue }
            let operation = operations[index]
            operations[index].isFound = true
            if operation.kind == .remove {
                let range = Self.removal(of: attribute.item, removedTo: removedTo, in: listStart..<listEnd)
                splice(out: range)
                removedTo = range.upperBound
                continue
            }
            let bytes = rendered(operation)
            splices.append(
                attribute.hasValue
                    ? Splice(attribute.value, with: operation.value(in: bytes))
                    : Splice(attribute.name, with: bytes.suffix(from: 1)))
        }
        var commaIsNeeded = endsInItem(line.bytes, listStart..<listEnd)
        for index in 0..<operations.count where operations[index].kind == .set && !operations[index].isFound {
            let item = AppendedAttribute.item(rendered(operations[index]), commaIsNeeded: commaIsNeeded)
            splices.append(Splice(listEnd..<listEnd, with: item))
            commaIsNeeded = true
        }
    }

    /// Removes `range`: what is removed in one piece is one splice.
    private mutating func splice(out range: Range<Int>) {
        let last = splices.count - 1
        if last >= 0, splices[last].end == range.lowerBound, splices[last].bytes.isEmpty {
            splices[last] = Splice(splices[last].start..<range.upperBound, with: ByteView())
        } else {
            splices.append(Splice(range, with: ByteView()))
        }
    }

    /// Takes a splice in the order of the line.
    mutating func insert(_ splice: Splice) {
        splices.append(splice)
        var index = splices.count &- 1
        while index > 0, splices[index &- 1].start > splice.start {
            splices[index] = splices[index &- 1]
            index &-= 1
        }
        splices[index] = splice
    }

    /// Lets the splices that remove an item of the list each take a comma with it, and tells whether the last byte of
    /// the list stays.
    mutating func widenRemovals(in list: Range<Int>) -> Bool {
        var removedTo = list.lowerBound
        for index in 0..<splices.count where splices[index].bytes.isEmpty {
            let range = Self.removal(of: splices[index].start..<splices[index].end, removedTo: removedTo, in: list)
            splices[index] = Splice(range, with: ByteView())
            removedTo = range.upperBound
        }
        return list.isEmpty || removedTo < list.upperBound
    }

    /// The bytes of an operation, wherever they are kept.
    func rendered(_ operation: AttributeOperation) -> ByteView {
        switch operation.storage {
        case .stable(let bytes): bytes
        case .scratch(let start, let count): scratch.view[start..<(start + count)]
        }
    }

    /// Whether what the splices leave of the list ends in an item: it is neither empty nor ends in a comma, white space
    /// aside.
    private func endsInItem(_ line: ByteView, _ list: Range<Int>) -> Bool {
        var end = list.upperBound
        var index = splices.count
        while end > list.lowerBound {
            if index > 0, splices[index - 1].end == end {
                index -= 1
                guard splices[index].bytes.isEmpty else { return true }
                end = splices[index].start
            } else if ASCII.isBlank(line[end - 1]) {
                end -= 1
            } else {
                return line[end - 1] != ASCII.comma
            }
        }
        return false
    }

    private func pendingOperation(named name: ByteView) -> Int? {
        for index in 0..<operations.count
        where operations[index].nameCount == name.count
            && (operations[index].kind == .remove || !operations[index].isFound)
        {
            if operations[index].name(in: rendered(operations[index])) == name { return index }
        }
        return nil
    }

    /// The item and one comma: the one before it, unless that is gone already or there is none, else the one after it.
    static func removal(of item: Range<Int>, removedTo: Int, in list: Range<Int>) -> Range<Int> {
        if item.lowerBound > removedTo { return (item.lowerBound - 1)..<item.upperBound }
        return item.lowerBound..<min(item.upperBound + 1, list.upperBound)
    }
}
