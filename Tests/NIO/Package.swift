// swift-tools-version: 6.3
import PackageDescription

// A package of its own, because the library depends on no other.
let package = Package(
    name: "surtitle-nio",
    platforms: [.macOS(.v13)],
    products: [.executable(name: "RouteServer", targets: ["RouteServer"])],
    dependencies: [
        .package(name: "surtitle", path: "../.."),
        .package(url: "https://github.com/apple/swift-nio.git", from: "2.80.0"),
    ],
    targets: [
        .executableTarget(
            name: "RouteServer", dependencies: [.product(name: "Delivery", package: "surtitle")]),
        .testTarget(
            name: "HandlerTests",
            dependencies: [
                .product(name: "ByteScan", package: "surtitle"),
                .product(name: "M3U8", package: "surtitle"),
                .product(name: "Sideload", package: "surtitle"),
                .product(name: "NIOCore", package: "swift-nio"),
                .product(name: "NIOPosix", package: "swift-nio"),
            ]),
    ]
)
