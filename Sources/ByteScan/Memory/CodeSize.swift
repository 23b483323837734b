/// How much code there may be.
package enum CodeSize {
    /// Whether code has to be small: a module for WebAssembly comes over the network before it can do anything. Where
    /// it has, the ways for what is usual in form are left out, and all goes by those for any form.
    @inlinable
    package static var isScarce: Bool {
        #if arch(wasm32)
        true
        #else
        false
        #endif
    }
}
