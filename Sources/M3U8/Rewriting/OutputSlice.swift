public import ByteScan

/// A piece of a rewriter's output: a range of the chunk just written, or bytes of the library's own.
public typealias OutputSlice = ByteScan.OutputSlice
