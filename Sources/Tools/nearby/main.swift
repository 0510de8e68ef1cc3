import Foundation
import NearbyCommandLine

exit(NearbyCommand.program.main(Array(CommandLine.arguments.dropFirst())).rawValue)
