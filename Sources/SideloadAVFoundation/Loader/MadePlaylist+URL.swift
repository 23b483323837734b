#if canImport(AVFoundation) && !os(watchOS)
public import Delivery
public import Foundation
public import Sideload

extension MadePlaylist.Key {
    /// A key at `uri`.
    public init(_ method: Method = .aes128, uri: URL, vector: [UInt8]? = nil) {
        self.init(method, uri: uri.absoluteString, vector: vector)
    }
}

extension MadePlaylist.Segment {
    /// A segment at `uri`.
    public init(uri: URL, duration: MediaDuration, key: MadePlaylist.Key? = nil) {
        self.init(uri: uri.absoluteString, duration: duration, key: key)
    }
}
#endif
