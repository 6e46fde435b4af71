/** The maximum correction of this machine's clock, in seconds. On a local chain, the correction has no maximum. */
const MOST_SKEW_SECONDS = 600
/** Timeout of a request for the service's time, in milliseconds. */
const ASK_MS = 10_000

const hostSeconds = () => Math.floor(Date.now() / 1000)

/**
 * A clock that follows the times in the service's answers. Except on a local chain, the clock differs from this
 * machine's clock by at most ten minutes.
 */
export interface ServiceClock {
  /** Sends a request and records the service's time from the answer. */
  fetch: typeof globalThis.fetch
  /**
   * Returns the service's time in Unix seconds. If no answer has arrived yet, requests one first. If that request
   * fails, uses this machine's clock.
   */
  now(): Promise<number>
}

/**
 * Creates a clock for a client without a node. The block times in the service's answers correct this machine's clock by
 * at most ten minutes. On a local chain, the correction has no limit, because a local chain's time may be moved by
 * days.
 *
 * Without the correction, a wrong machine clock leads to payments that the service refuses. The limit prevents a
 * service from moving the clock by more than ten minutes.
 *
 * Example: this machine's clock shows 1900. The service's latest block has the time 1000 and is 12 seconds old, so the
 * service's time is 1012. The difference of 888 seconds is limited to 600, and the clock shows 1300.
 * @param options.isLocal true for a local chain, whose money is worthless
 */
export function createServiceClock(
  fetch: typeof globalThis.fetch,
  { url, isLocal }: { url: string; isLocal: boolean },
): ServiceClock {
  let skew = 0
  let hasAnswer = false
  const send: ServiceClock['fetch'] = async (input, init) => {
    const response = await fetch(input, init)
    hasAnswer = true
    const time = serviceTime(response.headers)
    if (time !== null) {
      const difference = time - hostSeconds()
      skew = isLocal ? difference : Math.max(-MOST_SKEW_SECONDS, Math.min(MOST_SKEW_SECONDS, difference))
    }
    return response
  }
  return {
    fetch: send,
    now: async () => {
      if (!hasAnswer) {
        const options: RequestInit = { redirect: 'error', signal: AbortSignal.timeout(ASK_MS) }
        await send(`${url}/api/health`, options)
          .then(({ body }) => body?.cancel())
          .catch(() => {})
      }
      return hostSeconds() + skew
    },
  }
}

/**
 * Returns the service's time from an answer's headers: the block time plus the age of the latest block, in Unix
 * seconds. Returns null if the header with the block time is missing.
 */
export function serviceTime(headers: Headers): number | null {
  const time = secondsIn(headers, 'x-service-block-timestamp')
  return time === null ? null : time + (secondsIn(headers, 'x-service-head-age') ?? 0)
}

function secondsIn(headers: Headers, name: string): number | null {
  const text = headers.get(name)
  return text !== null && /^[0-9]{1,12}$/.test(text) ? Number(text) : null
}
