import CLibFuzzer
import FuzzCommon
import FuzzEngine

@c @implementation
public func LLVMFuzzerTestOneInput(_ data: UnsafePointer<UInt8>!, _ count: Int) -> CInt {
    Engine.run(.subRip, data, count)
}

@c @implementation
public func LLVMFuzzerCustomMutator(
    _ data: UnsafeMutablePointer<UInt8>!, _ count: Int, _ room: Int, _ seed: CUnsignedInt
) -> Int {
    Engine.mutate(.subRip, data, count, room, seed)
}

@c @implementation
public func LLVMFuzzerCustomCrossOver(
    _ first: UnsafePointer<UInt8>!, _ firstCount: Int, _ second: UnsafePointer<UInt8>!, _ secondCount: Int,
    _ output: UnsafeMutablePointer<UInt8>!, _ room: Int, _ seed: CUnsignedInt
) -> Int {
    Engine.cross(
        .subRip, UnsafeBufferPointer(start: first, count: firstCount),
        UnsafeBufferPointer(start: second, count: secondCount), output, room, seed)
}
