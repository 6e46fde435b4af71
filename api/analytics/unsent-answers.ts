import type { ServerResponse } from 'node:http'

/** Answers that clients have yet to take: their bytes are in memory until then. */
export interface UnsentAnswers {
  /** Whether clients have to take some before another query is run. */
  isFull(): boolean
  /** Counts an answer until its connection has sent it or is gone; one that is taken too slowly is cut off. */
  hold(bytes: number, response: ServerResponse | undefined): void
}

export interface UnsentAnswersOptions {
  maxBytes: number
  /** How long a client may take for one answer, milliseconds. */
  maxMs: number
}

export function createUnsentAnswers({ maxBytes, maxMs }: UnsentAnswersOptions): UnsentAnswers {
  let unsentBytes = 0
  return {
    isFull: () => unsentBytes >= maxBytes,
    hold: (bytes, response) => {
      // A call in this process takes the answer as it is; of a connection that is gone no event comes any more.
      if (response === undefined || response.closed || response.destroyed) return
      unsentBytes += bytes
      // An answer that waits behind another on its connection has no socket of its own yet, and no end: the request has.
      const { socket } = response.req
      const release = () => {
        clearTimeout(timer)
        response.off('close', release)
        socket.off('close', release)
        unsentBytes -= bytes
      }
      const timer = setTimeout(() => socket.destroy(), maxMs)
      response.once('close', release)
      socket.once('close', release)
    },
  }
}
