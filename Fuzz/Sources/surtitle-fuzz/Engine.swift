import CLibFuzzer
import FuzzCommon

#if canImport(Glibc)
import Glibc
#else
import Darwin
#endif

/// What every target hands on to: libFuzzer's bytes in, a check or a mutation, libFuzzer's bytes out.
enum Engine {
    /// Checks `target` on an input, and ends the process if something is wrong, so that libFuzzer keeps the input.
    static func run(_ target: FuzzTarget, _ data: UnsafePointer<UInt8>?, _ count: Int) -> CInt {
        let faults = target.faults(of: Array(UnsafeBufferPointer(start: data, count: count)))
        guard faults.isEmpty else {
            complain("\n\(target.name): \(faults.joined(separator: "\n"))")
            abort()
        }
        return 0
    }

    /// Ends the process, because of what is wrong with the command line.
    static func refuse(_ words: String) -> Never {
        complain(words)
        exit(2)
    }

    /// Writes a line to standard error.
    private static func complain(_ words: String) {
        _ = "\(words)\n".utf8.withContiguousStorageIfAvailable { write(STDERR_FILENO, $0.baseAddress, $0.count) }
    }

    /// Changes the input at `data`, in its grammar or, now and then, as libFuzzer likes.
    static func mutate(
        _ target: FuzzTarget, _ data: UnsafeMutablePointer<UInt8>?, _ count: Int, _ room: Int, _ seed: CUnsignedInt
    ) -> Int {
        let input = Array(UnsafeBufferPointer(start: data, count: count))
        var mutator = Mutator(target.grammar, seed: UInt64(seed))
        let mutated = mutator.mutated(input, room: room) { text, room in
            [UInt8](unsafeUninitializedCapacity: max(room, text.count)) { buffer, newCount in
                _ = buffer.initialize(from: text)
                newCount = LLVMFuzzerMutate(buffer.baseAddress, text.count, room)
            }
        }
        return copy(mutated, to: data, room)
    }

    /// Makes one input of two.
    static func cross(
        _ target: FuzzTarget, _ first: UnsafeBufferPointer<UInt8>, _ second: UnsafeBufferPointer<UInt8>,
        _ output: UnsafeMutablePointer<UInt8>?, _ room: Int, _ seed: CUnsignedInt
    ) -> Int {
        var mutator = Mutator(target.grammar, seed: UInt64(seed))
        return copy(mutator.crossed(Array(first), Array(second), room: room), to: output, room)
    }

    private static func copy(_ bytes: [UInt8], to data: UnsafeMutablePointer<UInt8>?, _ room: Int) -> Int {
        let kept = bytes.prefix(room)
        data?.update(from: Array(kept), count: kept.count)
        return kept.count
    }
}
