import Foundation

/// Whether long sweeps are asked for: `SURTITLE_LONG=1`.
let isLong = ProcessInfo.processInfo.environment["SURTITLE_LONG"] != nil
