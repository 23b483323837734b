/// Writes ID3 tags as packed audio begins with (ID3v2.3, ID3v2.4), for tests.
public enum AudioTagBytes {
    /// The owner of the frame that has the time stamp (8216bis 3.1.3).
    public static let owner = "com.apple.streaming.transportStreamTimestamp"

    /// A tag with one frame: the time stamp of `ticks`.
    public static func timestamp(_ ticks: UInt64, version: UInt8 = 4) -> [UInt8] {
        tag(version: version, [privateFrame(owner, .bigEndian(ticks, 8), version: version)])
    }

    /// A tag. `afterHeader` comes before the frames.
    public static func tag(
        version: UInt8 = 4, flags: UInt8 = 0, afterHeader: [UInt8] = [], _ frames: [[UInt8]], padding: Int = 0
    ) -> [UInt8] {
        let content = afterHeader + frames.joined() + [UInt8](repeating: 0, count: padding)
        let footer = flags & 0x10 == 0 ? [] : Array("3DI".utf8) + [version, 0, flags] + synchsafe(content.count)
        return Array("ID3".utf8) + [version, 0, flags] + synchsafe(content.count) + content + footer
    }

    /// A frame PRIV.
    public static func privateFrame(_ owner: String, _ data: [UInt8], version: UInt8 = 4) -> [UInt8] {
        frame("PRIV", Array(owner.utf8) + [0] + data, version: version)
    }

    /// A frame.
    public static func frame(_ id: String, _ content: [UInt8], version: UInt8 = 4, flags: UInt8 = 0) -> [UInt8] {
        let size = version == 4 ? synchsafe(content.count) : .bigEndian(UInt64(content.count), 4)
        return Array(id.utf8) + size + [0, flags] + content
    }

    /// Four bytes of seven bits each.
    public static func synchsafe(_ value: Int) -> [UInt8] {
        [21, 14, 7, 0].map { UInt8(truncatingIfNeeded: value >> $0) & 0x7F }
    }
}
