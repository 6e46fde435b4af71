/** How far the service's time may move the clock of this machine, seconds. */
const MOST_SKEW_SECONDS = 600

const hostSeconds = () => Math.floor(Date.now() / 1000)

/** The time that a service's answers tell, beside the clock of this machine. */
export interface ServiceClock {
  /** Sends a request and notes the time of its answer. */
  fetch: typeof globalThis.fetch
  /** Unix seconds; the clock of this machine until an answer has told another. */
  now(): number
}

/**
 * Keeps the time by the blocks that answers were made of, for a client without a node: a clock that is minutes off signs
 * payments that are refused. What a service tells moves the clock by ten minutes at most.
 * Example: an answer of block time 1000 with a head age of 12, at 1900 of this machine, makes it 1300.
 */
export function createServiceClock(fetch: typeof globalThis.fetch): ServiceClock {
  let skew = 0
  const note = (headers: Headers) => {
    const time = serviceTime(headers)
    if (time === null) return
    const difference = time - hostSeconds()
    skew = Math.max(-MOST_SKEW_SECONDS, Math.min(MOST_SKEW_SECONDS, difference))
  }
  return {
    fetch: async (input, init) => {
      const response = await fetch(input, init)
      note(response.headers)
      return response
    },
    now: () => hostSeconds() + skew,
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
