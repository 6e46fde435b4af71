import { RateLimiterMemory, RateLimiterRes } from 'rate-limiter-flexible'
import { RequestError } from './request-error.ts'

/** Counts a request of a client. @throws RequestError when the client has sent too many */
export type ConsumeRequest = (client: string) => Promise<void>

const WINDOW_SECONDS = 60

/** Limits the requests of each client IP; every process counts its own. */
export function createRateLimit(requestsPerMinute: number): ConsumeRequest {
  const limiter = new RateLimiterMemory({ points: requestsPerMinute, duration: WINDOW_SECONDS })
  return async (client) => {
    try {
      await limiter.consume(client)
    } catch (refusal) {
      if (!(refusal instanceof RateLimiterRes)) throw refusal
      const retryAfterSeconds = Math.max(1, Math.ceil(refusal.msBeforeNext / 1000))
      const rule = `Each client IP may send ${requestsPerMinute} requests a minute`
      const message = `${rule}; try again in ${retryAfterSeconds} seconds.`
      throw new RequestError('RATE_LIMITED', message, { retryAfterSeconds })
    }
  }
}
