import CNearbyNATS
import Glibc
import NearbySchedule

/// Streams: queues that the server keeps on its disk (docs.nats.io, "JetStream").
extension NATSConnection {
  /// What a stream does with a message that was acknowledged.
  package enum Retention: Equatable, Sendable {
    /// Removes it: each message goes to one worker.
    case workQueue
    /// Keeps it until its age is reached.
    case limits
  }

  /// Time in which a message with an identifier that came before is dropped by the server.
  private static let duplicateWindow = Duration.seconds(120)

  /// Makes a stream unless it exists.
  ///
  /// - Parameters:
  ///   - age: Messages that are older are removed.
  ///   - octets: The oldest messages beyond these are removed; `nil` for no limit.
  ///   - replicas: Servers of a cluster that keep it.
  package func makeStream(
    _ name: String, subjects: [String], _ retention: Retention, age: Duration, octets: Int64? = nil,
    replicas: Int = 1
  ) throws(NATSFailure) {
    var code = jsErrCode(0)
    let texts = subjects.map { strdup($0) }
    defer { for text in texts { free(text) } }
    var pointers = texts.map { UnsafePointer<CChar>($0) }
    let status = name.withCString { name in
      pointers.withUnsafeMutableBufferPointer { pointers in
        var configuration = jsStreamConfig()
        jsStreamConfig_Init(&configuration)
        configuration.Name = name
        configuration.Subjects = pointers.baseAddress
        configuration.SubjectsLen = Int32(clamping: pointers.count)
        configuration.Replicas = Int64(replicas)
        if let octets { configuration.MaxBytes = octets }
        configuration.Retention = retention == .workQueue ? js_WorkQueuePolicy : js_LimitsPolicy
        configuration.Storage = js_FileStorage
        configuration.MaxAge = age.inNanoseconds
        configuration.Duplicates = Self.duplicateWindow.inNanoseconds
        return js_AddStream(nil, stream, &configuration, nil, &code)
      }
    }
    if code == JSStreamNameExistErr { return }
    try Self.check(status, "make the stream \(name)", code)
  }

  /// Publishes a message to a stream. When this returns, the server has it.
  ///
  /// - Parameter id: The server drops a message whose identifier came in the last two minutes.
  package func publish(_ octets: [UInt8], to subject: String, id: String) throws(NATSFailure) {
    var code = jsErrCode(0)
    let status = id.withCString { id in
      var options = jsPubOptions()
      jsPubOptions_Init(&options)
      options.MsgId = id
      options.MaxWait = 5000
      return js_Publish(nil, stream, subject, octets, Int32(clamping: octets.count), &options, &code)
    }
    try Self.check(status, "publish", code)
  }

  /// Messages of a consumer that wait, and that were delivered but not acknowledged.
  package func backlog(of consumer: String, in name: String) throws(NATSFailure) -> (waiting: Int, open: Int)
  {
    var info: UnsafeMutablePointer<jsConsumerInfo>?
    var code = jsErrCode(0)
    try Self.check(js_GetConsumerInfo(&info, stream, name, consumer, nil, &code), "ask for the queue", code)
    defer { jsConsumerInfo_Destroy(info) }
    guard let info else { return (0, 0) }
    return (Int(clamping: info.pointee.NumPending), Int(clamping: info.pointee.NumAckPending))
  }

  /// The first and last sequences of a stream.
  package func extent(of name: String) throws(NATSFailure) -> (first: UInt64, last: UInt64) {
    var info: UnsafeMutablePointer<jsStreamInfo>?
    var code = jsErrCode(0)
    try Self.check(js_GetStreamInfo(&info, stream, name, nil, &code), "ask for the stream", code)
    defer { jsStreamInfo_Destroy(info) }
    guard let info else { return (1, 0) }
    // An empty stream states 0.
    return (max(1, info.pointee.State.FirstSeq), info.pointee.State.LastSeq)
  }

  /// Whether a stream holds a message with a subject.
  package func hasMessage(with subject: String, in name: String) throws(NATSFailure) -> Bool {
    var message: OpaquePointer?
    var code = jsErrCode(0)
    let status = js_GetLastMsg(&message, stream, name, subject, nil, &code)
    if status == NATS_NOT_FOUND || code == JSNoMessageFoundErr || code == JSStreamNotFoundErr { return false }
    try Self.check(status, "ask for a message", code)
    natsMsg_Destroy(message)
    return true
  }

  /// Removes a consumer, if it exists.
  package func removeConsumer(_ consumer: String, of name: String) throws(NATSFailure) {
    var code = jsErrCode(0)
    let status = js_DeleteConsumer(stream, name, consumer, nil, &code)
    if code == JSConsumerNotFoundErr { return }
    try Self.check(status, "remove a consumer", code)
  }

  /// Removes all messages with a subject.
  package func purge(_ subject: String, of name: String) throws(NATSFailure) {
    var code = jsErrCode(0)
    let status = subject.withCString { subject in
      var options = jsOptions()
      jsOptions_Init(&options)
      options.Stream.Purge.Subject = subject
      return js_PurgeStream(stream, name, &options, &code)
    }
    try Self.check(status, "remove messages", code)
  }
}
