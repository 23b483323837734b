import Delivery
import Foundation

/// Where the site comes from: options, the configuration's file, and the files of tracks, all read again when it is loaded anew.
public struct SiteSource: Sendable {
    private let options: Options

    /// The source that the options tell of.
    public init(_ options: Options) { self.options = options }

    /// The options, with what the configuration says of where to listen.
    public func settings() throws -> ProxyServer.Settings {
        var options = options
        if let base = try configuration().base { options.listen(at: base) }
        return options.settings
    }

    /// Reads everything, for a proxy that listens at `port`.
    ///
    /// - Throws: What is wrong with it, in words.
    public func load(port: Int) throws -> Site {
        let configuration = try configuration()
        var files: [String: [UInt8]] = [:]
        for (index, track) in configuration.tracks.enumerated() {
            guard let path = track.file else { continue }
            guard let bytes = FileManager.default.contents(atPath: path) else {
                throw CommandError("track \(index + 1): \(path) cannot be read")
            }
            files[path] = Array(bytes)
        }
        let listener = OriginURL("http://\(options.settings.host):\(port)")?.root ?? "http://\(options.settings.host)"
        return try Site(
            configuration, origin: options.origin, authority: options.authority ?? listener, files: files)
    }

    /// What the file says, with the tracks of the options after those of the file.
    private func configuration() throws -> Configuration {
        var configuration = Configuration()
        if let name = options.configuration {
            guard let text = FileManager.default.contents(atPath: name) else {
                throw CommandError("\(name) cannot be read")
            }
            do {
                configuration = try Configuration(Array(text))
            } catch {
                throw CommandError("\(name): \(error)")
            }
            let folder = URL(fileURLWithPath: name).deletingLastPathComponent()
            for index in configuration.tracks.indices {
                guard let file = configuration.tracks[index].file else { continue }
                configuration.tracks[index].file = URL(fileURLWithPath: file, relativeTo: folder).path
            }
        }
        configuration.tracks += options.tracks
        return configuration
    }
}

extension Configuration {
    /// The base below which its router answers, as a URL.
    fileprivate var base: OriginURL? {
        get throws {
            guard keys.contains(.base) else { return nil }
            return OriginURL(String(decoding: addresses.trackPrefix, as: UTF8.self))
        }
    }
}
