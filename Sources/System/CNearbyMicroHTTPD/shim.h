#include <microhttpd.h>
#include <sys/socket.h>

// Swift cannot call functions that take a variable number of arguments.

// Starts a daemon that has neither a thread nor a listening socket. It reports nothing to the standard error, since
// MHD_USE_ERROR_LOG is not set. memory: octets for one connection.
static inline struct MHD_Daemon *nearby_http_start(
    unsigned int connections, size_t memory, MHD_AccessHandlerCallback request,
    MHD_RequestCompletedCallback completed, MHD_NotifyConnectionCallback connection, void *context) {
  return MHD_start_daemon(
      MHD_USE_NO_LISTEN_SOCKET | MHD_USE_EPOLL | MHD_ALLOW_UPGRADE, 0, NULL, NULL, request, context,
      MHD_OPTION_CONNECTION_LIMIT, connections, MHD_OPTION_CONNECTION_MEMORY_LIMIT, memory,
      MHD_OPTION_STRICT_FOR_CLIENT, 1, MHD_OPTION_NOTIFY_COMPLETED, completed, context,
      MHD_OPTION_NOTIFY_CONNECTION, connection, context, MHD_OPTION_END);
}

// Gives an accepted socket to the daemon, which closes it even if this fails.
static inline enum MHD_Result nearby_http_add(struct MHD_Daemon *daemon, int descriptor) {
  struct sockaddr_storage address = {0};
  socklen_t size = sizeof address;
  // If the client has already disconnected, the daemon notices that itself.
  if (getpeername(descriptor, (struct sockaddr *)&address, &size) != 0) size = sizeof address;
  return MHD_add_connection(daemon, descriptor, (struct sockaddr *)&address, size);
}

// The descriptor to poll, or -1 if the daemon has no such descriptor.
static inline int nearby_http_descriptor(struct MHD_Daemon *daemon) {
  const union MHD_DaemonInfo *info = MHD_get_daemon_info(daemon, MHD_DAEMON_INFO_EPOLL_FD);
  return info ? info->epoll_fd : -1;
}

static inline int nearby_http_socket(struct MHD_Connection *connection) {
  const union MHD_ConnectionInfo *info =
      MHD_get_connection_info(connection, MHD_CONNECTION_INFO_CONNECTION_FD);
  return info ? info->connect_fd : -1;
}

// Octets of the request's head.
static inline size_t nearby_http_head_size(struct MHD_Connection *connection) {
  const union MHD_ConnectionInfo *info =
      MHD_get_connection_info(connection, MHD_CONNECTION_INFO_REQUEST_HEADER_SIZE);
  return info ? info->header_size : 0;
}

// Ends an upgraded connection and closes its socket at the daemon's next run.
static inline void nearby_http_close(struct MHD_UpgradeResponseHandle *handle) {
  MHD_upgrade_action(handle, MHD_UPGRADE_ACTION_CLOSE);
}
