/**
 * Why a request gets no turn: its client has too many waiting, all clients together have, or its deadline came, while
 * another request of its client still had the client's turn or without that.
 */
export type TurnRefusal = 'client_waiting' | 'all_waiting' | 'client_executing' | 'deadline'

export class TurnRefused extends Error {
  readonly refusal: TurnRefusal
  constructor(refusal: TurnRefusal) {
    super(`no turn: ${refusal}`)
    this.name = 'TurnRefused'
    this.refusal = refusal
  }
}

/** Bounds how many requests execute and how many wait. */
export interface ClientTurns {
  /**
   * Waits for the client's turn.
   * @param deadline aborts when the request has waited too long
   * @returns the function that ends the turn
   * @throws TurnRefused
   */
  enter(client: string, deadline: AbortSignal): Promise<() => void>
}

export interface ClientTurnsOptions {
  atOnce: number
  maxWaiting: number
  maxWaitingOfClient: number
}

interface Waiting {
  client: string
  admit: () => void
}

/**
 * Admits `atOnce` requests at the same time, one of each client, in the order of their arrival. A client has few places
 * among the waiting ones, so that it cannot take the places of other clients.
 */
export function createClientTurns({ atOnce, maxWaiting, maxWaitingOfClient }: ClientTurnsOptions): ClientTurns {
  const waiting: Waiting[] = []
  const executing = new Set<string>()

  function admitNext(): void {
    while (executing.size < atOnce) {
      const next = waiting.findIndex(({ client }) => !executing.has(client))
      const [admitted] = next === -1 ? [] : waiting.splice(next, 1)
      if (admitted === undefined) return
      executing.add(admitted.client)
      admitted.admit()
    }
  }

  function refuseWhenFull(client: string): void {
    const own = waiting.filter((entry) => entry.client === client).length
    if (own >= maxWaitingOfClient) throw new TurnRefused('client_waiting')
    if (waiting.length >= maxWaiting) throw new TurnRefused('all_waiting')
  }

  return {
    enter: (client, deadline) =>
      new Promise((resolve, reject) => {
        const late = () => new TurnRefused(executing.has(client) ? 'client_executing' : 'deadline')
        if (deadline.aborted) throw late()
        const isFree = executing.size < atOnce && !executing.has(client)
        if (!isFree) refuseWhenFull(client)
        const leave = () => {
          executing.delete(client)
          admitNext()
        }
        const giveUp = () => {
          waiting.splice(waiting.indexOf(entry), 1)
          reject(late())
        }
        const entry: Waiting = {
          client,
          admit: () => {
            deadline.removeEventListener('abort', giveUp)
            resolve(leave)
          },
        }
        deadline.addEventListener('abort', giveUp, { once: true })
        waiting.push(entry)
        admitNext()
      }),
  }
}
