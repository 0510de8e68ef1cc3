import Foundation

/// Explains errors of file operations.
package enum FileTrouble {
  package static func reason(_ error: any Error) -> String {
    let underlying = (error as NSError).userInfo[NSUnderlyingErrorKey] as? NSError
    if let underlying, underlying.domain == NSPOSIXErrorDomain {
      return String(cString: strerror(Int32(clamping: underlying.code)))
    }
    return error.localizedDescription
  }
}
