/**
 * Why a request may not run: its client has too many waiting, all clients together have, or its deadline passed, while
 * another request of its client was running or without that.
 */
export type ClientRefusal = 'client_waiting' | 'all_waiting' | 'client_executing' | 'deadline'

export class ClientRefused extends Error {
  readonly refusal: ClientRefusal
  constructor(refusal: ClientRefusal) {
    super(`no turn: ${refusal}`)
    this.name = 'ClientRefused'
    this.refusal = refusal
  }
}

/** Bounds how many requests execute and how many wait. */
export interface ClientSemaphore {
  /**
   * Waits until no other request of the client runs.
   * @param deadline aborts when the request has waited too long
   * @returns the function that releases the place
   * @throws ClientRefused
   */
  enter(client: string, deadline: AbortSignal): Promise<() => void>
  /**
   * Gives the place of the client's request, which should have ended, to other clients; its own next request waits as
   * before. Nothing happens where none of its requests runs, or `maxOverdue` places are given away.
   */
  markOverdue(client: string): void
}

export interface ClientSemaphoreOptions {
  atOnce: number
  maxWaiting: number
  maxWaitingOfClient: number
  /** How many requests may run beyond `atOnce` because they do not end; none unless given. */
  maxOverdue?: number
}

interface Waiting {
  client: string
  admit: () => void
}

/**
 * Admits `atOnce` requests at the same time, one of each client, in the order of their arrival. A client has few places
 * among the waiting ones, so that it cannot take the places of other clients.
 */
export function createClientSemaphore({
  atOnce,
  maxWaiting,
  maxWaitingOfClient,
  maxOverdue = 0,
}: ClientSemaphoreOptions): ClientSemaphore {
  const waiting: Waiting[] = []
  const executing = new Set<string>()
  /** Those of `executing` whose place another client has. */
  const overdue = new Set<string>()

  function hasPlace(): boolean {
    return executing.size - overdue.size < atOnce
  }

  function admitNext(): void {
    while (hasPlace()) {
      const next = waiting.findIndex(({ client }) => !executing.has(client))
      const [admitted] = next === -1 ? [] : waiting.splice(next, 1)
      if (admitted === undefined) return
      executing.add(admitted.client)
      admitted.admit()
    }
  }

  function refuseWhenFull(client: string): void {
    const own = waiting.filter((entry) => entry.client === client).length
    if (own >= maxWaitingOfClient) throw new ClientRefused('client_waiting')
    if (waiting.length >= maxWaiting) throw new ClientRefused('all_waiting')
  }

  return {
    enter: (client, deadline) =>
      new Promise((resolve, reject) => {
        const late = () => new ClientRefused(executing.has(client) ? 'client_executing' : 'deadline')
        if (deadline.aborted) throw late()
        const isFree = hasPlace() && !executing.has(client)
        if (!isFree) refuseWhenFull(client)
        const leave = () => {
          executing.delete(client)
          overdue.delete(client)
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
    markOverdue: (client) => {
      if (!executing.has(client) || overdue.size >= maxOverdue) return
      overdue.add(client)
      admitNext()
    },
  }
}
