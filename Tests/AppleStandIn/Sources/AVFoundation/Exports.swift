// As Apple's does. What is in Foundation there is in two modules here.
@_exported public import Foundation

#if canImport(FoundationNetworking)
@_exported public import FoundationNetworking
#endif
