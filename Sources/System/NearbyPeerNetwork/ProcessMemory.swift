import CNearbyLinux

/// How the C library deals with memory that messages come and go in.
package enum ProcessMemory {
  /// Memory given back to the system after each message would be asked for again at once, page by page, which costs
  /// more than the copies: up to 32 MiB are kept. Does its work once.
  package static func keepForMessages() { _ = keep }

  private static let keep: Bool =
    mallopt(M_TRIM_THRESHOLD, 32 << 20) == 1 && mallopt(M_MMAP_THRESHOLD, 4 << 20) == 1
    && mallopt(M_TOP_PAD, 1 << 20) == 1
}
