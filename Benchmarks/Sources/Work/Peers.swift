import CReference
public import Inputs

/// Another way to put two tracks into a master playlist, as people write it.
public struct Peer {
    /// What it is, for the table.
    public let name: String
    /// Does it so many times, and returns how many bytes came out in all.
    public let run: (_ input: Input, _ times: Int) -> UInt64
    /// Does it once.
    public let output: (_ input: Input) -> [UInt8]
}

extension Peer {
    /// The library, and the other ways.
    public static var table: [Peer] {
        [
            Peer(name: "Surtitle, slices", run: { sliced($0, $1) }, output: { collected($0) }),
            copying("C: memmem and memcpy") { input, room in
                Reference.blindEdit(input.baseAddress, input.count, into: room.baseAddress, room.count)
            },
            making("Swift: bytes split at line feeds") { splitBytes($0) },
            making("Swift: String split into lines") { splitString($0) },
            making("Swift: Regex") { regex($0) },
        ]
    }

    /// The playlists that all of them get.
    public static let inputs = [Input.smallMaster, .largeMaster, .fieldMaster]

    /// What is right for `input`.
    public static func expected(_ input: Input) -> [UInt8] { Expected.sideloaded(input.bytes) }

    private static let tags = """
        #EXT-X-MEDIA:TYPE=SUBTITLES,GROUP-ID="subs",NAME="English",LANGUAGE="en",DEFAULT=YES,AUTOSELECT=YES,\
        URI="subs/en.m3u8"
        #EXT-X-MEDIA:TYPE=SUBTITLES,GROUP-ID="subs",NAME="Svenska",LANGUAGE="sv",DEFAULT=NO,AUTOSELECT=YES,\
        URI="subs/sv.m3u8"

        """

    private static func sliced(_ input: Input, _ times: Int) -> UInt64 {
        (try? Sideloading.sliced(input.bytes, inChunksOf: input.bytes.count, to: SliceList(), times: times)) ?? 0
    }

    private static func collected(_ input: Input) -> [UInt8] {
        var job = Sideloader()
        return job.output(of: input.bytes, inChunksOf: input.bytes.count) ?? []
    }

    /// A way that makes a new array each time.
    private static func making(_ name: String, _ make: @escaping (UnsafeRawBufferPointer) -> [UInt8]) -> Peer {
        Peer(
            name: name,
            run: { input, times in
                var sum: UInt64 = 0
                for _ in 0..<times {
                    let output = make(input.bytes)
                    output.withUnsafeBytes { Reference.keep($0.baseAddress) }
                    sum &+= UInt64(output.count)
                }
                return sum
            }, output: { make($0.bytes) })
    }

    /// A way that writes to memory that is there, and says how much; the tags follow.
    private static func copying(
        _ name: String, _ edit: @escaping (UnsafeRawBufferPointer, UnsafeMutableRawBufferPointer) -> Int
    ) -> Peer {
        func run(_ input: Input, _ times: Int, _ body: (UnsafeRawBufferPointer) -> Void) {
            let room = UnsafeMutableRawBufferPointer.allocate(byteCount: 2 * input.bytes.count + 1_024, alignment: 64)
            defer { room.deallocate() }
            for _ in 0..<times {
                var count = edit(input.bytes, room)
                for byte in tags.utf8 {
                    room[count] = byte
                    count += 1
                }
                body(UnsafeRawBufferPointer(rebasing: room[..<count]))
            }
        }
        return Peer(
            name: name,
            run: { input, times in
                var sum: UInt64 = 0
                run(input, times) { sum &+= UInt64($0.count) }
                return sum
            },
            output: { input in
                var output: [UInt8] = []
                run(input, 1) { output = Array($0) }
                return output
            })
    }

    // MARK: As recipes have it: a suffix for each line that begins so, tags at the end

    private static func splitBytes(_ bytes: UnsafeRawBufferPointer) -> [UInt8] {
        let mark = Array("#EXT-X-STREAM-INF".utf8)
        var output: [UInt8] = []
        output.reserveCapacity(bytes.count * 3 / 2)
        for line in bytes.split(separator: 10, omittingEmptySubsequences: false).dropLast() {
            output += line
            if line.starts(with: mark) { output += ",SUBTITLES=\"subs\"".utf8 }
            output.append(10)
        }
        return output + Array(tags.utf8)
    }

    private static func splitString(_ bytes: UnsafeRawBufferPointer) -> [UInt8] {
        let lines = String(decoding: bytes, as: UTF8.self).split(separator: "\n", omittingEmptySubsequences: false)
        let edited = lines.map { $0.hasPrefix("#EXT-X-STREAM-INF") ? "\($0),SUBTITLES=\"subs\"" : String($0) }
        return Array((edited.joined(separator: "\n") + tags).utf8)
    }

    private static func regex(_ bytes: UnsafeRawBufferPointer) -> [UInt8] {
        let text = String(decoding: bytes, as: UTF8.self)
        let edited = text.replacing(#/#EXT-X-STREAM-INF:[^\n]*/#) { "\($0.output),SUBTITLES=\"subs\"" }
        return Array((edited + tags).utf8)
    }
}
