import CLibFuzzer
import FuzzCommon

// What libFuzzer calls: surtitle-fuzz --surface=NAME [OPTION of libFuzzer…] [FOLDER|FILE…]

/// What is fuzzed, as the command line names it; libFuzzer leaves options alone that begin with two hyphens.
private let surface: FuzzTarget = {
    let names = FuzzTarget.all.map { $0.name.dropFirst("Fuzz".count) }
    let option = "--surface="
    let word = CommandLine.arguments.last { $0.hasPrefix(option) }
    guard let index = names.firstIndex(where: { word == option + $0 }) else {
        Engine.refuse("give \(option)NAME, which is one of \(names.joined(separator: ", "))")
    }
    return FuzzTarget.all[index]
}()

/// Finds out what is to be fuzzed, before anything else.
@c @implementation
public func LLVMFuzzerInitialize(
    _ count: UnsafeMutablePointer<CInt>!,
    _ words: UnsafeMutablePointer<UnsafeMutablePointer<UnsafeMutablePointer<CChar>?>?>!
) -> CInt {
    _ = surface
    return 0
}

/// Checks one input.
@c @implementation
public func LLVMFuzzerTestOneInput(_ data: UnsafePointer<UInt8>!, _ count: Int) -> CInt {
    Engine.run(surface, data, count)
}

/// Makes another input of one.
@c @implementation
public func LLVMFuzzerCustomMutator(
    _ data: UnsafeMutablePointer<UInt8>!, _ count: Int, _ room: Int, _ seed: CUnsignedInt
) -> Int {
    Engine.mutate(surface, data, count, room, seed)
}

/// Makes one input of two.
@c @implementation
public func LLVMFuzzerCustomCrossOver(
    _ first: UnsafePointer<UInt8>!, _ firstCount: Int, _ second: UnsafePointer<UInt8>!, _ secondCount: Int,
    _ output: UnsafeMutablePointer<UInt8>!, _ room: Int, _ seed: CUnsignedInt
) -> Int {
    Engine.cross(
        surface, UnsafeBufferPointer(start: first, count: firstCount),
        UnsafeBufferPointer(start: second, count: secondCount), output, room, seed)
}
