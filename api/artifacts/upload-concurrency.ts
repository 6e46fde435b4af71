import { createTurns, type TakeTurn } from '../concurrency/semaphore.ts'

/** Uploads that are read at a time, and how many requests may wait for theirs: at most half a minute. */
const AT_ONCE = 2
const MAX_WAITING = 16

/** Reading a large upload keeps a disk and a core busy for seconds: few are read at a time, whoever asks. */
export function createUploadTurns(): TakeTurn {
  return createTurns({
    atOnce: AT_ONCE,
    maxWaiting: MAX_WAITING,
    fact: 'The service reads too many uploads now',
  })
}
