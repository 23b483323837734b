import FuzzCommon

let surface = FuzzTarget.expressions
