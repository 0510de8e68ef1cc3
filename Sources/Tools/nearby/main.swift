import Foundation

exit(NearbyCommand.main(Array(CommandLine.arguments.dropFirst())).rawValue)
