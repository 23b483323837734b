import Inputs

#if canImport(Glibc)
import Glibc
#elseif canImport(Musl)
import Musl
#else
import Darwin
#endif

/// What little of the system the program needs besides the clock.
enum System {
    /// Writes a line to standard error.
    static func complain(_ text: String) {
        let line = "Ratios: \(text)\n"
        _ = line.utf8.withContiguousStorageIfAvailable { write(2, $0.baseAddress, $0.count) }
    }

    /// Writes a line to standard error and ends the program.
    static func fail(_ text: String, status: Int32) -> Never {
        complain(text)
        exit(status)
    }

    /// Ends the program.
    static func end(status: Int32) -> Never { exit(status) }

    /// Writes `input` as a file into `directory`.
    static func save(_ input: Input, in directory: String) {
        let path = directory + "/" + input.name
        guard let file = fopen(path, "wb") else { fail("\(path) cannot be written", status: 1) }
        let written = fwrite(input.bytes.baseAddress, 1, input.bytes.count, file)
        guard fclose(file) == 0, written == input.bytes.count else { fail("\(path) was not written whole", status: 1) }
    }
}
