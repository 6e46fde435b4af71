import { createHash } from 'node:crypto'
import { type MessagePort, parentPort } from 'node:worker_threads'
import { createKeccak, type IHasher } from 'hash-wasm'
import type { HashAnswer, HashMessage } from './hash-messages.ts'

/**
 * The port on which the hashing thread exchanges messages with the main thread. The messages of several files arrive
 * mixed, but the chunks of one file arrive in order.
 */
const port = parentPort as MessagePort

/** The hashing state of one file. */
interface Job {
  update: (chunk: Uint8Array) => void
  finish: () => Pick<HashAnswer & { kind: 'done' }, 'sha256Hash' | 'keccak256Hash'>
  keccak256: IHasher
}

const jobs = new Map<number, Promise<Job>>()

/** The unused hashers. Each hasher reserves a large WebAssembly memory, so hashers are reused. */
const idleHashers: IHasher[] = []

port.on('message', async (message: HashMessage) => {
  const { job: id } = message
  switch (message.kind) {
    case 'chunk': {
      const job = await jobOf(id)
      job.update(new Uint8Array(message.block, 0, message.sizeBytes))
      answer({ kind: 'taken', block: message.block })
      return
    }
    case 'end': {
      const hashes = (await jobOf(id)).finish()
      await forget(id)
      answer({ kind: 'done', job: id, ...hashes })
      return
    }
    case 'abandon':
      await forget(id)
  }
})

function jobOf(id: number): Promise<Job> {
  const job = jobs.get(id) ?? createJob()
  jobs.set(id, job)
  return job
}

async function forget(id: number): Promise<void> {
  const job = jobs.get(id)
  jobs.delete(id)
  // Awaiting the job's promise makes this run after the earlier chunks.
  if (job !== undefined) idleHashers.push((await job).keccak256)
}

async function createJob(): Promise<Job> {
  const sha256 = createHash('sha256')
  const keccak256 = (idleHashers.pop() ?? (await createKeccak(256))).init()
  return {
    keccak256,
    update: (chunk) => {
      sha256.update(chunk)
      keccak256.update(chunk)
    },
    finish: () => ({ sha256Hash: sha256.digest('hex'), keccak256Hash: `0x${keccak256.digest('hex')}` }),
  }
}

function answer(message: HashAnswer): void {
  port.postMessage(message)
}
