import FuzzCommon

let surface = FuzzTarget.rewriter
