#if canImport(AVFoundation) && !os(watchOS)
// Whoever plays an asset of ours needs AVPlayer, and what options and tracks are made of: one import is enough. Of the
// other modules these names alone come along, so that an app's `Router` or `Configuration` stays the only one.
@_exported public import AVFoundation
@_exported public import struct Delivery.FetchLimits
@_exported public import struct Delivery.GrowingConfiguration
@_exported public import struct Delivery.LiveNotes
@_exported public import struct Delivery.MadePlaylist
@_exported public import struct Delivery.RouteAddresses
@_exported public import struct Delivery.RoutePolicies
@_exported public import struct Encodings.TextEncoding
@_exported public import struct M3U8.DecimalSeconds
@_exported public import typealias Sideload.MediaDuration
@_exported public import struct Sideload.SubtitlePlaylist
@_exported public import enum Sideload.TrackAnchor
@_exported public import struct Sideload.SubtitleTrack
@_exported public import struct Sideload.TrackConfiguration
@_exported public import struct Sideload.WrappedVariant
@_exported public import struct WebVTT.TimestampMap
@_exported public import enum WebVTT.TimestampMapChoice
@_exported public import enum WebVTT.SubtitleFormat
#endif
