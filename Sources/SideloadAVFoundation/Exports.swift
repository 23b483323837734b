#if canImport(AVFoundation) && !os(watchOS)
// Whoever plays an asset of ours needs AVPlayer, so one import is enough.
@_exported public import AVFoundation
#endif
