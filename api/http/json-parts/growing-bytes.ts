/** Bytes put together from pieces that are not kept: many small ones take no more room than one large one. */
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

  /** Takes away what stands behind the first `length` bytes, and returns a copy of it. */
  cutAt(length: number): Buffer {
    const cut = Buffer.from(this.#bytes.subarray(length, this.#length))
    this.#length = length
    return cut
  }

  /** What was put together; valid until the next change. */
  view(): Buffer {
    return this.#bytes.subarray(0, this.#length)
  }
}
