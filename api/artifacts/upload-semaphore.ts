import { createSemaphore, type Semaphore } from '../concurrency/semaphore.ts'

/** Uploads that are read at a time, and how many requests may wait for theirs: at most half a minute. */
const CONCURRENCY = 2
const MAX_WAITING = 16

/** Reading a large upload keeps a disk and a core busy for seconds: few are read at a time, of all clients together. */
export function createUploadSemaphore(): Semaphore {
  return createSemaphore({
    atOnce: CONCURRENCY,
    maxWaiting: MAX_WAITING,
    fact: 'The service reads too many uploads now',
  })
}
