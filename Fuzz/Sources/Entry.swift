import CLibFuzzer
import FuzzCommon
import FuzzEngine

// What libFuzzer calls. Each target links to this file, and says beside it which `surface` it fuzzes.

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
