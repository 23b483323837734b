import CForms
import Inputs
import Work

/// The row called `key`; ends the program if there is none.
func row(_ key: String) -> Row {
    guard let entry = Row.table.first(where: { $0.key == key }) else {
        System.fail("no row is called \(key); --list names them", status: 2)
    }
    return entry.make()
}

/// The work that `--once` asks for, in a function whose name callgrind is told to count inside of.
@inline(never)
func countedRegion(_ work: (Int) -> UInt64, _ times: Int) -> UInt64 { work(times) }

guard let options = Options(CommandLine.arguments.dropFirst()) else { System.fail(Options.usage, status: 2) }
Input.largest = options.largest
if let form = options.form, !KernelForms.force(form) { System.fail("there is no form \(form) here", status: 2) }

let keys = options.keys.isEmpty ? Row.table.map(\.key) : options.keys
var sum: UInt64 = 0

switch options.command {
case .list:
    for entry in Row.table { print(entry.key) }

case .inputs:
    for entry in Input.makers { print("\(entry.name): \(InputShape(entry.make().bytes))") }

case .write(let directory):
    for entry in Input.makers { System.save(entry.make(), in: directory) }

case .once(let key, let isReference, let times):
    let row = row(key)
    print(countedRegion(isReference ? row.runReference : row.run, times))

case .count:
    Row.beginsSteady = false
    for key in keys {
        let row = row(key)
        guard row.isCounted else { continue }
        let bytes = row.isLocal ? 0 : row.bytesEach ?? row.input.bytes.count
        let more = bytes > 50_000 ? 2 : 10
        for (name, run) in [(key, row.run), ("\(key):reference", row.runReference)].prefix(
            options.countsReferences ? 2 : 1)
        {
            // What is made once for all is made before.
            sum &+= run(1)
            sum &+= countedRegion(run, 1)
            sum &+= countedRegion(run, 1 + more)
            print(name, bytes, more)
        }
    }
    // So that no run is dead code.
    if sum == 1 { System.complain("the sum is 1") }

case .growth:
    let faults = Measurements.printGrowth(rounds: options.rounds)
    for fault in faults { System.complain(fault) }
    System.end(status: faults.isEmpty ? 0 : 1)

case .memory: print(Measurements.memory())

case .peers: print(Measurements.peers(rounds: options.rounds))

case .measure:
    var report = Report(rounds: options.rounds, gate: options.gate)
    for key in keys { report.add(row(key)) }
    if options.keys.isEmpty, options.gate != .counts { report.measureReferences() }
    print(report.text)
    for fault in report.faults { System.complain(fault) }
    System.end(status: report.isWrong || (options.gate != .none && !report.faults.isEmpty) ? 1 : 0)
}
