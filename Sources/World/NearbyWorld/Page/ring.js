// Ring buffers: bounded histories that keep the newest entries.

/** The newest `capacity` items. */
export class Ring {
  constructor(capacity) {
    this.capacity = capacity;
    this.clear();
  }

  clear() {
    this.items = [];
    this.start = 0;
    /** Number of items ever added, from which a reader can tell whether it has seen all. */
    this.total = 0;
  }

  get length() { return this.items.length; }

  push(item) {
    this.total += 1;
    if (this.items.length < this.capacity) {
      this.items.push(item);
    } else {
      this.items[this.start] = item;
      this.start = (this.start + 1) % this.capacity;
    }
  }

  /** The item at an index; 0 is the oldest. */
  at(index) { return this.items[(this.start + index) % this.items.length]; }

  last() { return this.length > 0 ? this.at(this.length - 1) : undefined; }

  *[Symbol.iterator]() {
    for (let index = 0; index < this.length; index += 1) yield this.at(index);
  }

  filter(test) {
    const found = [];
    for (const item of this) if (test(item)) found.push(item);
    return found;
  }
}

/** The newest `capacity` rows of numbers, without allocating an object per row. */
export class NumberRing {
  constructor(capacity, columns) {
    this.capacity = capacity;
    this.columns = columns;
    this.values = new Float64Array(0);
    this.clear();
  }

  clear() {
    this.start = 0;
    this.length = 0;
  }

  /** Grows on demand, because most histories stay short. */
  grow() {
    const rows = Math.min(this.capacity, Math.max(32, this.length * 2));
    const values = new Float64Array(rows * this.columns);
    values.set(this.values);
    this.values = values;
  }

  push(...row) {
    let at = this.length;
    if (at < this.capacity) {
      if ((at + 1) * this.columns > this.values.length) this.grow();
      this.length += 1;
    } else {
      at = this.start;
      this.start = (this.start + 1) % this.capacity;
    }
    for (let column = 0; column < this.columns; column += 1) this.values[at * this.columns + column] = row[column];
  }

  /** The number in a row and column; row 0 is the oldest. */
  get(row, column) {
    return this.values[((this.start + row) % this.capacity) * this.columns + column];
  }

  last(column) { return this.length > 0 ? this.get(this.length - 1, column) : NaN; }
}
