// swift-tools-version: 6.3
import PackageDescription

let strict: [SwiftSetting] = [.strictMemorySafety()]
let library: [Target.Dependency] = ["ByteScan", "M3U8", "WebVTT", "Sideload", "Delivery"].map {
    .product(name: $0, package: "surtitle")
}

/// One executable for each public surface; the same names are those of the folders in Corpus and Regressions.
let surfaces = [
    "FuzzKernels", "FuzzLines", "FuzzAttributes", "FuzzRewriter", "FuzzSideload", "FuzzFinalCue", "FuzzCues",
    "FuzzTimestampMap",
    "FuzzSegmenter", "FuzzSubRip", "FuzzURIs", "FuzzExpressions", "FuzzShift", "FuzzTracks", "FuzzMediaStart",
    "FuzzJSON", "FuzzCommand", "FuzzHTTP", "FuzzFetch", "FuzzRouter",
]

let package = Package(
    name: "surtitle-fuzz",
    platforms: [.macOS(.v15)],
    products: surfaces.map { .executable(name: $0, targets: [$0]) },
    dependencies: [
        .package(name: "surtitle", path: "..")
    ],
    targets: [
        .target(name: "CLibFuzzer"),
        // The naive forms and drivers of the tests, by symbolic links: the package at the root compiles them too.
        .target(name: "Support", dependencies: [.product(name: "ByteScan", package: "surtitle")]),
        .target(name: "Drivers", dependencies: library + ["Support"]),
        // What is checked of an input. The package at the root compiles it as well, for `swift test` to replay what was found.
        .target(name: "FuzzCommon", dependencies: library + ["Support", "Drivers"]),
        .target(name: "FuzzEngine", dependencies: ["CLibFuzzer", "FuzzCommon"]),
    ]
        + surfaces.map { name in
            // No program can import another: FuzzCommand compiles the command's parsers itself, by symbolic links.
            .executableTarget(name: name, dependencies: ["CLibFuzzer", "FuzzCommon", "FuzzEngine"] + library)
        }
)
