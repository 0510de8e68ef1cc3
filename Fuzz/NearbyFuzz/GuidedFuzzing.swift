#if GUIDED_FUZZING
  import Foundation

  // libFuzzer has its own `main` and calls these functions. With NEARBY_FUZZ_ENTRY, which
  // `Scripts/fuzz-guided` sets, it fuzzes that entry. Otherwise the program behaves as if it were built
  // without libFuzzer.

  private let entryName = ProcessInfo.processInfo.environment["NEARBY_FUZZ_ENTRY"]
  private let chosenEntry = FuzzCommand.entry(entryName ?? "")

  @_cdecl("LLVMFuzzerInitialize")
  func initializeFuzzing(_ count: UnsafeMutableRawPointer, _ arguments: UnsafeMutableRawPointer) -> CInt {
    guard entryName != nil else {
      FuzzCommand.run(Array(CommandLine.arguments.dropFirst()))
      exit(0)
    }
    _ = chosenEntry
    return 0
  }

  @_cdecl("LLVMFuzzerTestOneInput")
  func fuzzOneInput(_ octets: UnsafePointer<UInt8>?, _ count: Int) -> CInt {
    chosenEntry.run(Array(UnsafeBufferPointer(start: octets, count: count)))
    return 0
  }

  /// libFuzzer's own mutation of octets, guided by comparisons and its dictionary.
  @_silgen_name("LLVMFuzzerMutate")
  private func mutateOctets(_ octets: UnsafeMutablePointer<UInt8>, _ count: Int, _ room: Int) -> Int

  @_cdecl("LLVMFuzzerCustomMutator")
  func mutateInput(
    _ octets: UnsafeMutablePointer<UInt8>, _ count: Int, _ room: Int, _ seed: CUnsignedInt
  ) -> Int {
    guard let shape = chosenEntry.frames, seed & 1 == 0 else { return mutateOctets(octets, count, room) }
    var random = FuzzRandom(state: UInt64(seed))
    let input = Array(UnsafeBufferPointer(start: octets, count: count))
    let output = shape.mutate(input, using: &random) { payload, _ in
      let most = min(room, max(16, payload.count * 2))
      var buffer = payload + [UInt8](repeating: 0, count: max(0, most - payload.count))
      let length = buffer.withUnsafeMutableBufferPointer { pointer in
        pointer.baseAddress.map { mutateOctets($0, payload.count, most) } ?? 0
      }
      return Array(buffer.prefix(length))
    }
    return store(output.prefix(room), at: octets)
  }

  /// The beginning of one input and the end of another.
  @_cdecl("LLVMFuzzerCustomCrossOver")
  func crossInputs(
    _ first: UnsafePointer<UInt8>?, _ firstCount: Int, _ second: UnsafePointer<UInt8>?, _ secondCount: Int,
    _ octets: UnsafeMutablePointer<UInt8>, _ room: Int, _ seed: CUnsignedInt
  ) -> Int {
    var random = FuzzRandom(state: UInt64(seed))
    let first = Array(UnsafeBufferPointer(start: first, count: firstCount))
    let second = Array(UnsafeBufferPointer(start: second, count: secondCount))
    let crossed: [UInt8]
    if let shape = chosenEntry.frames {
      crossed = shape.cross(first, second, using: &random)
    } else {
      let head = Array(first.prefix(random.below(first.count + 1)))
      crossed = head + second.dropFirst(random.below(second.count + 1))
    }
    return store(crossed.prefix(room), at: octets)
  }

  private func store(_ output: ArraySlice<UInt8>, at octets: UnsafeMutablePointer<UInt8>) -> Int {
    for (index, octet) in output.enumerated() { octets[index] = octet }
    return output.count
  }
#endif
