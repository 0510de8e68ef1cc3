// Sends the user's orders, at a limited rate while something is dragged.

/** Minimum interval between two orders of one kind for one device, milliseconds. */
const interval = 50;

export class Orders {
  constructor(connection, announce) {
    this.connection = connection;
    this.announce = announce;
    this.pending = new Map();
  }

  /** Sends an order at once; announces it if that fails. */
  send(order) {
    const wasSent = this.connection.send(order);
    if (!wasSent) this.refuse();
    return wasSent;
  }

  refuse() { this.announce("Not sent: no connection to the server."); }

  /** Sends an order at most every 50 ms. The last one is always sent. */
  sendOften(order) {
    const key = `${order.do} ${order.device ?? order.beacon ?? order.anchor}`;
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
