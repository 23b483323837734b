import Foundation
import Testing

@testable import surtitle

/// Descriptors whose calls would block, and files that are read up to a limit.
@Suite struct FileDescriptorTests {
    /// Standard streams that never wait: each call is made again once the other end of the pipe has moved.
    @Test func whatWouldBlockWaits() throws {
        let scratch = try Scratch(["a.m3u8": Samples.media])
        let long = Samples.media + String(repeating: "# a comment\n", count: 50_000)
        try scratch.write("b.m3u8", Array(long.utf8))
        let nonblocking =
            "import fcntl,os,sys;fcntl.fcntl(%d,fcntl.F_SETFL,os.O_NONBLOCK);os.execv(sys.argv[1],sys.argv[1:])"
        let script = """
            command -v python3 >/dev/null || exit 77
            (cat a.m3u8; sleep 0.3; cat b.m3u8) \\
              | python3 -c '\(nonblocking.replacing("%d", with: "0"))' "$surtitle" edit - | cksum
            python3 -c '\(nonblocking.replacing("%d", with: "1"))' "$surtitle" edit b.m3u8 | (sleep 0.3; cksum)
            cat a.m3u8 b.m3u8 | cksum
            cksum <b.m3u8
            """
        let ran = try Ran(shell: script, in: scratch)
        if ran.status == 77 { return }
        let sums = ran.text.split(separator: "\n")
        #expect(ran.errors == "" && sums.count == 4 && sums[0] == sums[2] && sums[1] == sums[3], "\(ran)")
    }

    /// Of a longer file more than the limit comes, so that whoever reads it sees that.
    @Test(arguments: [0, 1, 65_535, 65_536, 65_537, 200_000])
    func filesAreReadUpToALimit(_ count: Int) throws {
        let scratch = try Scratch()
        let bytes = (0..<count).map { UInt8(truncatingIfNeeded: $0 / 251) }
        try scratch.write("a", bytes)
        let path = scratch.folder.appendingPathComponent("a").path
        #expect(try FileDescriptor.bytes(at: path, upTo: count) == bytes)
        if count > 0 { #expect(try FileDescriptor.bytes(at: path, upTo: count - 1).count > count - 1) }
        #expect(throws: SystemError(code: ENOENT)) { try FileDescriptor.bytes(at: path + "b", upTo: 1) }
    }

    /// A file of ours that was left behind is in nobody's way.
    @Test func aNameThatIsTakenIsPassedOver() throws {
        let scratch = try Scratch()
        for number in 1...2 { try scratch.write(".surtitle-unfinished-\(getpid())-\(number)", [1]) }
        let file = try FileDescriptor.unnamedFile(in: scratch.folder.path)
        #expect(try file.rewound().number != file.number)
        #expect(try FileManager.default.contentsOfDirectory(atPath: scratch.folder.path).count == 2)
    }
}
