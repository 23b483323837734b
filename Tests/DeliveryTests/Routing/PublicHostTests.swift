import Delivery
import Testing

/// Which hosts are of the public net.
@Suite struct PublicHostTests {
    @Test(arguments: [
        "example.com", "EXAMPLE.com.", "a.b-c.example:8080", "8.8.8.8", "8.8.8.8:80", "134744072", "0x08080808",
        "8.526344", "1.1.1", "[2606:4700::1111]", "[2606:4700:0:0:0:0:0:1111]:443", "[::ffff:8.8.8.8]",
        "[64:ff9b::808:808]", "[2002:808:808::1]", "11.0.0.1", "172.15.0.1", "172.32.0.1", "100.63.0.1", "100.128.0.1",
        "192.167.0.1", "169.253.0.1", "223.255.255.255", "xn--bcher-kva.example", "1.example", "0xzz.com",
    ])
    func publicOnes(_ authority: String) { #expect(PublicHost.isPublic(authority: Array(authority.utf8))) }

    @Test(arguments: [
        "", "localhost", "LOCALHOST.", "a.localhost", "intranet", "printer.local", "vault.internal", "x.home.arpa",
        "127.0.0.1", "127.1", "127.0.1", "2130706433", "0x7f.0.0.1", "0X7F000001", "0x7f.1", "127.0.0.1.",
        "0177.0.0.1", "010.0.0.1", "08.8.8.8", "0", "0.0.0.0", "10.1.2.3", "172.16.0.1", "172.31.255.255",
        "192.168.0.1",
        "169.254.169.254", "100.64.0.1", "100.127.255.255", "198.18.0.1", "198.19.0.1", "192.0.0.1", "192.0.2.1",
        "198.51.100.7", "203.0.113.9", "224.0.0.1", "240.0.0.1", "255.255.255.255", "256.1.1.1", "1.2.3.4.5",
        "8.8.8.256", "4294967296", "8.8..8", "8.16777216", "[::1]", "[::]", "[0:0:0:0:0:0:0:1]", "[::ffff:127.0.0.1]",
        "[::ffff:7f00:1]", "[64:ff9b::7f00:1]", "[64:ff9b::10.0.0.1]", "[2002:7f00:1::]", "[fe80::1]",
        "[fe80::1%25eth0]",
        "[fc00::1]", "[fd12:3456::1]", "[ff02::1]", "[2001:db8::1]", "[2001:0:1::1]", "[3fff::1]", "[::127.0.0.1]", "[",
        "[]", "[1]", "[1::2::3]", "[:1]", "[1:]", "[2606:4700:0:0:0:0:0:0:1]", "[12345::1]", "[2606::1.2.3]",
        "user@example.com", "example.com@10.0.0.1", "exam%70le.com", "127.0.0.1%2e", "１２７.0.0.1", "ex ample.com", ".",
        ".example.com", "a..example", "example.com\\x",
    ])
    func others(_ authority: String) { #expect(!PublicHost.isPublic(authority: Array(authority.utf8))) }

    @Test func addresses() {
        #expect(PublicHost.isPublic(address: [8, 8, 8, 8]) && !PublicHost.isPublic(address: [10, 8, 8, 8]))
        #expect(!PublicHost.isPublic(address: []) && !PublicHost.isPublic(address: [8, 8, 8, 8, 8]))
        let loopback = [UInt8](repeating: 0, count: 15) + [1]
        #expect(!PublicHost.isPublic(address: loopback))
        #expect(PublicHost.isPublic(address: [0x26] + loopback.dropFirst()))
    }
}
