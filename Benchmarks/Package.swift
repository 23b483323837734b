// swift-tools-version: 6.3
import PackageDescription

let package = Package(
    name: "surtitle-benchmarks",
    platforms: [.macOS(.v15)],
    products: [
        .executable(name: "Ratios", targets: ["Ratios"])
    ],
    dependencies: [
        .package(name: "surtitle", path: "..")
    ],
    targets: [
        .target(name: "CHeapBlocks"),
        .target(name: "CReference"),
        .target(name: "CForms"),
        .target(name: "Inputs"),
        .target(
            name: "Work",
            dependencies: [
                "CHeapBlocks", "CReference", "Inputs",
                .product(name: "ByteScan", package: "surtitle"),
                .product(name: "M3U8", package: "surtitle"),
                .product(name: "WebVTT", package: "surtitle"),
                .product(name: "Sideload", package: "surtitle"),
                .product(name: "Delivery", package: "surtitle"),
            ]
        ),
        .executableTarget(name: "Ratios", dependencies: ["CForms", "CHeapBlocks", "CReference", "Inputs", "Work"]),
    ]
)

// The suites, for `swift package benchmark`. The gate, Ratios, does not link the framework; but SwiftPM fetches it and builds
// its plugin even so, which whoever wants nothing but the gate can leave out.
if Context.environment["SURTITLE_RATIOS_ONLY"] == nil {
    let framework: Target.Dependency = .product(name: "Benchmark", package: "benchmark")
    let plugin: Target.PluginUsage = .plugin(name: "BenchmarkPlugin", package: "benchmark")
    package.dependencies += [
        .package(url: "https://github.com/ordo-one/benchmark.git", exact: "1.38.1", traits: [])
    ]
    package.targets += [
        .target(name: "Suites", dependencies: ["CHeapBlocks", "Work", framework]),
        .executableTarget(
            name: "Playlists", dependencies: ["Suites", framework], path: "Benchmarks/Playlists", plugins: [plugin]),
        .executableTarget(
            name: "Subtitles", dependencies: ["Suites", framework], path: "Benchmarks/Subtitles", plugins: [plugin]),
    ]
}
