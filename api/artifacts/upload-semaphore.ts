import { createSemaphore, type Semaphore } from '../concurrency/semaphore.ts'

/** The uploads that are read at once, and the requests that may wait for their turn, each at most half a minute. */
const CONCURRENCY = 2
const MAX_WAITING = 16

/**
 * Creates the semaphore of upload reads, shared by all clients: reading a large upload occupies a disk and a core for
 * seconds.
 */
export function createUploadSemaphore(): Semaphore {
  return createSemaphore({
    atOnce: CONCURRENCY,
    maxWaiting: MAX_WAITING,
    fact: 'The service reads too many uploads now',
  })
}
