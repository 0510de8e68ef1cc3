#pragma once
#include <libwebsockets.h>

// A macro that Swift cannot read: room that lws_write wants before what it sends.
static const size_t nearby_lws_pre = LWS_PRE;
