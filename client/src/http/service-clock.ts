/** Maximum correction of this machine's clock by the service, seconds. */
const MOST_SKEW_SECONDS = 600
/** Timeout of a request for the service's time, milliseconds. */
const ASK_MS = 10_000

const hostSeconds = () => Math.floor(Date.now() / 1000)

/** A clock by the times in a service's answers, bounded by this machine's clock. */
export interface ServiceClock {
  /** Sends a request and records the time of its answer. */
  fetch: typeof globalThis.fetch
  /**
   * Returns Unix seconds. Requests the service first when no answer has arrived yet; without an answer, uses the clock of this
   * machine.
   */
  now(): Promise<number>
}

/**
 * Creates a clock from the block times of the service's answers, for a client without a node. A machine clock that is minutes off
 * would sign payments that are refused. The service can move the clock by ten minutes at most. Example: an answer with block time
 * 1000 and head age 12, at 1900 of this machine, sets the clock to 1300.
 */
export function createServiceClock(fetch: typeof globalThis.fetch, url: string): ServiceClock {
  let skew = 0
  let hasAnswer = false
  const note = (headers: Headers) => {
    hasAnswer = true
    const time = serviceTime(headers)
    if (time === null) return
    const difference = time - hostSeconds()
    skew = Math.max(-MOST_SKEW_SECONDS, Math.min(MOST_SKEW_SECONDS, difference))
  }
  const ask = async () => {
    const response = await fetch(`${url}/api/health`, { redirect: 'error', signal: AbortSignal.timeout(ASK_MS) })
    note(response.headers)
    await response.body?.cancel()
  }
  return {
    fetch: async (input, init) => {
      const response = await fetch(input, init)
      note(response.headers)
      return response
    },
    now: async () => {
      if (!hasAnswer) await ask().catch(() => {})
      return hostSeconds() + skew
    },
  }
}

/** Returns the service's time of an answer, Unix seconds: its block time plus the head age; null: headers missing. */
export function serviceTime(headers: Headers): number | null {
  const time = secondsIn(headers, 'x-service-block-timestamp')
  return time === null ? null : time + (secondsIn(headers, 'x-service-head-age') ?? 0)
}

function secondsIn(headers: Headers, name: string): number | null {
  const text = headers.get(name)
  return text !== null && /^[0-9]{1,12}$/.test(text) ? Number(text) : null
}
