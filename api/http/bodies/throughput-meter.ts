/** Measures the rate at which a request's body arrives. Only the time that the service waits for bytes counts. */
export class ThroughputMeter {
  readonly #now: () => number
  #bytes = 0
  #waitedMs = 0
  /** The time at which the service began to wait for bytes, in milliseconds. Null while it does not wait. */
  #waitsSince: number | null = null

  /** @param now returns the time of a monotonic clock in milliseconds */
  constructor(now: () => number = () => performance.now()) {
    this.#now = now
  }

  wait(): void {
    this.#waitsSince = this.#now()
  }

  /** Ends the present wait for bytes and counts the received bytes. At the end of the body `bytes` is 0. */
  came(bytes: number): void {
    this.#waitedMs = this.#waitedSoFar()
    this.#waitsSince = null
    this.#bytes += bytes
  }

  /** Starts a new measurement. The received bytes and the waiting time are counted from zero again. */
  startWindow(): void {
    this.#waitedMs = 0
    this.#bytes = 0
    if (this.#waitsSince !== null) this.#waitsSince = this.#now()
  }

  /**
   * Returns true if the measured rate is below `bytesPerSecond`. Returns null if the service has waited less than
   * `windowMs` milliseconds.
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
