// swift-tools-version: 6.3
import PackageDescription

let strict: [SwiftSetting] = [.strictMemorySafety()]

let package = Package(
    name: "surtitle",
    // What Tests/Portability/availability.py holds the sources to.
    platforms: [.macOS(.v13), .iOS(.v16), .tvOS(.v16), .visionOS(.v1), .watchOS(.v9)],
    products: [
        .library(name: "ByteScan", targets: ["ByteScan"]),
        .library(name: "M3U8", targets: ["M3U8"]),
        .library(name: "WebVTT", targets: ["WebVTT"]),
        .library(name: "Sideload", targets: ["Sideload"]),
        .library(name: "Delivery", targets: ["Delivery"]),
        // Nothing in it but on Apple's systems.
        .library(name: "SideloadAVFoundation", targets: ["SideloadAVFoundation"]),
        // For C: Sources/CSurtitle/install.sh makes of it what programs link.
        .library(name: "SurtitleC", type: .static, targets: ["SurtitleC"]),
        .executable(name: "surtitle", targets: ["surtitle"]),
    ],
    targets: [
        .target(name: "CByteScan"),
        .target(name: "ByteScan", dependencies: ["CByteScan"], swiftSettings: strict),
        .target(name: "M3U8", dependencies: ["ByteScan"], swiftSettings: strict),
        .target(name: "WebVTT", dependencies: ["ByteScan"], swiftSettings: strict),
        .target(name: "Sideload", dependencies: ["M3U8", "WebVTT"], swiftSettings: strict),
        .target(name: "Delivery", dependencies: ["ByteScan", "M3U8", "WebVTT", "Sideload"], swiftSettings: strict),
        .target(
            name: "SideloadAVFoundation", dependencies: ["ByteScan", "M3U8", "Sideload", "Delivery"],
            swiftSettings: strict),
        .target(name: "CSurtitle", exclude: ["install.sh", "examples"]),
        .target(
            name: "SurtitleC", dependencies: ["CSurtitle", "ByteScan", "M3U8", "WebVTT", "Sideload", "Delivery"],
            swiftSettings: strict),
        .executableTarget(
            name: "surtitle", dependencies: ["ByteScan", "M3U8", "WebVTT", "Sideload", "Delivery"],
            swiftSettings: strict,
            // Where iconv is not in the C library.
            linkerSettings: [.linkedLibrary("iconv", .when(platforms: [.macOS]))]),

        .target(name: "Support", dependencies: ["ByteScan"], path: "Tests/Support"),
        // How tests and fuzzers drive the library. Apart from Support, whose naive forms must not know it.
        .target(
            name: "Drivers", dependencies: ["ByteScan", "M3U8", "Sideload", "Delivery", "Support"],
            path: "Tests/Drivers"),
        // What the fuzzers of the nested package check of an input, for the tests to replay what was found.
        .target(
            name: "FuzzCommon",
            dependencies: ["ByteScan", "M3U8", "WebVTT", "Sideload", "Support", "Drivers", "Delivery"],
            path: "Fuzz/Sources/FuzzCommon"),
        .testTarget(name: "ByteScanTests", dependencies: ["ByteScan", "Support"]),
        .testTarget(name: "M3U8Tests", dependencies: ["M3U8", "Support", "Drivers"]),
        .testTarget(name: "WebVTTTests", dependencies: ["WebVTT", "Support"]),
        .testTarget(name: "SideloadTests", dependencies: ["Sideload", "Support", "Drivers"]),
        .testTarget(name: "DeliveryTests", dependencies: ["Delivery", "Support", "Drivers"]),
        .testTarget(name: "FuzzTests", dependencies: ["FuzzCommon"]),
        .testTarget(name: "CommandTests", dependencies: ["surtitle", "Support", "FuzzCommon"]),
    ]
)
