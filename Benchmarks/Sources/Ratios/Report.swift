import CHeapBlocks
import CReference
import Inputs
import Work

/// What was measured, as tables, and what is wrong with it.
struct Report {
    private let rounds: Int
    private let gate: Options.Gate
    private var ratios = MarkdownTable(
        "Work", "Input", "Library", "Rate", "Reference", "Its time", "Ratio", "Half of the rounds", "At most", "OK")
    private var heap = MarkdownTable(
        "Work", "Input", "Heap blocks, first time", "Each time after", "In chunks, first time", "Each time after", "OK")
    private var reaches = MarkdownTable("Work", "Input", "Bytes of the end it needs", "At most", "OK")
    private var references = MarkdownTable("Reference", "Input", "Time", "Rate")

    /// What fails the gate.
    private(set) var faults: [String] = []
    /// Whether a result was wrong, which fails with or without a gate.
    private(set) var isWrong = false

    init(rounds: Int, gate: Options.Gate) {
        self.rounds = rounds
        self.gate = gate
        if !HeapBlocks.areCounted() { faults.append("heap blocks cannot be counted here, so nothing is known of them") }
    }

    /// The tables that have something in them.
    var text: String {
        [ratios, heap, reaches, references].filter { !$0.isEmpty }.map(\.description).joined(separator: "\n")
    }

    /// Checks the row's result, counts what can be counted and measures its ratio.
    mutating func add(_ row: Row) {
        if let fault = row.fault() {
            isWrong = true
            faults.append("\(row.key): \(fault)")
            return
        }
        if !row.isParallel, !row.makesOutput { countBlocks(row) }
        if let reach = row.reach { count(reach, of: row) }
        if gate != .counts { measure(row) }
    }

    private mutating func measure(_ row: Row) {
        let clock = row.isParallel ? { LongestThread.total } : Clock.now
        var comparison = Comparison(rounds: rounds, clock: clock, library: row.run, reference: row.runReference)
        // A miss may be noise. The longer measurement counts, whatever it says.
        if gate == .everything, let limit = row.limit, comparison.ratio > limit {
            System.complain("\(row.key): \(Figures.fixed(comparison.ratio, 3)) is too much; measured again")
            comparison = Comparison(
                rounds: 3 * rounds, clock: clock, library: row.run, reference: row.runReference)
        }
        let isReached = row.limit.map { comparison.ratio <= $0 }
        if isReached == false {
            let ratio = Figures.fixed(comparison.ratio, 3)
            faults.append("\(row.key): the ratio is \(ratio), and may be \(Figures.fixed(row.limit ?? 0, 2))")
        }
        let half = comparison.middleHalf
        ratios.append(
            row.work, row.input.name, Figures.time(comparison.library),
            row.isLocal ? "–" : Figures.rate(row.bytesEach ?? row.input.bytes.count, comparison.library), row.reference,
            Figures.time(comparison.reference), Figures.fixed(comparison.ratio, 3),
            "\(Figures.fixed(half.lowerBound, 3)) to \(Figures.fixed(half.upperBound, 3))",
            row.limit.map { Figures.fixed($0, 2) } ?? "–", Self.mark(isReached))
    }

    /// Counts the blocks asked for by the work done once and done 11 times; the difference must be nothing.
    private mutating func countBlocks(_ row: Row) {
        var cells: [String] = []
        var isSteady = true
        for (how, run) in [("", row.run), (" in chunks", row.runInChunks)] {
            // Whatever the process does once and for all.
            _ = run(1)
            let first = Self.blocks { run(1) }
            let after = (Double(Self.blocks { run(11) }) - Double(first)) / 10
            if after != 0 {
                isSteady = false
                faults.append("\(row.key)\(how): \(Figures.fixed(after, 1)) heap blocks a time after the first")
            }
            cells += ["\(first)", Figures.fixed(after, 1)]
        }
        heap.append([row.work, row.input.name] + cells + [Self.mark(isSteady)])
    }

    private static func blocks(_ work: () -> UInt64) -> UInt64 {
        let before = HeapBlocks.countHere()
        _ = work()
        return HeapBlocks.countHere() - before
    }

    private mutating func count(_ reach: Row.Reach, of row: Row) {
        let bytes = reach.measure()
        if bytes == nil { faults.append("\(row.key): more than the last \(reach.limit) bytes are needed") }
        let needed = bytes.map { "\($0)" } ?? "more"
        reaches.append(row.work, row.input.name, needed, "\(reach.limit)", Self.mark(bytes != nil))
    }

    /// Measures the references by themselves.
    mutating func measureReferences() {
        for input in [Input.largeMaster, Input.smallMaster, Input.media, Input.lowLatencyMedia] {
            let bytes = input.bytes
            let output = OutputBuffer(capacity: 2 * bytes.count)
            let room = output.room
            let works: [(String, () -> UInt64)] = [
                ("memcpy", { Reference.copy(bytes.baseAddress, bytes.count, into: room.baseAddress) }),
                ("memchr, line by line", { Reference.lines(bytes.baseAddress, bytes.count) }),
                (
                    "blind edit",
                    { UInt64(Reference.blindEdit(bytes.baseAddress, bytes.count, into: room.baseAddress, room.count)) }
                ),
            ]
            for (name, work) in works {
                var stopwatch = Stopwatch(stretch: 4_000_000) { times in
                    var sum: UInt64 = 0
                    for _ in 0..<times { sum &+= work() }
                    return sum
                }
                let laps = (0..<rounds).map { _ in stopwatch.lap() }.sorted()
                let median = laps[laps.count / 2]
                references.append(name, input.name, Figures.time(median), Figures.rate(bytes.count, median))
            }
        }
    }

    private static func mark(_ isReached: Bool?) -> String {
        switch isReached {
        case true?: "yes"
        case false?: "NO"
        case nil: "–"
        }
    }
}
