internal import Delivery
internal import Sideload

/// A file that `--config` names: tracks, edits and limits, to which the options add.
struct ConfigurationFile {
    /// What messages call it; empty if there is no file.
    let name: String
    /// What it says.
    let configuration: Configuration
    /// What comes before the paths in it: its folder with a slash, or nothing.
    private let folder: String

    /// Reads the file called `operand`, or standard input if that is `-`; without one there is nothing to add to.
    init(_ operand: String?) throws(Failure) {
        guard let operand else {
            name = ""
            folder = ""
            configuration = Configuration()
            return
        }
        let file = try InputFile(operand)
        name = file.name
        folder = operand.folder
        let limit = JSONLimits().bytes
        let text = try file.whole(upTo: limit, otherwise: "a configuration is not that long")
        configuration = try Failure.refusing(name, try Configuration(text))
    }

    /// The tracks, and after them those of the options, of which there is at least one together.
    func specs(before options: [TrackConfiguration], for command: String) throws(Failure) -> [TrackConfiguration] {
        if let index = configuration.tracks.firstIndex(where: { $0.format.isConverted }) {
            throw .refused(
                name,
                "tracks[\(index)].uri: players do not take \(configuration.tracks[index].format.title); give a uri that ends "
                    + "in .vtt, and the file as \"file\""
            )
        }
        let all = specs + options
        guard all.isEmpty else { return all }
        throw .usage(
            name.isEmpty
                ? "--track SPEC is missing; see surtitle \(command) --help"
                : "\(name): there are no tracks; add some, or give --track")
    }

    /// The tracks. A local file is relative to the configuration's folder, or to the working directory if that is
    /// standard input.
    private var specs: [TrackConfiguration] {
        configuration.tracks.map { track in
            var track = track
            track.placeFiles(path)
            return track
        }
    }

    private func path(_ file: String) -> String { file.utf8.first == UInt8(ascii: "/") ? file : folder + file }

    /// Notes which keys are there that mean nothing to `command`, which uses those in `used`.
    func noteUnused(by command: String, used: [ConfigurationKey]) {
        let unused = configuration.keys.filter { !used.contains($0) }.map { "\($0.name)" }
        guard !unused.isEmpty else { return }
        Console.note(
            "\(name): \(unused.joined(separator: ", ")) \(unused.count == 1 ? "is" : "are") not for surtitle \(command)"
        )
    }
}
