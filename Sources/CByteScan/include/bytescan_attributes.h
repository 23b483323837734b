// The items of attribute lists: `NAME=VALUE,NAME="VALUE"`.
#ifndef BYTESCAN_ATTRIBUTES_H
#define BYTESCAN_ATTRIBUTES_H

#include "bytescan_block.h"
#include "bytescan_copy.h"

/// An item of an attribute list: its first `=` outside quotes, and the comma after it or the list's end. Without an `=` both
/// are the same.
typedef struct BYTESCAN_NAMED("ListItem") {
    ptrdiff_t equals;
    ptrdiff_t stop;
} bytescan_list_item;

// How many items are found at once at most, and how many there is room for: eight offsets are noted at a time, needed or not.
enum { bytescan_items_capacity = 11, bytescan_items_room = 15 };

/// Items that follow each other in an attribute list.
typedef struct BYTESCAN_NAMED("ListItems") {
    bytescan_list_item items[bytescan_items_room];
    /// How many there are.
    ptrdiff_t count;
    /// Whether each is a name, one `=` and a value, without white space outside quotes.
    bool are_plain BYTESCAN_NAMED("arePlain");
    /// Whether a quote is open at the end of the list, if that has been reached.
    bool ends_inside_quotes BYTESCAN_NAMED("endsInsideQuotes");
} bytescan_list_items;

/// The item with `index`.
BYTESCAN_INLINE bytescan_list_item bytescan_item(const bytescan_list_items *items, ptrdiff_t index)
    BYTESCAN_NAMED("listItem(_:_:)");
BYTESCAN_INLINE bytescan_list_item bytescan_item(const bytescan_list_items *items, ptrdiff_t index) { return items->items[index]; }

#endif
