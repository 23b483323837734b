// swift-tools-version: 6.3
import PackageDescription

// A package of its own, because its module AVFoundation would make `canImport(AVFoundation)` true for every package beside it.
//
// The library comes in by links, not as a dependency: its own target SideloadAVFoundation, which is empty on Linux, has the name of the
// one that is compiled here.
let strict: [SwiftSetting] = [.strictMemorySafety()]
let client: [SwiftSetting] = [
    .strictMemorySafety(), .enableUpcomingFeature("MemberImportVisibility"), .treatAllWarnings(as: .error),
]

let package = Package(
    name: "surtitle-apple-stand-in",
    platforms: [.macOS(.v13)],
    targets: [
        .target(name: "CByteScan"),
        .target(name: "ByteScan", dependencies: ["CByteScan"], swiftSettings: strict),
        .target(name: "M3U8", dependencies: ["ByteScan"], swiftSettings: strict),
        .target(name: "WebVTT", dependencies: ["ByteScan"], swiftSettings: strict),
        .target(
            name: "Encodings", dependencies: ["ByteScan"], swiftSettings: strict,
            linkerSettings: [.linkedLibrary("iconv", .when(platforms: [.macOS]))]),
        .target(name: "Sideload", dependencies: ["M3U8", "WebVTT"], swiftSettings: strict),
        .target(name: "Delivery", dependencies: ["ByteScan", "M3U8", "WebVTT", "Sideload"], swiftSettings: strict),

        // What stands for CommonCrypto.
        .target(name: "Support", dependencies: ["ByteScan"]),
        .target(name: "AVFoundation"),
        .target(
            name: "SideloadAVFoundation",
            dependencies: ["AVFoundation", "ByteScan", "M3U8", "Encodings", "Sideload", "Delivery", "Support"],
            swiftSettings: strict + [.treatAllWarnings(as: .error)]),
        .testTarget(name: "AVFoundationTests", dependencies: ["AVFoundation"]),
        .testTarget(
            name: "SideloadAVFoundationTests", dependencies: ["AVFoundation", "SideloadAVFoundation", "Support"],
            swiftSettings: client),
        // An app's view: one import, and all that an app may be isolated to.
        .testTarget(
            name: "ClientTests", dependencies: ["AVFoundation", "SideloadAVFoundation"], swiftSettings: client),
    ]
)
