import HeadCheck

/// One run of libFuzzer on an input. What is wrong ends the process, and so becomes a finding.
@c(LLVMFuzzerTestOneInput)
public func testOneInput(_ data: UnsafePointer<UInt8>?, _ count: Int) -> CInt {
    let faults = HeadCheck.faults(in: Array(UnsafeBufferPointer(start: data, count: count)))
    precondition(faults.isEmpty, "\(faults)")
    return 0
}
