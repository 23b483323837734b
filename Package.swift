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
        // Hosted, unlike the others: iconv.
        .library(name: "Encodings", targets: ["Encodings"]),
        // Nothing in it but on Apple's systems.
        .library(name: "SideloadAVFoundation", targets: ["SideloadAVFoundation"]),
        // For C: Sources/CSurtitle/install.sh makes of it what programs link.
        .library(name: "SurtitleC", type: .static, targets: ["SurtitleC"]),
        .executable(name: "surtitle", targets: ["SurtitleMain"]),
    ],
    targets: [
        .target(name: "CByteScan"),
        .target(name: "ByteScan", dependencies: ["CByteScan"], swiftSettings: strict),
        .target(name: "M3U8", dependencies: ["ByteScan"], swiftSettings: strict),
        .target(name: "WebVTT", dependencies: ["ByteScan"], swiftSettings: strict),
        .target(
            name: "Encodings", dependencies: ["ByteScan"], swiftSettings: strict,
            // Where iconv is not in the C library.
            linkerSettings: [.linkedLibrary("iconv", .when(platforms: [.macOS, .iOS, .tvOS, .visionOS, .watchOS]))]),
        .target(name: "Sideload", dependencies: ["M3U8", "WebVTT"], swiftSettings: strict),
        .target(name: "Delivery", dependencies: ["ByteScan", "M3U8", "WebVTT", "Sideload"], swiftSettings: strict),
        .target(
            name: "SideloadAVFoundation", dependencies: ["ByteScan", "M3U8", "Encodings", "Sideload", "Delivery"],
            swiftSettings: strict),
        .target(name: "CSurtitle", exclude: ["install.sh", "examples"]),
        .target(
            name: "SurtitleC", dependencies: ["CSurtitle", "ByteScan", "M3U8", "WebVTT", "Sideload", "Delivery"],
            swiftSettings: strict),
        // The command: everything but its entry, so that the fuzzers can import it.
        .target(
            name: "surtitle", dependencies: ["ByteScan", "M3U8", "WebVTT", "Encodings", "Sideload", "Delivery"],
            swiftSettings: strict),
        .executableTarget(name: "SurtitleMain", dependencies: ["surtitle"], swiftSettings: strict),

        .target(name: "Support", dependencies: ["ByteScan"], path: "Tests/Support"),
        // How tests and fuzzers drive the library. Apart from Support, whose naive forms must not know it.
        .target(
            name: "Drivers", dependencies: ["ByteScan", "M3U8", "Sideload", "Delivery", "Support"],
            path: "Tests/Drivers"),
        // What the fuzzers check of an input, for the tests to replay what was found.
        .target(
            name: "FuzzCommon",
            dependencies: ["ByteScan", "M3U8", "WebVTT", "Sideload", "Delivery", "surtitle", "Support", "Drivers"],
            path: "Fuzz/Sources/FuzzCommon"),
        .testTarget(name: "ByteScanTests", dependencies: ["ByteScan", "Support"]),
        .testTarget(name: "M3U8Tests", dependencies: ["M3U8", "Support", "Drivers"]),
        .testTarget(name: "WebVTTTests", dependencies: ["WebVTT", "Support"]),
        .testTarget(name: "EncodingsTests", dependencies: ["Encodings", "Support"]),
        .testTarget(name: "SideloadTests", dependencies: ["Sideload", "Support", "Drivers"]),
        .testTarget(name: "DeliveryTests", dependencies: ["Delivery", "Support", "Drivers"]),
        .testTarget(name: "FuzzTests", dependencies: ["FuzzCommon"]),
        .testTarget(name: "CommandTests", dependencies: ["surtitle", "SurtitleMain", "Support"]),
    ]
)

// A part of the package, for a build that has to be short: SURTITLE_ONLY=M3U8Tests swift test
if let only = Context.environment["SURTITLE_ONLY"] {
    var kept: Set<String> = []
    func keep(_ name: String) {
        guard kept.insert(name).inserted, let target = package.targets.first(where: { $0.name == name }) else { return }
        for case .byNameItem(let name, _) in target.dependencies { keep(name) }
    }
    for name in only.split(separator: ",") { keep(String(name)) }
    package.targets.removeAll { !kept.contains($0.name) }
    package.products = package.products.filter {
        ($0 as? Product.Executable)?.targets.allSatisfy(kept.contains) ?? false
    }
}

// In CI warnings are errors, in all builds alike.
if Context.environment["SURTITLE_STRICT"] == "1" {
    for target in package.targets {
        target.swiftSettings = (target.swiftSettings ?? []) + [.treatAllWarnings(as: .error)]
    }
}

// For Fuzz/run.sh, which builds this product alone: what it links comes with the compiler's option for fuzzing.
if Context.environment["SURTITLE_FUZZ"] == "1" {
    package.products.append(.executable(name: "surtitle-fuzz", targets: ["surtitle-fuzz"]))
    package.targets += [
        .target(name: "CLibFuzzer", path: "Fuzz/Sources/CLibFuzzer"),
        .executableTarget(
            name: "surtitle-fuzz", dependencies: ["CLibFuzzer", "FuzzCommon"], path: "Fuzz/Sources/surtitle-fuzz"),
    ]
}
