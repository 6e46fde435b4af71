import { Worker } from 'node:worker_threads'
import { type FileHasher, type FileHashes, HashingFailed } from './file-hashes.ts'
import type { HashAnswer, HashMessage } from './hash-messages.ts'

/** Chunks of one file that may wait in the thread: enough to keep it busy, few enough to bound memory. */
const MOST_WAITING = 4
/** Largest chunk the thread gets; what comes larger is cut, so that no file keeps the others waiting for long. */
const CHUNK_BYTES = 256 * 1024

const THREAD = new URL('./hash-worker.ts', import.meta.url)

/** One file on its way through the thread. */
interface Job {
  waiting: number
  hashes: Omit<FileHashes, 'sizeBytes'> | null
  failure: HashingFailed | null
  /** Called when a chunk was taken, the job is done, or the thread has died. */
  wake: () => void
}

/** The thread, as long as it lives. */
interface Thread {
  worker: Worker
  jobs: Map<number, Job>
}

/**
 * One thread for all files: it starts with the first, and with the next one after it died. It keeps no process alive
 * unless it has work.
 * @param url the thread's program
 */
export function createFileHasher(url = THREAD): FileHasher {
  let thread: Thread | null = null
  let isStopped = false
  let lastJob = 0

  const startThread = (): Thread => {
    const started: Thread = { worker: new Worker(url), jobs: new Map() }
    const { worker, jobs } = started
    const fail = (cause: unknown) => {
      if (thread === started) thread = null
      for (const job of jobs.values()) {
        job.failure ??= new HashingFailed({ cause })
        job.wake()
      }
    }
    worker.unref()
    worker.on('message', (answer: HashAnswer) => take(jobs, answer))
    worker.on('error', fail)
    worker.on('exit', (code) => fail(new Error(`the hashing thread ended with code ${code}`)))
    return started
  }

  return {
    hash: async (bytes) => {
      if (isStopped) throw new HashingFailed({ cause: new Error('hashing has ended') })
      thread ??= startThread()
      lastJob += 1
      return await hashIn(thread, lastJob, bytes)
    },
    stop: async () => {
      isStopped = true
      await thread?.worker.terminate()
    },
  }
}

async function hashIn({ worker, jobs }: Thread, id: number, bytes: AsyncIterable<Uint8Array>): Promise<FileHashes> {
  const send = (message: HashMessage, moved: ArrayBuffer[] = []) => worker.postMessage(message, moved)
  const job: Job = { waiting: 0, hashes: null, failure: null, wake: () => {} }
  if (jobs.size === 0) worker.ref()
  jobs.set(id, job)
  let sizeBytes = 0
  try {
    for await (const chunk of bytes) {
      for (let start = 0; start < chunk.length; start += CHUNK_BYTES) {
        // A copy of its own: what the source keeps of its buffer is not ours to give away.
        const copy = new Uint8Array(chunk.subarray(start, start + CHUNK_BYTES))
        send({ kind: 'chunk', job: id, chunk: copy }, [copy.buffer])
        job.waiting += 1
        await until(job, () => job.waiting < MOST_WAITING)
      }
      sizeBytes += chunk.length
    }
    send({ kind: 'end', job: id })
    return { sizeBytes, ...(await hashesOf(job)) }
  } finally {
    if (job.hashes === null) send({ kind: 'abandon', job: id })
    jobs.delete(id)
    if (jobs.size === 0) worker.unref()
  }
}

async function hashesOf(job: Job): Promise<Omit<FileHashes, 'sizeBytes'>> {
  await until(job, () => job.hashes !== null)
  return job.hashes as Omit<FileHashes, 'sizeBytes'>
}

async function until(job: Job, isMet: () => boolean): Promise<void> {
  for (;;) {
    if (job.failure !== null && job.hashes === null) throw job.failure
    if (isMet()) return
    await new Promise<void>((resolve) => {
      job.wake = resolve
    })
  }
}

function take(jobs: ReadonlyMap<number, Job>, answer: HashAnswer): void {
  const job = jobs.get(answer.job)
  if (job === undefined) return
  if (answer.kind === 'taken') job.waiting -= 1
  else job.hashes = { sha256Hash: answer.sha256Hash, keccak256Hash: answer.keccak256Hash }
  job.wake()
}
