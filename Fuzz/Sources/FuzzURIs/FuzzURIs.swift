import FuzzCommon

let surface = FuzzTarget.uris
