// swift-tools-version: 6.3
import PackageDescription

// A package of its own, because the library depends on no other.

func nio(_ names: String...) -> [Target.Dependency] { names.map { .product(name: $0, package: "swift-nio") } }
func library(_ names: String...) -> [Target.Dependency] { names.map { .product(name: $0, package: "surtitle") } }

let package = Package(
    name: "surtitle-nio-proxy",
    platforms: [.macOS(.v13)],
    products: [
        .library(name: "HTTPResponseSideloader", targets: ["HTTPResponseSideloader"]),
        .executable(name: "surtitle-proxy", targets: ["surtitle-proxy"]),
        // For Benchmarks/Proxies, which counts the blocks of the heap that a response takes.
        .library(name: "SurtitleProxy", targets: ["SurtitleProxy"]),
    ],
    dependencies: [
        .package(name: "surtitle", path: "../.."),
        .package(url: "https://github.com/apple/swift-nio.git", from: "2.101.0"),
        .package(url: "https://github.com/apple/swift-nio-ssl.git", from: "2.30.0"),
        // AES for segments that are encrypted.
        .package(url: "https://github.com/apple/swift-crypto.git", from: "3.12.0"),
    ],
    targets: [
        .target(
            name: "HTTPResponseSideloader",
            dependencies: library("ByteScan", "Delivery", "M3U8", "Sideload") + nio("NIOCore", "NIOHTTP1")),
        .target(
            name: "SurtitleProxy",
            dependencies: ["HTTPResponseSideloader"]
                + library("ByteScan", "Delivery", "Encodings", "Sideload", "WebVTT")
                + nio("NIOConcurrencyHelpers", "NIOCore", "NIOPosix", "NIOHTTP1") + [
                    .product(name: "NIOSSL", package: "swift-nio-ssl"),
                    .product(name: "Crypto", package: "swift-crypto"),
                    .product(name: "_CryptoExtras", package: "swift-crypto"),
                ]),
        .executableTarget(name: "surtitle-proxy", dependencies: ["SurtitleProxy"]),
        .target(
            name: "HeadCheck", dependencies: ["SurtitleProxy"] + nio("NIOCore", "NIOEmbedded", "NIOHTTP1"),
            path: "Fuzz/HeadCheck"),
        .testTarget(
            name: "ProxyTests",
            dependencies: ["HeadCheck", "SurtitleProxy"] + library("Delivery", "WebVTT")
                + nio("NIOCore", "NIOEmbedded", "NIOHTTP1") + [.product(name: "NIOSSL", package: "swift-nio-ssl")]),
        .testTarget(
            name: "SideloaderTests",
            dependencies: ["HTTPResponseSideloader"] + library("Sideload")
                + nio("NIOCore", "NIOEmbedded", "NIOHTTP1", "NIOPosix")),
    ]
)

// libFuzzer has a main function of its own, so that what it runs is built by itself: README.md tells how.
if Context.environment["SURTITLE_FUZZ"] == "1" {
    package.products.append(.executable(name: "head-fuzz", targets: ["head-fuzz"]))
    package.targets.append(
        .executableTarget(name: "head-fuzz", dependencies: ["HeadCheck"], path: "Fuzz/head-fuzz"))
}
