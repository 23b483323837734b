/// The content type of a FairPlay key that is not kept.
public let AVStreamingKeyDeliveryContentKeyType = "com.apple.streamingkeydelivery.contentkey"
/// The content type of a FairPlay key that is kept.
public let AVStreamingKeyDeliveryPersistentContentKeyType = "com.apple.streamingkeydelivery.persistentcontentkey"
