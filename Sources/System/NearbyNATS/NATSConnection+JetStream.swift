import CNearbyNATS
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
  /// - Parameter age: Messages that are older are removed.
  package func makeStream(
    _ name: String, subject: String, _ retention: Retention, age: Duration
  ) throws(NATSFailure) {
    var code = jsErrCode(0)
    let status = name.withCString { name in
      subject.withCString { subject in
        var subjects: [UnsafePointer<CChar>?] = [subject]
        return subjects.withUnsafeMutableBufferPointer { subjects in
          var configuration = jsStreamConfig()
          jsStreamConfig_Init(&configuration)
          configuration.Name = name
          configuration.Subjects = subjects.baseAddress
          configuration.SubjectsLen = 1
          configuration.Retention = retention == .workQueue ? js_WorkQueuePolicy : js_LimitsPolicy
          configuration.Storage = js_FileStorage
          configuration.MaxAge = age.inNanoseconds
          configuration.Duplicates = Self.duplicateWindow.inNanoseconds
          return js_AddStream(nil, stream, &configuration, nil, &code)
        }
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
