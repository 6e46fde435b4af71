/** How fast a body comes, by the time that the service waited for its bytes: what it did with them does not count. */
export class ThroughputMeter {
  readonly #now: () => number
  #bytes = 0
  #waitedMs = 0
  /** When the service began to wait; null: it does not. */
  #waitsSince: number | null = null

  /** @param now milliseconds that only grow */
  constructor(now: () => number = () => performance.now()) {
    this.#now = now
  }

  wait(): void {
    this.#waitsSince = this.#now()
  }

  /** Bytes came; none: nothing more will. */
  came(bytes: number): void {
    this.#waitedMs = this.#waitedSoFar()
    this.#waitsSince = null
    this.#bytes += bytes
  }

  /** Begins to look at what comes from now on. */
  startWindow(): void {
    this.#waitedMs = 0
    this.#bytes = 0
    if (this.#waitsSince !== null) this.#waitsSince = this.#now()
  }

  /**
   * Whether what came since the window began was slower than this; null while the service waited less than `windowMs`.
   */
  isBelow(bytesPerSecond: number, windowMs: number): boolean | null {
    const waitedMs = this.#waitedSoFar()
    if (waitedMs < windowMs) return null
    return this.#bytes < (bytesPerSecond * waitedMs) / 1000
  }

  #waitedSoFar(): number {
    return this.#waitedMs + (this.#waitsSince === null ? 0 : this.#now() - this.#waitsSince)
  }
}
