import type { ServerResponse } from 'node:http'

/** Answers that clients have yet to take: their bytes are in memory until then. */
export interface UnsentAnswers {
  /**
   * Checks that another query of the client may run.
   * @throws UnsentRefused
   */
  requireRoom(client: string): void
  /**
   * Counts an answer until its connection has sent it or is gone; one that is taken too slowly is cut off.
   * @throws UnsentRefused where it would exceed the client's share; a client without another answer gets one of any
   * size
   */
  hold(client: string, bytes: number, response: ServerResponse | undefined): void
}

export interface UnsentAnswersOptions {
  /** Of all clients together: from there on no query runs. */
  maxBytes: number
  /** Of one client. */
  maxBytesOfClient: number
  /** How long a client may take for one answer, milliseconds. */
  maxMs: number
}

/** The client, or all clients together, must take answers first. */
export class UnsentRefused extends Error {
  readonly refusal: 'client' | 'all'
  constructor(refusal: 'client' | 'all') {
    super(`too many bytes of answers are not sent: ${refusal}`)
    this.name = 'UnsentRefused'
    this.refusal = refusal
  }
}

export function createUnsentAnswers({ maxBytes, maxBytesOfClient, maxMs }: UnsentAnswersOptions): UnsentAnswers {
  let allBytes = 0
  const bytesOf = new Map<string, number>()

  const count = (client: string, bytes: number) => {
    allBytes += bytes
    const sum = (bytesOf.get(client) ?? 0) + bytes
    if (sum === 0) bytesOf.delete(client)
    else bytesOf.set(client, sum)
  }

  return {
    requireRoom: (client) => {
      if ((bytesOf.get(client) ?? 0) >= maxBytesOfClient) throw new UnsentRefused('client')
      if (allBytes >= maxBytes) throw new UnsentRefused('all')
    },
    hold: (client, bytes, response) => {
      // A call in this process takes the answer as it is; of a connection that is gone no event comes any more.
      if (response === undefined || response.closed || response.destroyed) return
      const others = bytesOf.get(client) ?? 0
      if (others > 0 && others + bytes > maxBytesOfClient) throw new UnsentRefused('client')
      count(client, bytes)
      // An answer that waits behind another on its connection has no socket of its own yet, and no end: the request
      // has.
      const { socket } = response.req
      let isHeld = true
      const release = () => {
        // Both events of one connection come where it closes before the answer is sent.
        if (!isHeld) return
        isHeld = false
        clearTimeout(timer)
        response.off('close', release)
        socket.off('close', release)
        count(client, -bytes)
      }
      const timer = setTimeout(() => socket.destroy(), maxMs)
      response.once('close', release)
      socket.once('close', release)
    },
  }
}
