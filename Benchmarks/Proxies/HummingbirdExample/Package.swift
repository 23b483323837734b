// swift-tools-version: 6.3
import PackageDescription

// An example, in a package of its own because Hummingbird takes minutes to build.

let library: [Target.Dependency] = ["ByteScan", "Delivery", "Sideload"].map { .product(name: $0, package: "surtitle") }

let package = Package(
    name: "surtitle-hummingbird",
    platforms: [.macOS(.v14)],
    dependencies: [
        .package(name: "surtitle", path: "../../.."),
        .package(url: "https://github.com/hummingbird-project/hummingbird.git", from: "2.28.0", traits: []),
    ],
    targets: [
        .target(
            name: "SubtitlesMiddleware",
            dependencies: library + [.product(name: "Hummingbird", package: "hummingbird")]),
        .testTarget(name: "MiddlewareTests", dependencies: ["SubtitlesMiddleware"]),
    ]
)
