import Delivery
import Encodings
import Foundation

/// Where the site comes from: options, the configuration's file, and the files of tracks, all read again when it is
/// loaded anew.
public struct SiteSource: Sendable {
    private let options: Options

    /// The source that the options tell of.
    public init(_ options: Options) { self.options = options }

    /// The options, with what the configuration says of where to listen.
    ///
    /// - Throws: What is wrong with them, in words.
    public func settings() throws -> ProxyServer.Settings {
        var options = options
        let base = try configuration().base
        if let base { options.listen(at: base) }
        let place = options.settings.listen
        guard let reach = try? place.reach else { throw CommandError("--listen \(place.host): no such host") }
        if reach == .everywhere, base == nil, options.url == nil {
            throw CommandError("--listen \(place.host): say what clients call the proxy, by --url URL or --url host")
        }
        options.settings.reach = reach
        options.settings.cuesToken = try token()
        return options.settings
    }

    /// What senders of cues must know: of `--cues-token`, or else of the environment.
    private func token() throws(CommandError) -> String? {
        let given: String
        if let name = options.cuesToken {
            guard let bytes = FileManager.default.contents(atPath: name) else {
                throw CommandError("--cues-token \(name) cannot be read")
            }
            given = String(decoding: bytes, as: UTF8.self).trimmingCharacters(in: .whitespacesAndNewlines)
        } else {
            guard let value = ProcessInfo.processInfo.environment["SURTITLE_CUES_TOKEN"] else { return nil }
            given = value
        }
        // b64token (RFC 6750 2.1) of enough characters that nobody finds it by trying.
        let isToken = given.utf8.allSatisfy { byte in
            switch byte {
            case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
                UInt8(ascii: "+")...UInt8(ascii: "9"), UInt8(ascii: "_"), UInt8(ascii: "~"), UInt8(ascii: "="):
                byte != UInt8(ascii: ",")
            default: false
            }
        }
        guard isToken, given.utf8.count >= 16 else {
            throw CommandError("the token of --cues-token: give 16 or more letters, digits and -._~+/=")
        }
        return given
    }

    /// Reads everything, for a proxy that listens at `port`.
    ///
    /// - Throws: What is wrong with it, in words.
    public func load(port: Int) throws -> Site {
        var configuration = try configuration()
        configuration.decodesText = true
        let settings = try settings()
        var files: [String: [UInt8]] = [:]
        var notes: [String] = []
        for (index, track) in configuration.tracks.enumerated() {
            let named: TextEncoding?
            do {
                named = try track.encoding.map { try TextEncoding($0) }
            } catch {
                throw CommandError("track \(index + 1): encoding: \(error)")
            }
            if track.takesCuesByHTTP, settings.reach != .loopback, settings.cuesToken == nil {
                throw CommandError(
                    "track \(index + 1): others than this machine could send cues; give --cues-token FILE")
            }
            for path in [track.file].compactMap({ $0 }) + track.followingFiles.map(\.path) {
                guard let bytes = FileManager.default.contents(atPath: path) else {
                    throw CommandError("track \(index + 1): \(path) cannot be read")
                }
                do {
                    let text = try DecodedText(
                        Array(bytes), in: named ?? options.encoding, named == nil ? .unlessUTF8 : .always)
                    files[path] = text.bytes
                    if let malformed = text.malformed { notes.append("\(path): \(malformed)") }
                } catch {
                    throw CommandError("\(path): \(error)")
                }
            }
        }
        let listener = settings.listen.url(at: port, settings.reach)
        let authority: Site.Authority =
            switch options.url {
            case .fixed(let url): .fixed(url)
            case .ofRequest: .ofRequest(unlessItHasNone: listener)
            case nil: .fixed(listener)
            }
        return try Site(
            configuration, origin: options.origin, authority: authority, files: files,
            loopbackPort: settings.reach == .loopback ? port : nil, notes: notes)
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
                configuration.tracks[index].placeFiles { URL(fileURLWithPath: $0, relativeTo: folder).path }
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
