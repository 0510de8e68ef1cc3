import Foundation
import NearbyCampaigns
import NearbyCommandLine
import Testing

@testable import nearby

@Suite("Progress of a campaign")
struct CampaignScreenTests {
  @Test("Shows a bar with the rate, the time left and failures")
  func line() {
    var progress = CampaignPool.Progress()
    progress.done = 250
    progress.failed = 2
    #expect(
      CampaignScreen.line(progress, total: 1000, after: .seconds(10))
        == "[######..................] 250 of 1000, 25 a second, 30 s left, 2 failed")
    progress = CampaignPool.Progress()
    #expect(
      CampaignScreen.line(progress, total: 0, after: .zero)
        == "[########################] 0 of 0, 0.0 a second")
    progress.done = 1
    #expect(
      CampaignScreen.line(progress, total: 100_000, after: .seconds(2)).hasSuffix("0.5 a second, 55.6 h left")
    )
  }

  @Test("Redraws one line on a terminal only, and clears it")
  func terminal() {
    var (context, _, errors) = CommandContext.recording()
    CampaignScreen(total: 2, kept: 0, context).show(CampaignPool.Progress())
    #expect(errors.text == "")
    context.errorTerminal = { TerminalInfo(columns: 80, rows: 24, hasColour: false) }
    let screen = CampaignScreen(total: 2, kept: 0, context)
    screen.show(CampaignPool.Progress())
    screen.show(CampaignPool.Progress())
    screen.clear()
    #expect(errors.text.components(separatedBy: "0 of 2").count == 2)
    #expect(errors.text.hasSuffix("\r\u{1B}[K"))
  }
}
