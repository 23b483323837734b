// swift-tools-version: 6.3
import PackageDescription

let suite: [Target.Dependency] = ["Suites", "Work", .product(name: "Benchmark", package: "benchmark")]
let plugin: [Target.PluginUsage] = [.plugin(name: "BenchmarkPlugin", package: "benchmark")]

let package = Package(
    name: "surtitle-benchmarks",
    platforms: [.macOS(.v15)],
    products: [
        .executable(name: "Ratios", targets: ["Ratios"])
    ],
    dependencies: [
        .package(name: "surtitle", path: ".."),
        .package(url: "https://github.com/ordo-one/benchmark.git", exact: "1.38.1", traits: []),
    ],
    targets: [
        .target(name: "CHeapBlocks"),
        .target(name: "CReference"),
        .target(name: "Inputs"),
        .target(
            name: "Work",
            dependencies: [
                "CReference", "Inputs",
                .product(name: "M3U8", package: "surtitle"),
                .product(name: "WebVTT", package: "surtitle"),
                .product(name: "Sideload", package: "surtitle"),
            ]
        ),

        // The gate. It does not link the benchmark framework, so it builds in a fraction of the time.
        .executableTarget(name: "Ratios", dependencies: ["CHeapBlocks", "CReference", "Inputs", "Work"]),

        // The suites, for `swift package benchmark`.
        .target(
            name: "Suites",
            dependencies: ["CHeapBlocks", "Work", .product(name: "Benchmark", package: "benchmark")]
        ),
        .executableTarget(name: "Playlists", dependencies: suite, path: "Benchmarks/Playlists", plugins: plugin),
        .executableTarget(name: "Subtitles", dependencies: suite, path: "Benchmarks/Subtitles", plugins: plugin),
    ]
)
