import NearbyCampaigns
import Testing

@Suite("Scores that programs print")
struct ProgramScoresTests {
  @Test("A line with a score gives its value; a later one of the same name replaces it")
  func values() {
    var scores = ProgramScores()
    #expect(scores.read(#"{"score": "found", "value": 3.5}"#) == nil)
    #expect(scores.read(#"  {"value": null, "score": "lost"}"#) == nil)
    #expect(scores.read(#"{"score": "found", "value": 4}"#) == nil)
    #expect(
      scores.values == [
        ScoreValue(name: "found", value: 4, failure: nil), ScoreValue(name: "lost", value: nil, failure: nil),
      ])
  }

  @Test("Bounds and failures fail the run")
  func bounds() {
    var scores = ProgramScores()
    _ = scores.read(#"{"score": "a", "value": 3, "atMost": 2}"#)
    _ = scores.read(#"{"score": "b", "value": 3, "atLeast": 2, "atMost": 4}"#)
    _ = scores.read(#"{"score": "c", "atLeast": 2}"#)
    _ = scores.read(#"{"score": "d", "value": 1, "failure": "no arrow"}"#)
    #expect(
      scores.values.map(\.failure) == [
        "a: found 3.0000, expected at most 2.0", nil, "c: no value, expected at least 2.0", "no arrow",
      ])
  }

  @Test(
    "Other output is left alone",
    arguments: [
      "", "{", "score: 3", #"{"scores": 3}"#, #"[{"score": "x"}]"#, #"the {"score": "x"}"#, #"{"score": "x""#,
      "\u{0}", #"{"name": "score"}"#,
    ])
  func others(line: String) {
    var scores = ProgramScores()
    #expect(scores.read(line) == nil)
    #expect(scores.values.isEmpty)
  }

  @Test(
    "A score that is none says why",
    arguments: [
      (#"{"score": 3}"#, "a name of 1 to 200 characters"),
      (#"{"score": ""}"#, "a name of 1 to 200 characters"),
      (#"{"score": "x", "value": "3"}"#, "value: expected a number"),
      (#"{"score": "x", "value": 1e300}"#, "value: expected a number"),
      (#"{"score": "x", "atMost": null}"#, "atMost: expected a number"),
      (#"{"score": "x", "failure": 3}"#, "failure: expected a text"),
      (#"{"score": "x", "valve": 3}"#, "no key 'valve'"),
    ])
  func refused(line: String, reason: String) {
    var scores = ProgramScores()
    #expect(scores.read(line)?.contains(reason) == true)
    #expect(scores.values.isEmpty)
  }

  @Test("A run has a thousand scores at most")
  func most() {
    var scores = ProgramScores()
    for number in 0..<ProgramScores.most { #expect(scores.read(#"{"score": "\#(number)"}"#) == nil) }
    #expect(scores.read(#"{"score": "one more"}"#)?.contains("more than 1000") == true)
    #expect(scores.read(#"{"score": "7", "value": 1}"#) == nil)
  }
}
