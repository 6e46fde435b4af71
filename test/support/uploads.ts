import { createHash } from 'node:crypto'
import { type Hex, keccak256 } from 'viem'
import type { Actor } from './actors.ts'

/** A file to upload, from its worker's side. */
export interface LocalFile {
  fileName: string
  mimeType: string
  role?: string
  bytes: Buffer
}

/** A file in the body of from-keys. */
export interface KeyedFile {
  artifactKey: string
  fileName: string
  mimeType: string
  role?: string
  sizeBytes: number
  sha256Hash: string
  keccak256Hash: Hex
}

export function aLocalFile(text = 'Money waits in trust', fields: Partial<LocalFile> = {}): LocalFile {
  return { fileName: 'haiku.txt', mimeType: 'text/plain', bytes: Buffer.from(text), ...fields }
}

/** The body of a request for a file's URL, signed by its worker. */
export async function anUploadRequest(
  worker: Actor,
  taskId: Hex,
  { bytes, ...described }: LocalFile = aLocalFile(),
): Promise<Record<string, unknown>> {
  const signature = await worker.account.signMessage({ message: `service:submit:${taskId}` })
  return { taskId, workerAddress: worker.account.address, signature, ...described, sizeBytes: bytes.length }
}

/** The true declaration of an upload. */
export function toKeyedFile(artifactKey: string, { bytes, ...described }: LocalFile): KeyedFile {
  return {
    artifactKey,
    ...described,
    sizeBytes: bytes.length,
    sha256Hash: createHash('sha256').update(bytes).digest('hex'),
    keccak256Hash: keccak256(bytes),
  }
}

/** The body of from-keys, signed by its worker: plainly, or with the keys in their order. */
export async function aFromKeysBody(
  worker: Actor,
  taskId: Hex,
  artifacts: readonly KeyedFile[],
  signed: 'plain' | 'bound' = 'plain',
): Promise<Record<string, unknown>> {
  const keys = artifacts.map(({ artifactKey }) => artifactKey).join(',')
  const message = `service:submit:${taskId}${signed === 'bound' ? `:${keys}` : ''}`
  return {
    taskId,
    workerAddress: worker.account.address,
    artifacts,
    signature: await worker.account.signMessage({ message }),
  }
}
