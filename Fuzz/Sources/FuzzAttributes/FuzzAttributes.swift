import FuzzCommon

let surface = FuzzTarget.attributes
