import Foundation

/// Whether the long sweeps are wanted: minutes in a debug build, seconds in a release build.
let isLong = ProcessInfo.processInfo.environment["SURTITLE_LONG"] != nil
