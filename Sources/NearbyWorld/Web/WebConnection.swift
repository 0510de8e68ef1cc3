/// One connection to the page's server: requests for files, and then perhaps a WebSocket.
///
/// A pure machine: octets and the time go in; events and octets to be written come out. It starts with requests,
/// which it answers one after another. An accepted request for the socket makes it a socket for good; a refusal, a
/// closing frame or anything malformed makes it `ending`, in which it only gets rid of what it still has to write.
/// Invariants: at most one `.opened`, and after it exactly one `.closed`; no more is kept of its input than one head,
/// or one message and one frame; whatever a client does or fails to do, there is a deadline.
package struct WebConnection: Sendable {
  package enum Event: Equatable, Sendable {
    /// It is a WebSocket now.
    case opened
    case received(String)
    /// The WebSocket is closed or about to be; nothing more may be sent to it.
    case closed
  }

  enum Phase: Equatable, Sendable { case requests, socket, ending }

  /// Time for a whole head, from the start or from the end of the answer before.
  static let headLimit = Duration.seconds(10)
  /// Time a client may take to read one answer.
  static let answerLimit = Duration.seconds(30)
  /// Silence of a socket after which it is asked whether it is there.
  static let pingInterval = Duration.seconds(20)
  /// Silence of a socket after which it counts as gone.
  static let silenceLimit = Duration.seconds(60)
  /// Time in which a socket with something to read reads nothing, after which it counts as gone.
  static let stallLimit = Duration.seconds(30)
  /// Time between the last word and the end.
  static let endLimit = Duration.seconds(2)
  /// Frames a browser may send in a second.
  static let framesPerSecond = 200

  private(set) var phase = Phase.requests
  var output = WebOutput()
  private var deadline: Duration
  private var input: [UInt8] = []
  /// Octets of `input` in which no head ends.
  private var searched = 0
  private var frames = WebSocketReader()
  private var lastReceived = Duration.zero
  private var lastPing = Duration.zero
  private var second: Int64 = 0
  private var framesInSecond = 0

  package init(at time: Duration) { deadline = time + Self.headLimit }

  /// Whether its octets are to be read: while an answer waits to be written no further request is.
  var wantsInput: Bool { phase != .requests || output.isEmpty }
  /// Whether all is said and written.
  var isDone: Bool { phase == .ending && output.isEmpty }
  /// Whether the client owes a request, so that the connection is no loss to anybody.
  var isIdle: Bool { phase == .requests && output.isEmpty }

  // MARK: Input

  /// - Parameters:
  ///   - time: Since any fixed moment; never less than before.
  ///   - hasRoom: Whether one WebSocket more may be opened.
  package mutating func received(
    _ octets: some Collection<UInt8>, at time: Duration, _ site: WebSite, hasRoom: Bool
  ) -> [Event] {
    lastReceived = time
    switch phase {
    case .ending: return []
    case .requests: input.append(contentsOf: octets)
    case .socket: frames.append(octets)
    }
    return proceed(at: time, site, hasRoom: hasRoom)
  }

  /// Everything that waited was written.
  package mutating func drained(at time: Duration, _ site: WebSite, hasRoom: Bool) -> [Event] {
    guard phase == .requests else { return [] }
    deadline = time + Self.headLimit
    return proceed(at: time, site, hasRoom: hasRoom)
  }

  /// Drops what waits to be written.
  ///
  /// - Returns: Whether there was anything.
  package mutating func discardOutput() -> Bool {
    defer { output.removeAll() }
    return !output.isEmpty
  }

  /// Some of what waited was written.
  mutating func progressed(at time: Duration) {
    if phase == .socket { deadline = time + Self.stallLimit }
  }

  private mutating func proceed(at time: Duration, _ site: WebSite, hasRoom: Bool) -> [Event] {
    var events: [Event] = []
    while phase == .requests, output.isEmpty, let head = takeHead(at: time) {
      do throws(HTTPRequest.Refusal) {
        try answer(HTTPRequest(parsing: head), at: time, site, hasRoom: hasRoom)
      } catch {
        refuse(error, at: time)
      }
      if phase == .socket { events.append(.opened) }
    }
    if phase == .socket { events += readFrames(at: time) }
    return events
  }

  /// Removes the next head from the input; `nil` if it is not complete yet.
  private mutating func takeHead(at time: Duration) -> ArraySlice<UInt8>? {
    let end: [UInt8] = [0x0D, 0x0A, 0x0D, 0x0A]
    var index = max(0, searched - 3)
    while index + 4 <= input.count {
      if input[index..<index + 4].elementsEqual(end) {
        guard index + 4 <= HTTPRequest.longestHead else { break }
        let head = input[..<(index + 4)]
        input.removeFirst(index + 4)
        searched = 0
        return head
      }
      index += 1
    }
    searched = input.count
    if input.count >= HTTPRequest.longestHead {
      let reason = "more than \(HTTPRequest.longestHead) octets before the end of the head"
      refuse(HTTPRequest.Refusal(status: .tooLarge, reason: reason), at: time)
    }
    return nil
  }

  // MARK: Requests

  private mutating func answer(
    _ request: HTTPRequest, at time: Duration, _ site: WebSite, hasRoom: Bool
  ) throws(HTTPRequest.Refusal) {
    if site.isForSocket(request) {
      let opening = try site.opening(for: request)
      guard hasRoom else { throw .init(status: .unavailable, reason: "too many viewers; try again later") }
      output.append(opening)
      phase = .socket
      deadline = time + Self.stallLimit
      lastPing = time
      frames.append(input)
      input = []
      return
    }
    let answer = HTTPAnswer(try site.file(for: request))
    output.append(answer.head(isKeptAlive: request.isKeptAlive))
    if request.method == "GET" { output.append(answer.body) }
    deadline = time + Self.answerLimit
    if !request.isKeptAlive { phase = .ending }
  }

  private mutating func refuse(_ refusal: HTTPRequest.Refusal, at time: Duration) {
    let answer = HTTPAnswer(refusal)
    output.append(answer.head(isKeptAlive: false))
    output.append(answer.body)
    end(at: time)
  }

  private mutating func end(at time: Duration) {
    phase = .ending
    input = []
    deadline = time + Self.endLimit
  }

  // MARK: The socket

  private mutating func readFrames(at time: Duration) -> [Event] {
    var events: [Event] = []
    do throws(WebSocketReader.Fault) {
      while let frame = try frames.next() {
        try count(at: time)
        switch frame {
        case .fragment, .pong: break
        case .text(let text): events.append(.received(text))
        case .ping(let payload): output.append(WebMessage.pong(payload))
        case .close:
          close(code: 1000, at: time)
          return events + [.closed]
        }
      }
    } catch {
      close(code: error.code, at: time)
      events.append(.closed)
    }
    return events
  }

  private mutating func count(at time: Duration) throws(WebSocketReader.Fault) {
    if second != time.components.seconds { (second, framesInSecond) = (time.components.seconds, 0) }
    framesInSecond += 1
    guard framesInSecond <= Self.framesPerSecond else {
      throw WebSocketReader.Fault(code: 1008, reason: "more than \(Self.framesPerSecond) frames in a second")
    }
  }

  /// Ends a WebSocket by the server's own will. The caller knows that it is closed.
  mutating func close(code: UInt16, at time: Duration) {
    guard phase == .socket else { return }
    output.append(WebMessage.close(code: code))
    end(at: time)
  }

  // MARK: Time

  /// Lets time pass.
  ///
  /// - Returns: Whether the connection may stay; where not, it is to be closed at once.
  package mutating func timePassed(at time: Duration) -> Bool {
    guard phase == .socket else { return time < deadline }
    if output.isEmpty { deadline = time + Self.stallLimit }
    let isThere = time < deadline && time - lastReceived < Self.silenceLimit
    if isThere, time - max(lastReceived, lastPing) >= Self.pingInterval, output.isEmpty {
      lastPing = time
      output.append(WebMessage.ping)
    }
    return isThere
  }
}
