// swift-tools-version: 6.3
import PackageDescription

// Counts the blocks of the heap that a response of surtitle-proxy takes.

let package = Package(
    name: "surtitle-proxies",
    platforms: [.macOS(.v13)],
    dependencies: [.package(name: "surtitle-nio-proxy", path: "../../Sources/NIOProxy")],
    targets: [
        // That of the benchmarks, by a link.
        .target(name: "CHeapBlocks"),
        .executableTarget(
            name: "heap-blocks",
            dependencies: ["CHeapBlocks", .product(name: "SurtitleProxy", package: "surtitle-nio-proxy")]),
    ]
)
