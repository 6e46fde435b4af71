/** A growing buffer that copies its pieces, so many small ones take no more memory than one large one. */
export class GrowingBytes {
  #bytes = Buffer.allocUnsafeSlow(4096)
  #length = 0

  get length(): number {
    return this.#length
  }

  append(piece: Uint8Array): void {
    const needed = this.#length + piece.length
    if (needed > this.#bytes.length) {
      const larger = Buffer.allocUnsafeSlow(Math.max(needed, this.#bytes.length * 2))
      this.#bytes.copy(larger, 0, 0, this.#length)
      this.#bytes = larger
    }
    this.#bytes.set(piece, this.#length)
    this.#length = needed
  }

  /** Removes the bytes after the first `length`, and returns a copy of them. */
  cutAt(length: number): Buffer {
    const removedBytes = Buffer.from(this.#bytes.subarray(length, this.#length))
    this.#length = length
    return removedBytes
  }

  /** Returns the joined bytes, valid until the next change. */
  view(): Buffer {
    return this.#bytes.subarray(0, this.#length)
  }
}
