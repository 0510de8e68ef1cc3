import CNearbyAvahi
import Foundation

/// libavahi-client, loaded on demand.
///
/// It cannot be linked together with libavahi-core: both define `avahi_entry_group_free`, with different
/// parameters, and would call each other's through the linker's global symbol table. Loaded with
/// `RTLD_DEEPBIND`, it uses its own. This also saves a process without a daemon from loading D-Bus.
struct ClientLibrary: Sendable {
  typealias Group = OpaquePointer
  typealias Text = UnsafePointer<CChar>
  typealias List = UnsafeMutablePointer<AvahiStringList>

  let clientNew:
    @convention(c) (
      UnsafePointer<AvahiPoll>?, AvahiClientFlags, AvahiClientCallback?, UnsafeMutableRawPointer?,
      UnsafeMutablePointer<Int32>?
    ) -> OpaquePointer?
  let clientFree: @convention(c) (OpaquePointer?) -> Void
  let clientErrno: @convention(c) (OpaquePointer?) -> Int32
  let groupNew: @convention(c) (OpaquePointer?, AvahiEntryGroupCallback?, UnsafeMutableRawPointer?) -> Group?
  let groupFree: @convention(c) (Group?) -> Int32
  let groupReset: @convention(c) (Group?) -> Int32
  let groupCommit: @convention(c) (Group?) -> Int32
  let addService:
    @convention(c) (
      Group?, Int32, Int32, AvahiPublishFlags, Text?, Text?, Text?, Text?, UInt16, List?
    ) -> Int32
  let updateText:
    @convention(c) (Group?, Int32, Int32, AvahiPublishFlags, Text?, Text?, Text?, List?) -> Int32
  let browserNew:
    @convention(c) (
      OpaquePointer?, Int32, Int32, Text?, Text?, AvahiLookupFlags, AvahiServiceBrowserCallback?,
      UnsafeMutableRawPointer?
    ) -> OpaquePointer?
  let browserFree: @convention(c) (OpaquePointer?) -> Int32
  let resolverNew:
    @convention(c) (
      OpaquePointer?, Int32, Int32, Text?, Text?, Text?, Int32, AvahiLookupFlags,
      AvahiServiceResolverCallback?, UnsafeMutableRawPointer?
    ) -> OpaquePointer?
  let resolverFree: @convention(c) (OpaquePointer?) -> Int32

  private static let fileName = "libavahi-client.so.3"
  static let shared = Result { () throws(NetworkError) in try ClientLibrary() }

  /// Sanitizers end the process when a library is loaded with `RTLD_DEEPBIND`.
  static var isAllowed: Bool { dlsym(nil, "__asan_init") == nil && dlsym(nil, "__tsan_init") == nil }

  private init() throws(NetworkError) {
    guard Self.isAllowed else {
      throw .discovery(call: "dlopen", reason: "sanitizers allow no RTLD_DEEPBIND")
    }
    guard let library = dlopen(Self.fileName, RTLD_NOW | RTLD_LOCAL | RTLD_DEEPBIND) else {
      throw .discovery(call: "dlopen", reason: dlerror().map { String(cString: $0) } ?? Self.fileName)
    }
    // The D-Bus library that Avahi loads would otherwise ignore SIGPIPE for the whole process at its first
    // connection, although it writes with MSG_NOSIGNAL.
    let changesSignals: @convention(c) (UInt32) -> Void = try Self.find(
      "dbus_connection_set_change_sigpipe", in: library)
    changesSignals(0)
    clientNew = try Self.find("avahi_client_new", in: library)
    clientFree = try Self.find("avahi_client_free", in: library)
    clientErrno = try Self.find("avahi_client_errno", in: library)
    groupNew = try Self.find("avahi_entry_group_new", in: library)
    groupFree = try Self.find("avahi_entry_group_free", in: library)
    groupReset = try Self.find("avahi_entry_group_reset", in: library)
    groupCommit = try Self.find("avahi_entry_group_commit", in: library)
    addService = try Self.find("avahi_entry_group_add_service_strlst", in: library)
    updateText = try Self.find("avahi_entry_group_update_service_txt_strlst", in: library)
    browserNew = try Self.find("avahi_service_browser_new", in: library)
    browserFree = try Self.find("avahi_service_browser_free", in: library)
    resolverNew = try Self.find("avahi_service_resolver_new", in: library)
    resolverFree = try Self.find("avahi_service_resolver_free", in: library)
  }

  /// Looks up a function. Its type was compared with the library's headers by hand, because nothing else can
  /// check it.
  private static func find<Function>(
    _ name: String, in library: UnsafeMutableRawPointer
  ) throws(NetworkError) -> Function {
    guard let symbol = dlsym(library, name) else {
      throw .discovery(call: "dlsym", reason: "\(fileName) has no \(name)")
    }
    return unsafeBitCast(symbol, to: Function.self)
  }
}
