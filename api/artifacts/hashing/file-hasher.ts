import { Worker } from 'node:worker_threads'
import { type FileHasher, type FileHashes, HashingFailed } from './file-hashes.ts'
import type { Block, HashAnswer, HashMessage } from './hash-messages.ts'

/**
 * The number of memory blocks that the main thread and the hashing thread share, for all files. Each memory block has
 * BLOCK_BYTES bytes.
 */
const BLOCKS = 8
const BLOCK_BYTES = 256 * 1024

/** The heap limits of the thread that hashes files. Without limits, the thread would collect its garbage late. */
const THREAD_LIMITS = { maxYoungGenerationSizeMb: 4, maxOldGenerationSizeMb: 64 }

const THREAD = new URL('./hash-worker.ts', import.meta.url)

/** The state of a running thread that hashes files. */
interface Thread {
  worker: Worker
  /** The jobs whose hashes are not complete yet, by the number of the job. A job hashes one file. */
  jobs: Map<number, Settle<Hashes>>
  free: Block[]
  /** The jobs that wait for a free memory block, in order of arrival. */
  waiting: Settle<Block>[]
  failure: HashingFailed | null
}

type Hashes = Omit<FileHashes, 'sizeBytes'>

interface Settle<Value> {
  resolve: (value: Value) => void
  reject: (error: HashingFailed) => void
}

/**
 * Creates a hasher with one thread for all files. The thread starts with the first file, and again after a crash. An
 * idle thread does not keep the process alive.
 * @param program the script of the thread
 */
export function createFileHasher(program = THREAD): FileHasher {
  let thread: Thread | null = null
  let isStopped = false
  let lastJob = 0
  return {
    hash: async (bytes) => {
      if (isStopped) throw new HashingFailed({ cause: new Error('hashing has ended') })
      if (thread === null || thread.failure !== null) thread = startThread(program)
      lastJob += 1
      return await hashIn(thread, lastJob, bytes)
    },
    stop: async () => {
      isStopped = true
      await thread?.worker.terminate()
    },
  }
}

function startThread(program: URL): Thread {
  const thread: Thread = {
    worker: new Worker(program, { resourceLimits: THREAD_LIMITS }),
    jobs: new Map(),
    free: Array.from({ length: BLOCKS }, () => new SharedArrayBuffer(BLOCK_BYTES)),
    waiting: [],
    failure: null,
  }
  const end = (cause: unknown) => {
    thread.failure ??= new HashingFailed({ cause })
    for (const { reject } of [...thread.waiting.splice(0), ...thread.jobs.values()]) reject(thread.failure)
  }
  thread.worker.unref()
  thread.worker.on('message', (answer: HashAnswer) => take(thread, answer))
  thread.worker.on('error', end)
  thread.worker.on('exit', (code) => end(new Error(`the hashing thread ended with code ${code}`)))
  return thread
}

async function hashIn(thread: Thread, job: number, bytes: AsyncIterable<Uint8Array>): Promise<FileHashes> {
  const { worker, jobs } = thread
  const send = (message: HashMessage) => worker.postMessage(message)
  if (jobs.size === 0) worker.ref()
  const hashes = new Promise<Hashes>((resolve, reject) => jobs.set(job, { resolve, reject }))
  // The sender of blocks gets the same error from its own call.
  hashes.catch(() => undefined)
  try {
    let sizeBytes = 0
    for await (const chunk of bytes) {
      for (let start = 0; start < chunk.length; start += BLOCK_BYTES) {
        const part = chunk.subarray(start, start + BLOCK_BYTES)
        const block = await freeBlock(thread)
        new Uint8Array(block).set(part)
        send({ kind: 'chunk', job, block, sizeBytes: part.length })
      }
      sizeBytes += chunk.length
    }
    send({ kind: 'end', job })
    return { sizeBytes, ...(await hashes) }
  } catch (error) {
    send({ kind: 'abandon', job })
    throw error
  } finally {
    jobs.delete(job)
    if (jobs.size === 0) worker.unref()
  }
}

async function freeBlock({ failure, free, waiting }: Thread): Promise<Block> {
  if (failure !== null) throw failure
  const block = free.pop()
  return block ?? (await new Promise((resolve, reject) => waiting.push({ resolve, reject })))
}

function take({ free, waiting, jobs }: Thread, answer: HashAnswer): void {
  if (answer.kind === 'done') {
    jobs.get(answer.job)?.resolve({ sha256Hash: answer.sha256Hash, keccak256Hash: answer.keccak256Hash })
    return
  }
  const next = waiting.shift()
  if (next === undefined) free.push(answer.block)
  else next.resolve(answer.block)
}
