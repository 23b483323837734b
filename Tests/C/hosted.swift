// A Swift program that has Swift's own runtime and Foundation, and the library beside them, whose runtime must stay to itself.
import CSurtitleInstalled
import Foundation

let track = try JSONSerialization.data(withJSONObject: [
    "tracks": [
        ["uri": "subs/en.m3u8", "language": "en", "name": "English", "default": true],
        ["uri": "subs/sv.m3u8", "language": "sv", "name": "Svenska"],
    ]
])
var playlist = try Data(contentsOf: URL(fileURLWithPath: CommandLine.arguments[1]))

func require(_ status: Int32) {
    guard status == 0 else { fatalError(String(cString: surtitle_status_text(status))) }
}

var configuration: OpaquePointer?
track.withUnsafeBytes { bytes in
    require(
        surtitle_configuration_create_json(
            bytes.bindMemory(to: UInt8.self).baseAddress, bytes.count, &configuration, nil))
}
var output = [UInt8](repeating: 0, count: 4 * playlist.count + 4096)
var count = 0
// Objects of both runtimes, made and freed in turn.
for round in 0..<100 {
    var rewriter: OpaquePointer?
    require(surtitle_rewriter_create(configuration, nil, &rewriter))
    let words = (0..<100).map { "\(round) \($0)" }.sorted()
    precondition(words.count == 100 && words.joined().contains("\(round) 99"))
    playlist.withUnsafeBytes { bytes in
        require(
            surtitle_rewriter_whole(
                rewriter, bytes.bindMemory(to: UInt8.self).baseAddress, bytes.count, &output, output.count, &count))
    }
    surtitle_rewriter_destroy(rewriter)
}
surtitle_configuration_destroy(configuration)
FileHandle.standardOutput.write(Data(output[..<count]))
