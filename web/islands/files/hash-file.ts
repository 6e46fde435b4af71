import type { HashMessage } from '../hash-worker.ts'
import type { FileHashes } from './delivered-file.ts'

/** URL of the web worker's bundle. The build sets this constant. */
declare const HASH_WORKER_URL: string

interface TrustedTypes {
  createPolicy(
    name: string,
    rules: { createScriptURL(text: string): string },
  ): { createScriptURL(text: string): string }
}

let workerUrl: string | undefined

/**
 * Hashes a file in a web worker.
 * @param onProgress receives the finished part, 0 to 1
 * @throws Error if the file cannot be read
 */
export function hashFile(file: Blob, onProgress: (part: number) => void = () => {}): Promise<FileHashes> {
  workerUrl ??= trustedWorkerUrl()
  const worker = new Worker(workerUrl, { type: 'module' })
  return new Promise<FileHashes>((resolve, reject) => {
    worker.onmessage = ({ data }: MessageEvent<HashMessage>) => {
      if ('done' in data) onProgress(data.total === 0 ? 1 : data.done / data.total)
      else if ('failed' in data) reject(new Error(`The file cannot be read: ${data.failed}`))
      else resolve(data)
    }
    worker.onerror = () => reject(new Error('The file cannot be hashed: its worker does not start.'))
    worker.postMessage(file)
  }).finally(() => worker.terminate())
}

/**
 * Returns the URL of the web worker. If the browser supports Trusted Types, a policy creates the URL. This policy is
 * the only Trusted Types policy of the pages, and creates no other URL.
 */
function trustedWorkerUrl(): string {
  const { trustedTypes } = globalThis as { trustedTypes?: TrustedTypes }
  if (trustedTypes === undefined) return HASH_WORKER_URL
  return trustedTypes.createPolicy('task-market-worker', { createScriptURL: () => HASH_WORKER_URL }).createScriptURL('')
}
