public import ByteScan

// Cues that somebody writes to a file that grows, or to a pipe, while the stream goes on. Whoever reads it hands in
// what has come; the file system is nobody's business here.
//
//     the first byte that is no white space     form
//     {                                         JSON lines; one that is no cue is left out, and told of
//     W, or a byte order mark                   WebVTT
//     any other                                 SubRip
//
// What is broken in WebVTT or SubRip ends the writer's cues: nobody knows where the next one begins. A file that is
// replaced, or becomes shorter, has another writer, whose cues come behind those before, in a form of its own.

/// The cues of a file that grows, in a form that its first byte tells.
///
///     if cues.isAnother(identity, size: size) { reopen() }
///     unsafe cues.append(chunk)
///     cues.seal(channel)                                     // after each version that the channel takes
///     if let note = cues.takeNote() { tell(note) }
public struct FollowedCues: ~Copyable, Sendable {
    /// What makes a file this one and no other, whatever it is called.
    public struct Identity: Equatable, Sendable {
        let device: UInt64
        let number: UInt64

        /// The file with this number on this device.
        public init(device: UInt64, number: UInt64) { (self.device, self.number) = (device, number) }
    }

    /// Of one writer: all that is forgotten when another begins.
    private struct Writer {
        var identity: Identity?
        /// How many bytes have come.
        var position = 0
        /// Nil before the first byte that is no white space.
        var form: GrowingConfiguration.Format?
        /// The line that is not whole, of JSON lines.
        var line: [UInt8] = []
        /// Whether no more cues count.
        var isBroken = false
    }

    private var writer = Writer()
    private var cues: GrowingCues
    private let longestLine: Int
    private var note: Message?

    /// Whether something has been refused.
    public private(set) var hasFailed = false

    /// Cues that have not begun. The form of `configuration` does not matter.
    public init(_ configuration: GrowingConfiguration) {
        cues = GrowingCues(configuration)
        longestLine = configuration.limits.block
    }

    /// How many bytes of this writer have come.
    public var position: Int { writer.position }

    /// Takes note of which file has the name at present: true if it is to be opened, and read from its beginning.
    ///
    /// - Parameters:
    ///   - identity: Of the file that has the name.
    ///   - size: In bytes; nil unless it is a regular file.
    public mutating func isAnother(_ identity: Identity, size: Int?) -> Bool {
        let isShorter = size.map { $0 < writer.position } ?? false
        guard writer.identity != identity || isShorter else { return false }
        end()
        writer.identity = identity
        return true
    }

    /// Takes bytes, of any number, as they come.
    public mutating func append(_ bytes: RawSpan) {
        unsafe bytes.withUnsafeBytes { bytes in unsafe append(ByteView(bytes)) }
    }

    /// Takes bytes, as the form that takes a span.
    public mutating func append(_ bytes: UnsafeRawBufferPointer) { unsafe append(ByteView(bytes)) }

    private mutating func append(_ bytes: ByteView) {
        if writer.form == nil {
            // A byte order mark of SubRip or JSON lines may stay: it is part of a first line.
            for offset in 0..<bytes.count where bytes[offset] > ASCII.space {
                begin(Self.form(bytes[offset]))
                break
            }
        }
        if writer.form == .jsonLines {
            appendLines(bytes)
        } else if writer.form != nil, !writer.isBroken {
            do throws(GrowingError) { try cues.append(bytes) } catch {
                writer.isBroken = true
                refuse("at byte \(error.position): \(error.reason); no cue counts from there on")
            }
        }
        writer.position += bytes.count
    }

    private mutating func begin(_ form: GrowingConfiguration.Format) {
        writer.form = form
        cues.begin(form)
    }

    /// The form of what begins with `first`.
    private static func form(_ first: UInt8) -> GrowingConfiguration.Format {
        switch first {
        case UInt8(ascii: "{"): .jsonLines
        case UInt8(ascii: "W"), 0xEF: .webVTT
        default: .subRip
        }
    }

    private mutating func appendLines(_ bytes: ByteView) {
        var rest = bytes
        var end = writer.position
        while let offset = rest.firstOffset(of: ASCII.lineFeed) {
            writer.line += rest.prefix(upTo: offset + 1)
            rest = rest.suffix(from: offset + 1)
            end += offset + 1
            takeLine(endingAt: end)
        }
        writer.line += rest
        // Whatever comes of it, it is refused: its end is not waited for.
        if writer.line.count > longestLine { takeLine(endingAt: end + rest.count) }
    }

    /// Takes a line of JSON, which ends at `end` in the file. One that is no cue is left out.
    private mutating func takeLine(endingAt end: Int) {
        let line = writer.line
        writer.line = []
        let failure = line.withView { bytes -> GrowingError? in
            do throws(GrowingError) { try cues.append(bytes) } catch { return error }
            return nil
        }
        if let failure {
            cues.abandon()
            refuse("at byte \(end - line.count): \(failure.reason); the line is left out")
        }
    }

    /// Ends the writer: a last cue counts though nothing follows it. Another may begin.
    public mutating func end() {
        if !writer.line.isEmpty { takeLine(endingAt: writer.position) }
        if writer.form != nil {
            do throws(GrowingError) { try cues.finish() } catch {
                if writer.form != .jsonLines, !writer.isBroken { refuse("at byte \(error.position): \(error.reason)") }
            }
        }
        writer = Writer()
    }

    private mutating func refuse(_ reason: Message) {
        // It goes on for hours, perhaps: one note is enough.
        if !hasFailed { note = reason }
        hasFailed = true
    }

    /// What the first thing was that has been refused, where, and what has become of it; nil if that has been taken.
    public mutating func takeNote() -> Message? {
        defer { note = nil }
        return note
    }

    /// Forgets the cues that have come, but not how the writer goes on.
    public mutating func forgetCues() { cues.forgetCues() }

    /// Seals the spans that the channel's last version has brought: they never change from now on.
    public mutating func seal(_ channel: borrowing LiveChannel) { cues.seal(channel) }

    /// Collects the segment of `span` in `output`, as ``GrowingCues/write(_:into:)``.
    public borrowing func write(_ span: LiveSpan, into output: inout OutputPieces) { cues.write(span, into: &output) }
}
