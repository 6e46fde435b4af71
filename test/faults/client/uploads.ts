import { createHash } from 'node:crypto'
import { type Hex, keccak256, type PrivateKeyAccount } from 'viem'
import type { Reached } from './operations.ts'

/** A file as from-keys declares it. */
export interface UploadedFile {
  artifactKey: string
  fileName: string
  mimeType: string
  sizeBytes: number
  sha256Hash: string
  keccak256Hash: Hex
}

/** A requested upload: the target of its bytes, and its entry for from-keys. */
export interface Upload {
  url: string
  headers: Record<string, string>
  bytes: Buffer
  file: UploadedFile
}

/** POST request-upload-url. @throws unless it is answered with a URL */
export async function requestUpload(
  { url, fetch }: Reached,
  { taskId, account, bytes }: { taskId: Hex; account: PrivateKeyAccount; bytes: Buffer },
): Promise<Upload> {
  const described = { fileName: 'noise.bin', mimeType: 'application/octet-stream', sizeBytes: bytes.length }
  const signature = await account.signMessage({ message: `service:submit:${taskId}` })
  const response = await fetch(`${url}/api/tasks/${taskId}/submissions/request-upload-url`, {
    method: 'POST',
    headers: { 'Content-Type': 'application/json' },
    body: JSON.stringify({ workerAddress: account.address, signature, role: 'final', ...described }),
  })
  if (response.status !== 200) throw new Error(`an upload URL was answered ${response.status} ${await response.text()}`)
  const { uploadUrl, uploadHeaders, artifactKey } = (await response.json()) as {
    uploadUrl: string
    uploadHeaders: Record<string, string>
    artifactKey: string
  }
  const hashes = { sha256Hash: createHash('sha256').update(bytes).digest('hex'), keccak256Hash: keccak256(bytes) }
  return { url: uploadUrl, headers: uploadHeaders, bytes, file: { artifactKey, ...described, ...hashes } }
}

/** PUTs the bytes to the URL's path and query at this process. @returns the status; null: no answer */
export async function putUpload({ url, fetch }: Reached, upload: Upload): Promise<number | null> {
  const { pathname, search } = new URL(upload.url)
  try {
    const { status } = await fetch(`${url}${pathname}${search}`, {
      method: 'PUT',
      headers: upload.headers,
      body: new Uint8Array(upload.bytes),
    })
    return status
  } catch {
    return null
  }
}
