import Foundation
import Testing

@testable import surtitle

/// The way from one directory to another, of which some are not there.
@Suite struct RelativePathTests {
    @Test(arguments: [
        ("a/m", "a", ""), ("a/m", "b", "../a/"), ("m", "a/x", "../../"), ("a/x/m", "", "a/x/"),
        ("a/x/m", "a/y", "../x/"),
        ("a/../b/./m", "b", ""), ("a b/é/m", "a", "../a%20b/%C3%A9/"), ("gone/far/m", "gone", "far/"),
        ("gone/m", "gone/../a/", "../gone/"), ("a/m", "gone/far/away", "../../../a/"), ("link/m", "a", "../b/"),
    ])
    func ways(_ path: String, _ directory: String, _ way: String) throws {
        let scratch = try Scratch(["a/x/f": "", "b/f": "", "a b/f": ""])
        let root = scratch.folder.path
        try FileManager.default.createSymbolicLink(atPath: "\(root)/link", withDestinationPath: "b")
        #expect(try RelativePath.directory(of: "\(root)/\(path)", from: "\(root)/\(directory)") == way)
    }
}
