import FoundationNetworking
import NearbyConcurrency
import NearbyDevice
import NearbyPeerLink

// Sending resources from the web.
extension MCSession {
  /// Downloads a resource to a file, then sends the file. The progress counts the octets that the receiver
  /// has stored; it is indeterminate during the download.
  func sendDownload(
    of url: URL, withName name: String, toPeer peerID: MCPeerID,
    completionHandler: (((any Error)?) -> Void)?
  ) -> Progress? {
    // Virtual time cannot wait for the web.
    guard !device.app.isVirtual else { return fail(completionHandler, MCError(.unsupported)) }
    guard connected(peerID.peer.identity) != nil else {
      return fail(completionHandler, MCError(.notConnected))
    }
    let progress = TransferProgress.make(of: nil)
    let download = Download(
      name: name, peer: peerID, progress: progress,
      completion: completionHandler.map { UncheckedSendable($0) })
    let task = URLSession.shared.downloadTask(with: url) { [weak self, later] file, response, error in
      // If the session is gone, the file cannot be sent.
      var failure: MCError? = MCError(.notConnected)
      if let self { failure = download.failure(file, response, error) ?? forward(download, file) }
      if let failure, let completion = download.completion { later.call(completion.value, failure) }
    }
    progress.onCancel { task.cancel() }
    task.resume()
    return progress
  }

  /// Sends the downloaded file.
  ///
  /// - Returns: The reason if it cannot be sent, or else `nil`.
  private func forward(_ download: Download, _ url: URL?) -> MCError? {
    // `URLSession` deletes the file when its handler returns, but an open file stays readable.
    guard let file = url.flatMap({ OpenFile($0) }) else { return MCError(.unavailable) }
    download.progress.totalUnitCount = Int64(clamping: file.size)
    return offer(
      ResourceBeingSent(file: file.handle, progress: download.progress, completion: download.completion),
      size: file.size, name: download.name, to: download.peer)
  }
}

/// A resource being downloaded. Its handler is called once, on the session's queue.
private struct Download: Sendable {
  let name: String
  let peer: MCPeerID
  let progress: TransferProgress
  let completion: UncheckedSendable<((any Error)?) -> Void>?

  func failure(_ file: URL?, _ response: URLResponse?, _ error: (any Error)?) -> MCError? {
    if progress.isCancelled { return MCError(.cancelled) }
    if let error { return MCError(.unavailable, userInfo: [NSDebugDescriptionErrorKey: "\(error)"]) }
    if let status = (response as? HTTPURLResponse)?.statusCode, !(200..<300).contains(status) {
      return MCError(.unavailable, userInfo: [NSDebugDescriptionErrorKey: "HTTP status \(status)"])
    }
    return file == nil ? MCError(.unavailable) : nil
  }
}
