/**
 * The reason why a request is refused.
 * - `client_waiting`: too many requests of the same client are waiting.
 * - `all_waiting`: too many requests of all clients are waiting.
 * - `client_executing`: the deadline passed while an earlier request of the client was running.
 * - `deadline`: the deadline passed, and no request of the client was running.
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

/** Limits how many requests may run, and how many may wait, at the same time. */
export interface ClientSemaphore {
  /**
   * Waits until the request may run. At any moment, at most one request of each client runs, and at most `atOnce`
   * requests of all clients together. Overdue requests do not count towards `atOnce` (see `markOverdue`).
   * @param deadline is aborted when the request has waited too long
   * @returns the function to call when the request has ended
   * @throws ClientRefused
   */
  enter(client: string, deadline: AbortSignal): Promise<() => void>
  /**
   * Marks the client's running request as overdue, so a request of another client may run in addition. The client's own
   * requests still wait. Has no effect if the client runs no request, or if `maxOverdue` requests are already overdue.
   */
  markOverdue(client: string): void
}

export interface ClientSemaphoreOptions {
  atOnce: number
  maxWaiting: number
  maxWaitingOfClient: number
  /**
   * The largest number of running requests of all clients that may be marked as overdue (`markOverdue`). An overdue
   * request does not count towards `atOnce`, so another request may run in addition. Default: 0.
   */
  maxOverdue?: number
}

interface Waiting {
  client: string
  admit: () => void
}

/**
 * Creates a semaphore that admits the requests of clients in order of arrival. At any moment, at most one request of
 * each client runs, and at most `atOnce` requests of all clients together. The number of waiting requests of each
 * client is limited.
 */
export function createClientSemaphore({
  atOnce,
  maxWaiting,
  maxWaitingOfClient,
  maxOverdue = 0,
}: ClientSemaphoreOptions): ClientSemaphore {
  const waitingEntries: Waiting[] = []
  const executingClients = new Set<string>()
  /** The clients whose running request is overdue and no longer counts towards `atOnce`. */
  const overdueClients = new Set<string>()

  function hasPlace(): boolean {
    return executingClients.size - overdueClients.size < atOnce
  }

  function admitNext(): void {
    while (hasPlace()) {
      const next = waitingEntries.findIndex(({ client }) => !executingClients.has(client))
      const [admittedEntry] = next === -1 ? [] : waitingEntries.splice(next, 1)
      if (admittedEntry === undefined) return
      executingClients.add(admittedEntry.client)
      admittedEntry.admit()
    }
  }

  function refuseWhenFull(client: string): void {
    const waitingOfClient = waitingEntries.filter((entry) => entry.client === client).length
    if (waitingOfClient >= maxWaitingOfClient) throw new ClientRefused('client_waiting')
    if (waitingEntries.length >= maxWaiting) throw new ClientRefused('all_waiting')
  }

  return {
    enter: (client, deadline) =>
      new Promise((resolve, reject) => {
        const lateRefusal = () => new ClientRefused(executingClients.has(client) ? 'client_executing' : 'deadline')
        if (deadline.aborted) throw lateRefusal()
        const isFree = hasPlace() && !executingClients.has(client)
        if (!isFree) refuseWhenFull(client)
        const leave = () => {
          executingClients.delete(client)
          overdueClients.delete(client)
          admitNext()
        }
        const giveUp = () => {
          waitingEntries.splice(waitingEntries.indexOf(entry), 1)
          reject(lateRefusal())
        }
        const entry: Waiting = {
          client,
          admit: () => {
            deadline.removeEventListener('abort', giveUp)
            resolve(leave)
          },
        }
        deadline.addEventListener('abort', giveUp, { once: true })
        waitingEntries.push(entry)
        admitNext()
      }),
    markOverdue: (client) => {
      if (!executingClients.has(client) || overdueClients.size >= maxOverdue) return
      overdueClients.add(client)
      admitNext()
    },
  }
}
