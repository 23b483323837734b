/// What the command line asks for.
struct Options {
    static let usage = """
        usage: [--row KEY]… [--rounds N]             measure
               --check [--row KEY]… [--rounds N]     measure, and exit 1 where a row is missed
               --check-counts [--row KEY]…           the same for what a clock has no part in, and nothing is timed
               --once KEY[:reference] N              one row's work N times and nothing else, for callgrind
               --largest N …                         inputs of N bytes at most, about
               --form NAME …                         kernels as for avx512, avx2, sse2 or portable, on x86-64
               --count [--references] [--row KEY]…   each row's work once and then more often, for count-instructions
               --growth [--rounds N]                 times by sizes, separated by tabs
               --memory                              memory of objects that are open
               --peers [--rounds N]                  other ways to do the same
               --list                                the rows' keys
               --inputs                              what the inputs look like
               --write DIRECTORY                     the inputs as files

        """

    enum Command {
        case measure
        case once(key: String, isReference: Bool, times: Int)
        case count
        case growth
        case memory
        case peers
        case list
        case inputs
        case write(directory: String)
    }

    /// What makes the exit status 1, besides a wrong result, which always does.
    enum Gate {
        case none
        case counts
        case everything
    }

    private(set) var command = Command.measure
    private(set) var gate = Gate.none
    private(set) var keys: [String] = []
    private(set) var rounds = 41
    /// Whether references are counted too.
    private(set) var countsReferences = false
    /// The most bytes, about, that an input has.
    private(set) var largest = Int.max
    /// Which form of the kernels is called; nil for the best there is.
    private(set) var form: String?

    /// The options that `arguments` spell, or nil.
    init?(_ arguments: some Sequence<String>) {
        var left = arguments.makeIterator()
        while let argument = left.next() {
            switch argument {
            case "--check": gate = .everything
            case "--check-counts":
                // Both together are the whole gate.
                if gate == .none { gate = .counts }
            case "--count": command = .count
            case "--growth": command = .growth
            case "--memory": command = .memory
            case "--peers": command = .peers
            case "--references": countsReferences = true
            case "--list": command = .list
            case "--inputs": command = .inputs
            case "--row":
                guard let key = left.next() else { return nil }
                keys.append(key)
            case "--rounds":
                guard let rounds = left.next().flatMap({ Int($0) }), rounds > 0 else { return nil }
                self.rounds = rounds
            case "--largest":
                guard let largest = left.next().flatMap({ Int($0) }), largest > 0 else { return nil }
                self.largest = largest
            case "--form":
                guard let name = left.next() else { return nil }
                form = name
            case "--once":
                guard let name = left.next(), let times = left.next().flatMap({ Int($0) }), times >= 0 else {
                    return nil
                }
                let parts = name.split(separator: ":", maxSplits: 1)
                guard let key = parts.first, parts.count == 1 || parts[1] == "reference" else { return nil }
                command = .once(key: String(key), isReference: parts.count == 2, times: times)
            case "--write":
                guard let directory = left.next() else { return nil }
                command = .write(directory: directory)
            default: return nil
            }
        }
    }
}
