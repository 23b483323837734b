#if canImport(AVFoundation) && !os(watchOS)
internal import Foundation

extension URL {
    /// The URL that these bytes are, unchanged where the system lets them be; nil if they are none.
    ///
    /// Since iOS 17 and macOS 14 `URL(string:)` percent-encodes what it finds wrong. The URL would be another one then,
    /// so that comes second.
    init?(keeping bytes: [UInt8]) {
        let text = String(decoding: bytes, as: UTF8.self)
        if #available(macOS 14, iOS 17, tvOS 17, visionOS 1, *) {
            guard let url = URL(string: text, encodingInvalidCharacters: false) ?? URL(string: text) else { return nil }
            self = url
        } else {
            self.init(string: text)
        }
    }
}
#endif
