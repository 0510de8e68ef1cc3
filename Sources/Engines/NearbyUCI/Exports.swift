// A host's requests and reports are made of the messages' types, so whoever imports the host gets those too.
@_exported import NearbyUCIMessages
