import NearbyCommandLine

/// `nearby help environment`: every variable that the libraries and the command read.
enum EnvironmentTopic {
  static let topic = HelpTopic(
    name: "environment", summary: "Environment variables of programs that use swift-nearby",
    sections: [
      (
        "device",
        [
          .init("NEARBY_RADIO", "UWB chip: tcp:HOST:PORT or serial:DEVICE[@BAUD] (default: no radio)"),
          .init("NEARBY_WORLD", "HOST:PORT of a world to join instead of using a chip and a camera"),
          .init(
            "NEARBY_DEVICE",
            "Name of this device in the world, and to peers (default: the program's or host's)"
          ),
          .init("NEARBY_DEVICE_NAME", "UIDevice's name, if it should differ from NEARBY_DEVICE"),
          .init("NEARBY_TOKEN", "Token that the world printed"),
          .init(
            "NEARBY_CAMERA",
            "Source of TUM poses: tcp:HOST:PORT, file:PATH or stdin, optionally ,frame=optical"),
        ]
      ),
      (
        "bluetooth and peers",
        [
          .init("NEARBY_BLUETOOTH", "Adapter such as hci0, or off (default: the first that is on)"),
          .init("NEARBY_BLUETOOTH_SCAN", "active or passive; passive needs CAP_NET_RAW (default: active)"),
          .init("DBUS_SYSTEM_BUS_ADDRESS", "Bus of bluetoothd (default: /run/dbus/system_bus_socket)"),
          .init("NEARBY_DISCOVERY", "DNS-SD through daemon or embedded only (default: tries both)"),
          .init("NEARBY_PEER_KEYS", "Folder of the keys of archived peers, or memory"),
          .init("NEARBY_PEERS", "NATS server through which peers meet, nats://HOST:PORT (default: the LAN)"),
          .init("NEARBY_PEERS_CREDENTIALS", "File of credentials for that server"),
          .init("NEARBY_PEERS_CERTIFICATES", "File of certificates by which that server is trusted"),
        ]
      ),
      (
        "answers in place of questions on the terminal",
        [
          .init("NEARBY_PERMISSION", "Nearby Interaction: allowed, allowedOnce or denied"),
          .init("NEARBY_CAMERA_PERMISSION", "Camera: allowed, allowedOnce or denied"),
          .init("NEARBY_LOCATION_PERMISSION", "Location: always, whenInUse, once or denied"),
          .init("NEARBY_LOCATION_ACCURACY", "reduced turns the precise location off"),
          .init("NEARBY_INVITATIONS", "Invitations to sessions: accept or decline"),
          .init("NEARBY_ACCESSORY_PICKER", "Accessory pickers: choose the first accessory, or cancel"),
        ]
      ),
      (
        "campaigns",
        [
          .init("NEARBY_SEEDS", "Seeds of tests with Seeds.campaign, such as 1..1000 or 1..10,42"),
          .init(
            "NEARBY_SHARD", "Part of a campaign to run, such as 2/5 (default: from the CI system or cluster)"),
          .init("NEARBY_SHARD_COUNT", "Number of parts, where JOB_COMPLETION_INDEX names the part"),
          .init(
            "NEARBY_RECORDINGS", "Folder for recordings of failing seeds (default: .build/nearby-recordings)"),
          .init("NEARBY_SEED", "In programs of campaign run --run: the run's seed"),
          .init(
            "NEARBY_TIME, NEARBY_NETWORK",
            "In programs of campaign run --run: where they find the world's time and network"),
          .init(
            "NEARBY_TIME_LIBRARY", "libNearbyProgramTime.so for such programs (default: beside the command)"),
          .init("NEARBY_NATS_CREDENTIALS", "File of credentials for a NATS server"),
          .init("NEARBY_NATS_CERTIFICATES", "File of certificates that are trusted for a NATS server"),
        ]
      ),
      (
        "log",
        [
          .init("NEARBY_LOG", "Lowest level to print: debug, info, default, error, fault or off"),
          .init("NEARBY_LOG_PRIVATE", "1 prints private values"),
        ]
      ),
      (
        "Info.plist keys that may be given as variables",
        [
          .init("NSNearbyInteractionUsageDescription", "Reason for using Nearby Interaction"),
          .init("NSCameraUsageDescription", "Reason for using the camera"),
          .init("NSLocationWhenInUseUsageDescription", "Reason for using the location in the foreground"),
          .init("NSLocationAlwaysAndWhenInUseUsageDescription", "Reason for using the location always"),
          .init("UIBackgroundModes", "Background modes, separated by commas"),
        ]
      ),
      (
        "set for the commands of accessory --on-near, --on-far and --on-gone",
        [
          .init("NEARBY_PHONE", "Name of the connection, such as phone 1"),
          .init("NEARBY_PHONE_ID", "Stable identifier of the phone; empty if it has none"),
          .init("NEARBY_DISTANCE", "Distance in metres; empty if unknown"),
        ]
      ),
      (
        "set for programs of world --run",
        [.init("NEARBY_WORLD_PROCESS", "Process id of the world, which programs end with")]
      ),
      (
        "folders",
        [
          .init("XDG_CONFIG_HOME", "Answers to permission questions (default: ~/.config)"),
          .init("XDG_STATE_HOME", "Keys and monitored regions (default: ~/.local/state)"),
          .init("XDG_RUNTIME_DIR", "Locks of shared simulated airs (default: /tmp)"),
        ]
      ),
    ])
}
