import FuzzCommon

let surface = FuzzTarget.json
