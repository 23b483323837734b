// The part of Apple's headers that the delegate is about, by their names and selectors, for the importer of clang.
#pragma clang assume_nonnull begin

@protocol NSObject
@end

__attribute__((objc_root_class)) @interface NSObject <NSObject>
- (instancetype)init;
@end

__attribute__((swift_name("URLAuthenticationChallenge"))) @interface NSURLAuthenticationChallenge : NSObject
@end

@interface AVAssetResourceLoader : NSObject
@end

__attribute__((swift_attr("@Sendable"))) @interface AVAssetResourceLoadingRequest : NSObject
@end

@interface AVAssetResourceRenewalRequest : AVAssetResourceLoadingRequest
@end

@protocol AVAssetResourceLoaderDelegate <NSObject>
@optional
- (_Bool)resourceLoader:(AVAssetResourceLoader *)resourceLoader
    shouldWaitForLoadingOfRequestedResource:(AVAssetResourceLoadingRequest *)loadingRequest;
- (_Bool)resourceLoader:(AVAssetResourceLoader *)resourceLoader
    shouldWaitForRenewalOfRequestedResource:(AVAssetResourceRenewalRequest *)renewalRequest;
- (void)resourceLoader:(AVAssetResourceLoader *)resourceLoader
    didCancelLoadingRequest:(AVAssetResourceLoadingRequest *)loadingRequest;
- (_Bool)resourceLoader:(AVAssetResourceLoader *)resourceLoader
    shouldWaitForResponseToAuthenticationChallenge:(NSURLAuthenticationChallenge *)authenticationChallenge;
- (void)resourceLoader:(AVAssetResourceLoader *)resourceLoader
    didCancelAuthenticationChallenge:(NSURLAuthenticationChallenge *)authenticationChallenge;
@end

#pragma clang assume_nonnull end
