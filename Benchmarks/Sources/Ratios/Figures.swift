/// Numbers as the tables show them.
enum Figures {
    /// With so many digits after the point.
    static func fixed(_ value: Double, _ digits: Int) -> String {
        guard value.isFinite, abs(value) < 1e12 else { return "–" }
        var unit = 1
        for _ in 0..<digits { unit *= 10 }
        let scaled = Int((abs(value) * Double(unit)).rounded())
        let whole = "\(value < 0 ? "−" : "")\(scaled / unit)"
        guard digits > 0 else { return whole }
        let fraction = "\(scaled % unit)"
        return whole + "." + String(repeating: "0", count: digits - fraction.count) + fraction
    }

    /// A time, given in nanoseconds.
    static func time(_ nanoseconds: Double) -> String {
        if nanoseconds < 1e3 { return fixed(nanoseconds, 0) + " ns" }
        if nanoseconds < 1e6 { return fixed(nanoseconds / 1e3, nanoseconds < 1e5 ? 2 : 1) + " µs" }
        return fixed(nanoseconds / 1e6, 2) + " ms"
    }

    /// How fast so many bytes in so many nanoseconds are.
    static func rate(_ bytes: Int, _ nanoseconds: Double) -> String { fixed(Double(bytes) / nanoseconds, 2) + " GB/s" }
}
