import Testing

@testable import Delivery

/// The order in which spans are sealed.
struct LivePositionTests {
    private static func place(_ life: UInt32, _ segment: UInt64, _ part: UInt32?) -> LivePosition {
        LivePosition(life: life, part: part ?? LivePosition.wholePart, segment: segment)
    }

    @Test func aWholeSegmentComesAfterItsParts() {
        let places = [
            LivePosition.first, Self.place(0, 0, 1), Self.place(0, 0, nil), Self.place(0, 1, 0), Self.place(0, 9, nil),
            Self.place(1, 0, 0), Self.place(1, 2, 3), Self.place(2, 1, 0),
        ]
        for (index, place) in places.enumerated() {
            for (other, target) in places.enumerated() { #expect((place <= target) == (index <= other)) }
        }
    }

    @Test(arguments: [
        (place(0, 3, 1), true), (place(0, 3, nil), true), (place(0, 3, 0), false), (place(0, 2, nil), false),
        (place(1, 3, nil), false), (place(1, 3, 1), false),
    ])
    private func whatHasACue(_ place: LivePosition, _ has: Bool) {
        #expect(place.has(Self.place(0, 3, 1)) == has)
    }
}
