/**
 * A growing buffer. Each appended piece is copied into one block of memory. Without the copy, each small piece would be
 * an object that takes more memory than its bytes.
 */
export class GrowingBytes {
  #bytes = Buffer.allocUnsafeSlow(4096)
  #length = 0

  get length(): number {
    return this.#length
  }

  append(piece: Uint8Array): void {
    const neededLength = this.#length + piece.length
    if (neededLength > this.#bytes.length) {
      const largerBuffer = Buffer.allocUnsafeSlow(Math.max(neededLength, this.#bytes.length * 2))
      this.#bytes.copy(largerBuffer, 0, 0, this.#length)
      this.#bytes = largerBuffer
    }
    this.#bytes.set(piece, this.#length)
    this.#length = neededLength
  }

  /** Keeps the first `length` bytes. Removes the bytes after them, and returns a copy of the removed bytes. */
  cutAt(length: number): Buffer {
    const removedBytes = Buffer.from(this.#bytes.subarray(length, this.#length))
    this.#length = length
    return removedBytes
  }

  /** Returns all bytes. The result is valid until the next change. */
  view(): Buffer {
    return this.#bytes.subarray(0, this.#length)
  }
}
