// What the person wants done, sent at a rate that a hand can't exceed.

/** Between two orders of one kind for one device while something is dragged. */
const interval = 50;

export class Orders {
  constructor(connection, announce) {
    this.connection = connection;
    this.announce = announce;
    this.pending = new Map();
  }

  /** At once. Says so where it can't be sent. */
  send(order) {
    const wasSent = this.connection.send(order);
    if (!wasSent) this.refuse();
    return wasSent;
  }

  refuse() { this.announce("Not done: there is no connection to the server."); }

  /** At most every 50 ms; the last one always goes out. */
  sendOften(order) {
    const key = `${order.do} ${order.device ?? order.beacon}`;
    const entry = this.pending.get(key);
    if (entry) {
      entry.order = order;
      return;
    }
    this.connection.send(order);
    const fresh = { order: null };
    fresh.timer = setInterval(() => this.#sendPending(key, fresh), interval);
    this.pending.set(key, fresh);
  }

  #sendPending(key, entry) {
    if (entry.order) {
      this.connection.send(entry.order);
      entry.order = null;
      return;
    }
    clearInterval(entry.timer);
    this.pending.delete(key);
  }
}
