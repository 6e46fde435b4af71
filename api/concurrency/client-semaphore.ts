/**
 * The reason of a refusal: too many waiting requests of the client or of all clients, or a deadline that passed, with
 * or without a running request of the client.
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

/** A limit on running and waiting requests. */
export interface ClientSemaphore {
  /**
   * Waits until no other request of the client runs.
   * @param deadline aborts when the request has waited too long
   * @returns the function that releases the place
   * @throws ClientRefused
   */
  enter(client: string, deadline: AbortSignal): Promise<() => void>
  /**
   * Gives the place of an overdue request to other clients; the next request of its own client waits as before. Has no
   * effect without a running request, or once `maxOverdue` places are given away.
   */
  markOverdue(client: string): void
}

export interface ClientSemaphoreOptions {
  atOnce: number
  maxWaiting: number
  maxWaitingOfClient: number
  /** The most requests that run beyond `atOnce` because they do not end; by default none. */
  maxOverdue?: number
}

interface Waiting {
  client: string
  admit: () => void
}

/**
 * Creates a semaphore of `atOnce` running requests, one of each client, in order of arrival. A client has few waiting
 * places, so it cannot fill those of others.
 */
export function createClientSemaphore({
  atOnce,
  maxWaiting,
  maxWaitingOfClient,
  maxOverdue = 0,
}: ClientSemaphoreOptions): ClientSemaphore {
  const waiting: Waiting[] = []
  const executing = new Set<string>()
  /** The executing requests whose place another client has. */
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
    const waitingOfClient = waiting.filter((entry) => entry.client === client).length
    if (waitingOfClient >= maxWaitingOfClient) throw new ClientRefused('client_waiting')
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
