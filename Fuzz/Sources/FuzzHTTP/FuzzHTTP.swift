import FuzzCommon

let surface = FuzzTarget.http
