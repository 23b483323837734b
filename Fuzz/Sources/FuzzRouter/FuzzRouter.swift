import FuzzCommon

let surface = FuzzTarget.router
