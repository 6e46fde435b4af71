/** A meter of a body's rate over the time in which the service waited for bytes; processing time does not count. */
export class ThroughputMeter {
  readonly #now: () => number
  #bytes = 0
  #waitedMs = 0
  /** The start of the present wait; null: none. */
  #waitsSince: number | null = null

  /** @param now milliseconds of a monotonic clock */
  constructor(now: () => number = () => performance.now()) {
    this.#now = now
  }

  wait(): void {
    this.#waitsSince = this.#now()
  }

  /** Counts received bytes; zero ends the body. */
  came(bytes: number): void {
    this.#waitedMs = this.#waitedSoFar()
    this.#waitsSince = null
    this.#bytes += bytes
  }

  /** Starts a new window of measurement. */
  startWindow(): void {
    this.#waitedMs = 0
    this.#bytes = 0
    if (this.#waitsSince !== null) this.#waitsSince = this.#now()
  }

  /** Returns true if the window's rate is below this one; null while the service waited less than `windowMs`. */
  isBelow(bytesPerSecond: number, windowMs: number): boolean | null {
    const waitedMs = this.#waitedSoFar()
    if (waitedMs < windowMs) return null
    return this.#bytes < (bytesPerSecond * waitedMs) / 1000
  }

  #waitedSoFar(): number {
    return this.#waitedMs + (this.#waitsSince === null ? 0 : this.#now() - this.#waitsSince)
  }
}
