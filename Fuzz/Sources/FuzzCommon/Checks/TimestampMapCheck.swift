import ByteScan
import Support
import WebVTT

/// A file gets its X-TIMESTAMP-MAP as the naive form gives it, and a map is read as it is written.
enum TimestampMapCheck {
    static func run(_ input: inout FuzzInput, _ faults: inout Faults) {
        let ticks = (0..<5).reduce(UInt64(0)) { ticks, _ in ticks << 8 | UInt64(input.choices.byte()) }
        let local = Int64(input.choices.number(upTo: 65_535)) << Int64(input.choices.number(upTo: 46))
        let map = TimestampMap(mpegTS: ticks, local: Timestamp(milliseconds: local))
        let line = map.headerLine
        faults.expect(line.withUnsafeBytes { TimestampMap(headerLine: ByteView($0)) }, is: map, "read as written")
        let file = input.text
        let expected = NaiveTimestampMap.rewrite(file, line: line)
        let window = GuardedWindow(capacity: file.count)
        var rewriter = TimestampMapRewriter(map)
        // A rewriter that is reset in the middle of its work is as new.
        file.prefix(file.count / 2).withUnsafeBytes { rewriter.write($0) { _ in } }
        for (number, split) in input.splits().enumerated() {
            rewriter.reset()
            var log = SliceLog()
            log.collect(file, split, in: window, isLeading: number % 2 == 1) { chunk, body in
                rewriter.write(chunk, body)
            } finish: { body in
                rewriter.finish(body)
            }
            faults.expect(log.bytes, is: expected, "\(Faults.words(split))")
            faults.add(log.faults.filter { !$0.contains("could have been one") }, in: split)
        }
        OutputCheck.run(&rewriter, &input, expected: expected, &faults)
        checkHeader(of: file, &faults)
        // The file's new header has the map, and no other.
        guard NaiveWebVTT.blocks(of: file) != nil else { return }
        var maps: [TimestampMap?] = []
        var scanner = CueScanner()
        let record = { (event: CueEvent) in
            if case .header(let line) = event, line.text.string.hasPrefix("X-TIMESTAMP-MAP=") {
                maps.append(line.timestampMap)
            }
        }
        expected.withUnsafeBytes { try? scanner.scan($0, record) }
        try? scanner.finish(record)
        faults.expect(maps, is: [map], "the maps of the output")
    }

    /// A map that is parsed from any line is the same after it is written and parsed again.
    private static func checkHeader(of file: [UInt8], _ faults: inout Faults) {
        for line in file.split(whereSeparator: { $0 == 0x0A || $0 == 0x0D }).prefix(8) {
            let guarded = GuardedBytes(Array(line))
            guard let map = TimestampMap(headerLine: ByteView(guarded.buffer)) else { continue }
            let again = map.headerLine.withUnsafeBytes { TimestampMap(headerLine: ByteView($0)) }
            faults.expect(again, is: map, String(decoding: line, as: UTF8.self))
        }
    }
}
