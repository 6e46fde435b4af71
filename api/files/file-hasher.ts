import { Worker } from 'node:worker_threads'
import type { FileHasher, FileHashes } from './file-hashes.ts'
import type { HashAnswer, HashMessage } from './hash-messages.ts'

/** Chunks of one file that may wait in the thread: enough to keep it busy, few enough to bound memory. */
const MOST_WAITING = 4

/** One file on its way through the thread. */
interface Job {
  waiting: number
  /** Called when a chunk was taken, the job is done, or the thread has died. */
  wake: () => void
  hashes: Omit<FileHashes, 'sizeBytes'> | null
}

/** Starts the thread with the first file; it keeps no process alive. */
export function createFileHasher(): FileHasher {
  const jobs = new Map<number, Job>()
  let failure: Error | null = null
  let worker: Worker | null = null
  let lastJob = 0

  const fail = (error: Error) => {
    failure = error
    worker = null
    for (const job of jobs.values()) job.wake()
  }
  const threadOf = () => {
    if (worker !== null) return worker
    failure = null
    const started = new Worker(new URL('./hash-worker.ts', import.meta.url))
    started.unref()
    started.on('message', (answer: HashAnswer) => take(jobs, answer))
    started.on('error', fail)
    worker = started
    return started
  }
  const settle = async (job: Job, until: () => boolean) => {
    while (!until()) {
      if (failure !== null) throw failure
      await new Promise<void>((resolve) => {
        job.wake = resolve
      })
    }
  }

  return {
    hash: async (bytes) => {
      const thread = threadOf()
      const send = (message: HashMessage, moved: ArrayBuffer[] = []) => thread.postMessage(message, moved)
      lastJob += 1
      const id = lastJob
      const job: Job = { waiting: 0, wake: () => {}, hashes: null }
      jobs.set(id, job)
      let sizeBytes = 0
      try {
        for await (const chunk of bytes) {
          sizeBytes += chunk.length
          // A copy of its own: what the source keeps of its buffer is not ours to give away.
          const copy = new Uint8Array(chunk)
          send({ kind: 'chunk', job: id, chunk: copy }, [copy.buffer])
          job.waiting += 1
          await settle(job, () => job.waiting < MOST_WAITING)
        }
        send({ kind: 'end', job: id })
        await settle(job, () => job.hashes !== null)
        return { sizeBytes, ...(job.hashes as Omit<FileHashes, 'sizeBytes'>) }
      } finally {
        if (job.hashes === null) send({ kind: 'abandon', job: id })
        jobs.delete(id)
      }
    },
    stop: async () => {
      await worker?.terminate()
      worker = null
    },
  }
}

function take(jobs: ReadonlyMap<number, Job>, answer: HashAnswer): void {
  const job = jobs.get(answer.job)
  if (job === undefined) return
  if (answer.kind === 'taken') job.waiting -= 1
  else job.hashes = { sha256Hash: answer.sha256Hash, keccak256Hash: answer.keccak256Hash }
  job.wake()
}
