/**
 * Heights of the rows of a long list, measured or estimated, with their sums in logarithmic time (a Fenwick tree).
 */
export class Heights {
  #estimate: number;
  #heights: Float64Array;
  #measured: Uint8Array;
  #sums: Float64Array;
  #count: number;

  constructor(count: number, estimate: number) {
    this.#count = count;
    this.#estimate = estimate;
    this.#heights = new Float64Array(count).fill(estimate);
    this.#measured = new Uint8Array(count);
    this.#sums = sums(this.#heights);
  }

  /** Number of rows. */
  get count(): number {
    return this.#count;
  }

  /** Height of all rows. */
  get total(): number {
    return this.top(this.#count);
  }

  /** Height of a row. */
  height(row: number): number {
    return this.#heights[row] ?? 0;
  }

  /** Whether a row was measured. */
  isMeasured(row: number): boolean {
    return this.#measured[row] === 1;
  }

  /** Where a row begins; for the row after the last one, where the list ends. */
  top(row: number): number {
    let sum = 0;
    for (let i = Math.min(row, this.#count); i > 0; i -= i & -i) sum += this.#sums[i] ?? 0;
    return sum;
  }

  /** The row at a height from the top; the first or last row for what lies outside. */
  rowAt(offset: number): number {
    let row = 0;
    let rest = offset;
    for (let step = 2 ** Math.floor(Math.log2(Math.max(1, this.#count))); step >= 1; step /= 2) {
      const next = row + step;
      const sum = this.#sums[next];
      if (next <= this.#count && sum !== undefined && sum <= rest) {
        row = next;
        rest -= sum;
      }
    }
    return Math.min(row, Math.max(0, this.#count - 1));
  }

  /** Notes the measured height of a row; says whether that changed anything. */
  measure(row: number, height: number): boolean {
    const before = this.#heights[row];
    if (before === undefined) return false;
    this.#measured[row] = 1;
    const change = height - before;
    if (Math.abs(change) < 0.5) return false;
    this.#heights[row] = height;
    for (let i = row + 1; i <= this.#count; i += i & -i) this.#sums[i] = (this.#sums[i] ?? 0) + change;
    return true;
  }

  /** Changes the number of rows; the heights of those that stay are kept. */
  resize(count: number): void {
    if (count === this.#count) return;
    const heights = new Float64Array(count).fill(this.#estimate);
    heights.set(this.#heights.subarray(0, Math.min(count, this.#count)));
    const measured = new Uint8Array(count);
    measured.set(this.#measured.subarray(0, Math.min(count, this.#count)));
    this.#count = count;
    this.#heights = heights;
    this.#measured = measured;
    this.#sums = sums(heights);
  }
}

function sums(heights: Float64Array): Float64Array {
  const tree = new Float64Array(heights.length + 1);
  for (let i = 1; i <= heights.length; i++) {
    tree[i] = (tree[i] ?? 0) + (heights[i - 1] ?? 0);
    const parent = i + (i & -i);
    if (parent <= heights.length) tree[parent] = (tree[parent] ?? 0) + (tree[i] ?? 0);
  }
  return tree;
}
