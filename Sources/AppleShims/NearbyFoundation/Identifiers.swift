// Core Foundation's identifiers, for code that still uses them.

/// A string.
public typealias CFString = NSString
/// A memory allocator; always `nil` here.
public typealias CFAllocator = NSObject

/// A universally unique identifier.
public final class CFUUID: NSObject, Sendable {
  let uuid = UUID()
}

/// Creates a new unique identifier.
@_disfavoredOverload
public func CFUUIDCreate(_ allocator: CFAllocator?) -> CFUUID! { CFUUID() }

/// The identifier's standard text form.
@_disfavoredOverload
public func CFUUIDCreateString(_ allocator: CFAllocator?, _ identifier: CFUUID!) -> CFString! {
  identifier.uuid.uuidString as NSString
}
