import { apiOrigin, loadService } from '../service.ts'
import type { ManifestFiles } from './delivered-file.ts'
import { hashFile } from './hash-file.ts'

/** The manifest of a submission, with the hash of the manifest's bytes as this browser received them. */
export interface Manifest extends ManifestFiles {
  hash: string
}

const manifests = new Map<string, Promise<Manifest>>()

/**
 * Reads the manifest of a submission, and hashes the manifest's bytes. Later calls for the same submission return the
 * same result.
 * @throws Error with a sentence for a person
 */
export function readManifest({ dataset }: HTMLElement): Promise<Manifest> {
  const { task = '', delivery = '' } = dataset
  const knownManifest = manifests.get(delivery)
  if (knownManifest !== undefined) return knownManifest
  const reading = request(`/api/tasks/${task}/submissions/${delivery}/manifest`).then(async (response) => {
    const bytes = await response.blob()
    const { keccak256 } = await hashFile(bytes)
    const { artifacts } = JSON.parse(await bytes.text()) as Pick<Manifest, 'artifacts'>
    return { hash: keccak256, artifacts }
  })
  manifests.set(delivery, reading)
  reading.catch(() => manifests.delete(delivery))
  return reading
}

/**
 * Reads the bytes of a file from its current download URL.
 * @param onProgress receives the finished part, 0 to 1
 * @throws Error with a sentence for a person
 */
export async function readBytes(
  { taskId, artifactId }: { taskId: string; artifactId: string },
  onProgress: (part: number) => void,
): Promise<Blob> {
  const place = await request(`/api/tasks/${taskId}/artifacts/${artifactId}/preview`)
  const { previewUrl } = (await place.json()) as { previewUrl: string }
  const response = await fetch(previewUrl, { redirect: 'error' }).catch(() => null)
  if (response === null || !response.ok || response.body === null) {
    throw new Error(`The file cannot be read from ${new URL(previewUrl).host}.`)
  }
  const total = Number(response.headers.get('content-length') ?? '0')
  const parts: Uint8Array<ArrayBuffer>[] = []
  let length = 0
  const reader = response.body.getReader()
  for (let part = await reader.read(); !part.done; part = await reader.read()) {
    parts.push(part.value)
    length += part.value.length
    if (total > 0) onProgress(length / total)
  }
  return new Blob(parts)
}

let readerHeaders: Record<string, string> = {}

/**
 * Sets the request headers with which this page reads submissions from now on, such as the access grant for a password.
 * Example: `readDeliveriesAs({ 'X-Service-Task-Access-Grant': grant })`.
 */
export function readDeliveriesAs(headers: Record<string, string>): void {
  readerHeaders = headers
}

/**
 * Sends a request with the headers that `readDeliveriesAs` set. If the service refuses, sends the request again as the
 * connected wallet.
 * @throws Error with a sentence for a person
 */
async function request(path: string): Promise<Response> {
  const origin = apiOrigin(await loadService())
  const response = await fetch(`${origin}${path}`, { headers: readerHeaders })
  if (response.ok) return response
  if (response.status === 429) throw new Error('Too many requests now.')
  const [{ openWallet }, { openClient }] = await Promise.all([
    import('../wallet/connected-wallet.ts'),
    import('../write/open-client.ts'),
  ])
  const wallet = await openWallet()
  if (wallet === null) throw new Error('This is not for everyone: connect a wallet that may see it.')
  const { context } = await openClient(wallet)
  const answer = await fetch(`${origin}${path}`, { headers: await context.identity() })
  if (answer.ok) return answer
  throw new Error('This wallet may not see it.')
}
