public import ByteScan

// What output is taken in, by name for those who import this module alone.

/// What one call has handed out, in few pieces, to be sent after the call.
public typealias OutputPieces = ByteScan.OutputPieces

/// A piece of the output: a range of the chunk, or bytes of the output's own.
public typealias OutputPiece = ByteScan.OutputPiece

/// Memory of the caller's that output is copied to.
public typealias OutputBuffer = ByteScan.OutputBuffer

/// Why a call has not written its output to the caller's memory, or has and failed.
public typealias OutputError = ByteScan.OutputError

/// A slice of the output, as the closure form hands it out.
public typealias OutputSlice = ByteScan.OutputSlice
