// What output is taken in, for those who import this module alone. Nothing else of ByteScan comes along.
@_exported public import struct ByteScan.OutputBuffer
@_exported public import enum ByteScan.OutputError
@_exported public import enum ByteScan.OutputPiece
@_exported public import struct ByteScan.OutputPieces
@_exported public import struct ByteScan.OutputSlice
