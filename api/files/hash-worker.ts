import { createHash } from 'node:crypto'
import { type MessagePort, parentPort } from 'node:worker_threads'
import { createKeccak } from 'hash-wasm'
import type { HashAnswer, HashMessage } from './hash-messages.ts'

/** The thread: hashes many files at once, each in the order its chunks come. */
const port = parentPort as MessagePort

/** One file on its way. */
interface Job {
  update: (chunk: Uint8Array) => void
  finish: () => Pick<HashAnswer & { kind: 'done' }, 'sha256Hash' | 'keccak256Hash'>
}

const jobs = new Map<number, Promise<Job>>()

port.on('message', async (message: HashMessage) => {
  const { job: id } = message
  switch (message.kind) {
    case 'chunk': {
      const job = await jobOf(id)
      job.update(message.chunk)
      answer({ kind: 'taken', job: id })
      return
    }
    case 'end': {
      const hashes = (await jobOf(id)).finish()
      jobs.delete(id)
      answer({ kind: 'done', job: id, ...hashes })
      return
    }
    case 'abandon':
      jobs.delete(id)
  }
})

function jobOf(id: number): Promise<Job> {
  const known = jobs.get(id) ?? createJob()
  jobs.set(id, known)
  return known
}

async function createJob(): Promise<Job> {
  const sha256 = createHash('sha256')
  const keccak256 = await createKeccak(256)
  return {
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
