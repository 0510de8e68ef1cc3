// Identifiers as Core Foundation makes them, for code that still does.

/// Text.
public typealias CFString = NSString
/// Where memory comes from; always `nil` here.
public typealias CFAllocator = NSObject

/// An identifier.
public final class CFUUID: NSObject, Sendable {
  let uuid = UUID()
}

/// Makes an identifier that nobody else has.
@_disfavoredOverload
public func CFUUIDCreate(_ allocator: CFAllocator?) -> CFUUID! { CFUUID() }

/// The identifier's usual text.
@_disfavoredOverload
public func CFUUIDCreateString(_ allocator: CFAllocator?, _ identifier: CFUUID!) -> CFString! {
  identifier.uuid.uuidString as NSString
}
