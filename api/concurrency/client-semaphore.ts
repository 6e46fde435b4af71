/**
 * The reason why a request is refused.
 * - `client_waiting`: too many requests of the same client wait already.
 * - `all_waiting`: too many requests of all clients wait already.
 * - `client_executing`: the deadline passed while another request of the same client was running.
 * - `deadline`: the deadline passed, and no request of the same client was running.
 */
export type ClientRefusal = 'client_waiting' | 'all_waiting' | 'client_executing' | 'deadline'

/** The error that `enter` throws when it refuses a request. */
export class ClientRefused extends Error {
  readonly refusal: ClientRefusal
  constructor(refusal: ClientRefusal) {
    super(`no turn: ${refusal}`)
    this.name = 'ClientRefused'
    this.refusal = refusal
  }
}

/** A limit on the number of running and of waiting requests. */
export interface ClientSemaphore {
  /**
   * Waits until the request may run: no other request of the client runs, and fewer than `atOnce` requests run.
   * @param deadline is aborted when the request has waited too long
   * @returns the function to call when the request has ended
   * @throws ClientRefused
   */
  enter(client: string, deadline: AbortSignal): Promise<() => void>
  /**
   * Lets another client's request run in addition, because the client's running request is overdue. Requests of the
   * same client still wait for it. Has no effect if no request of the client runs, or if `maxOverdue` requests are
   * marked already.
   */
  markOverdue(client: string): void
}

export interface ClientSemaphoreOptions {
  atOnce: number
  maxWaiting: number
  maxWaitingOfClient: number
  /** The number of requests that may run beyond `atOnce` because overdue requests have not ended; 0 by default. */
  maxOverdue?: number
}

interface Waiting {
  client: string
  admit: () => void
}

/**
 * Creates a semaphore that runs at most `atOnce` requests, at most one of each client, in order of arrival. The number
 * of waiting requests of one client is limited, so a client cannot use up the waiting places of others.
 */
export function createClientSemaphore({
  atOnce,
  maxWaiting,
  maxWaitingOfClient,
  maxOverdue = 0,
}: ClientSemaphoreOptions): ClientSemaphore {
  const waiting: Waiting[] = []
  const executing = new Set<string>()
  /** The clients whose running request is overdue and no longer counts towards `atOnce`. */
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
