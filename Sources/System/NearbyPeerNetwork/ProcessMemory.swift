import CNearbyLinux

/// Tunes the C library's allocator for messages.
package enum ProcessMemory {
  /// Keeps up to 32 MiB of freed memory in the process. Otherwise memory would be returned to the system
  /// after each message and requested again page by page, which costs more than copying the message. Only the
  /// first call has an effect.
  package static func retainForMessages() { _ = keep }

  private static let keep: Bool =
    mallopt(M_TRIM_THRESHOLD, 32 << 20) == 1 && mallopt(M_MMAP_THRESHOLD, 4 << 20) == 1
    && mallopt(M_TOP_PAD, 1 << 20) == 1
}
