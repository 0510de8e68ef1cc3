import FoundationNetworking
import NearbyConcurrency
import NearbyDevice
import NearbyPeerLink

// Resources that are on the web.
extension MCSession {
  /// Fetches a resource into a file, then sends that. The progress counts what the receiver has; while it is
  /// fetched it is indeterminate.
  func sendDownload(
    of url: URL, withName name: String, toPeer peerID: MCPeerID,
    completionHandler: (((any Error)?) -> Void)?
  ) -> Progress? {
    // A world's time does not wait for the web.
    guard !device.app.isVirtual else { return fail(completionHandler, MCError(.unsupported)) }
    guard connected(peerID.peer.identity) != nil else {
      return fail(completionHandler, MCError(.notConnected))
    }
    let progress = TransferProgress.make(of: nil)
    let download = Download(
      name: name, peer: peerID, progress: progress,
      completion: completionHandler.map { UncheckedSendable($0) })
    let task = URLSession.shared.downloadTask(with: url) { [weak self, later] file, response, error in
      // Without a session there is nobody to send it.
      var failure: MCError? = MCError(.notConnected)
      if let self { failure = download.failure(file, response, error) ?? forward(download, file) }
      if let failure, let completion = download.completion { later.call(completion.value, failure) }
    }
    progress.onCancel { task.cancel() }
    task.resume()
    return progress
  }

  /// Sends what was fetched.
  ///
  /// - Returns: Why not, where not.
  private func forward(_ download: Download, _ url: URL?) -> MCError? {
    // The system removes the file when this returns; who has it open may read on.
    guard let file = url.flatMap({ OpenFile($0) }) else { return MCError(.unavailable) }
    download.progress.totalUnitCount = Int64(clamping: file.size)
    return offer(
      OutgoingResource(file: file.handle, progress: download.progress, completion: download.completion),
      size: file.size, name: download.name, to: download.peer)
  }
}

/// A resource that is being fetched. Its handler is called once, on the session's queue.
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
