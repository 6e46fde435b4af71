import {
  type ClientRefusal,
  ClientRefused,
  type ClientSemaphore,
  createClientSemaphore,
} from '../concurrency/client-semaphore.ts'

import { limits } from './limits.ts'
import { RequestError } from './request-error.ts'

const RETRY_AFTER_SECONDS = 1

/** The turns of GraphQL requests; a refusal is the error that the client gets. */
export function createExecutionQueue(): Pick<ClientSemaphore, 'enter'> {
  const turns = createClientSemaphore({
    atOnce: limits.executing,
    maxWaiting: limits.waiting,
    maxWaitingOfClient: limits.waitingPerClient,
  })
  return {
    enter: async (client, deadline) => {
      try {
        return await turns.enter(client, deadline)
      } catch (error) {
        throw error instanceof ClientRefused ? toRequestError(error) : error
      }
    },
  }
}

function toRequestError({ refusal }: ClientRefused): RequestError {
  if (refusal === 'client_waiting') {
    const message = `${limits.waitingPerClient} requests of this address wait already, and one executes at a time: send them one by one.`
    return new RequestError('RATE_LIMITED', message, { retryAfterSeconds: RETRY_AFTER_SECONDS })
  }
  return new RequestError('OVERLOADED', `${overloads[refusal]}; try again shortly.`, {
    retryAfterSeconds: RETRY_AFTER_SECONDS,
  })
}

const overloads: Record<Exclude<ClientRefusal, 'client_waiting'>, string> = {
  all_waiting: 'Too many requests wait for execution',
  client_executing: 'An earlier request of this address still executes, and one executes at a time',
  deadline: 'The request waited too long for execution',
}
