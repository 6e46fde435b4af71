/** How far the service's time may move the clock of this machine, seconds. */
const MOST_SKEW_SECONDS = 600
/** How long the service may take to tell its time. */
const ASK_MS = 10_000

const hostSeconds = () => Math.floor(Date.now() / 1000)

/** The time that a service's answers tell, beside the clock of this machine. */
export interface ServiceClock {
  /** Sends a request and notes the time of its answer. */
  fetch: typeof globalThis.fetch
  /** Unix seconds. Asks the service first where no answer has arrived yet; without one it is the clock of this machine. */
  now(): Promise<number>
}

/**
 * Keeps the time by the blocks that answers were made of, for a client without a node: a clock that is minutes off signs
 * payments that are refused. What a service tells moves the clock by ten minutes at most.
 * Example: an answer of block time 1000 with a head age of 12, at 1900 of this machine, makes it 1300.
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

/** The time of the service when it answered, by its block and the age of that: unix seconds; null of an answer without. */
export function serviceTime(headers: Headers): number | null {
  const time = secondsIn(headers, 'x-service-block-timestamp')
  return time === null ? null : time + (secondsIn(headers, 'x-service-head-age') ?? 0)
}

function secondsIn(headers: Headers, name: string): number | null {
  const text = headers.get(name)
  return text !== null && /^[0-9]{1,12}$/.test(text) ? Number(text) : null
}
