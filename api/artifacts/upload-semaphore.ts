import { createSemaphore, type Semaphore } from '../concurrency/semaphore.ts'

/**
 * The limits on reading uploads. `CONCURRENCY`: uploads that are read at the same time. `MAX_WAITING`: requests that
 * may wait, each for at most half a minute.
 */
const CONCURRENCY = 2
const MAX_WAITING = 16

/**
 * Creates the semaphore for reading uploads. All clients share it, because reading a large upload uses a disk and a
 * core for seconds.
 */
export function createUploadSemaphore(): Semaphore {
  return createSemaphore({
    atOnce: CONCURRENCY,
    maxWaiting: MAX_WAITING,
    fact: 'The service reads too many uploads now',
  })
}
