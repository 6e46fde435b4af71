import { createHash } from 'node:crypto'
import { readFile } from 'node:fs/promises'
import { basename } from 'node:path'
import { keccak256 } from 'viem'
import type { WriteInput } from '../api/write-names.ts'
import type { Client } from '../create-client.ts'
import { isLoopback } from '../deployment/loopback.ts'
import { toArtifact, typeOfFile } from '../files/type-of-file.ts'
import { uploadMessage } from '../files/upload-message.ts'
import { uploadShape } from '../http/command-shapes.ts'
import type { Outcome } from '../writes/outcome.ts'
import type { WriteOptions } from '../writes/run-write.ts'
import { dataOf } from './http-answer.ts'
import { CliError, exits, type Io } from './io.ts'

/**
 * The maximum total size, in bytes, of the files that one submission request can contain. If the files are larger, they
 * are uploaded before the request.
 */
const INLINE_BYTES = 8 * 1024 * 1024
const UPLOAD_MS = 600_000

interface LocalFile {
  fileName: string
  mimeType: string
  bytes: Buffer
}

/**
 * Reads the files to deliver.
 * @throws CliError when a file cannot be read
 */
export async function readFiles(paths: readonly string[]): Promise<LocalFile[]> {
  return await Promise.all(paths.map(readLocal))
}

/**
 * Returns the arguments of a submission that contains the files' bytes; null if the files are too large for one
 * request.
 */
export function toInlineInput(taskId: string, files: readonly LocalFile[]): WriteInput<'createSubmission'> | null {
  if (files.reduce((sum, { bytes }) => sum + bytes.length, 0) > INLINE_BYTES) return null
  return { taskId, artifacts: files.map(({ fileName, bytes }) => toArtifact(fileName, bytes)) }
}

/** Returns the arguments of a submission for a dry run, with the hashes of the files instead of the bytes. */
export function toDryRunInput(taskId: string, files: readonly LocalFile[]): WriteInput<'createSubmission'> {
  const artifacts = files.map(({ fileName, mimeType, bytes }) => ({ fileName, mimeType, ...hashesOf(bytes) }))
  // A dry run of a submission sends no request, so it needs no bytes of the files.
  return { taskId, artifacts } as object as WriteInput<'createSubmission'>
}

function hashesOf(bytes: Buffer) {
  const sha256Hash = createHash('sha256').update(bytes).digest('hex')
  return { sizeBytes: bytes.length, sha256Hash, keccak256Hash: keccak256(bytes) }
}

/**
 * Delivers files as a submission. Files that are too large for one request are uploaded first.
 * @throws CliError when an upload fails
 */
export async function submitFiles(
  io: Io,
  client: Client,
  { taskId, files, options }: { taskId: string; files: readonly LocalFile[]; options: WriteOptions },
): Promise<Outcome<unknown>> {
  const inline = toInlineInput(taskId, files)
  if (inline !== null) return await client.write('createSubmission', inline, options)
  const artifacts = []
  for (const [at, file] of files.entries()) {
    const what = `uploading ${at + 1} of ${files.length}: ${file.bytes.length} bytes`
    artifacts.push(await upload(client, { taskId, file, onProgress: progressOf(io, what) }))
  }
  return await client.write('createSubmissionFromKeys', { taskId, artifacts }, options)
}

async function readLocal(path: string): Promise<LocalFile> {
  try {
    const bytes = await readFile(path)
    const fileName = basename(path)
    return { fileName, mimeType: typeOfFile(fileName, bytes), bytes }
  } catch {
    throw new CliError(`${path} cannot be read.`, exits.usage)
  }
}

/**
 * Returns a function that shows the progress of an upload. The function's argument is the uploaded fraction of the
 * file, from 0 to 1. Without a terminal, only one line is printed, at the start.
 */
function progressOf(io: Io, what: string): (part: number) => void {
  if (!io.isTerminal) io.err(`${what}\n`)
  let shownPercent = -1
  return (part) => {
    const percent = Math.floor(part * 100)
    if (!io.isTerminal || percent === shownPercent) return
    shownPercent = percent
    io.err(`\r${what}, ${percent} %${percent === 100 ? '\n' : ''}`)
  }
}

interface Upload {
  taskId: string
  file: LocalFile
  onProgress(part: number): void
}

async function upload({ http, context }: Client, { taskId, file, onProgress }: Upload) {
  const { fileName, mimeType, bytes } = file
  const { account, fetch } = context
  if (account === null) throw new CliError('An upload needs a wallet.', exits.usage)
  const signature = await account.signMessage({ message: uploadMessage(context.deployment, taskId, account.address) })
  const answer = await http.POST('/api/tasks/{taskId}/submissions/request-upload-url', {
    params: { path: { taskId } },
    body: { workerAddress: account.address, signature, fileName, mimeType, sizeBytes: bytes.length },
  })
  const url = `${context.url}/api/tasks/${taskId}/submissions/request-upload-url`
  const data = dataOf(answer, { url, shape: uploadShape, refused: 'The upload was refused:' })
  checkUploadUrl(data.uploadUrl, context.url)
  // The upload URL may be of another host: it receives the service's headers, and no credential of this client.
  const request: RequestInit & { duplex: 'half' } = {
    method: 'PUT',
    body: progressBody(bytes, (takenBytes) => onProgress(takenBytes / bytes.length)),
    duplex: 'half',
    headers: { ...data.uploadHeaders, 'Content-Length': String(bytes.length) },
    redirect: 'error',
    signal: AbortSignal.timeout(UPLOAD_MS),
  }
  const putAnswer = await fetch(data.uploadUrl, request).catch(() => null)
  if (putAnswer === null || !putAnswer.ok) {
    // The upload URL may contain a signature, so the message names the host only.
    const { host } = new URL(data.uploadUrl)
    const what = putAnswer === null ? 'gave no answer, or redirects' : `answered ${putAnswer.status}`
    throw new CliError(`${fileName} could not be uploaded: ${host} ${what}.`, exits.unknown)
  }
  return { artifactKey: data.artifactKey, fileName, mimeType, ...hashesOf(bytes) }
}

/**
 * Requires that an upload URL uses https and does not point to this machine. If the service itself runs on this
 * machine, the upload URL may be any URL.
 * @throws CliError
 */
function checkUploadUrl(uploadUrl: string, serviceUrl: string): void {
  const url = URL.canParse(uploadUrl) ? new URL(uploadUrl) : null
  const isLocal = isLoopback(new URL(serviceUrl).hostname)
  if (url !== null && (isLocal || !isLoopback(url.hostname)) && (url.protocol === 'https:' || isLocal)) return
  throw new CliError('The service names a place for the upload that is not reached by https.', exits.forbidden)
}

const CHUNK_BYTES = 256 * 1024

/**
 * Returns a request body that reports the progress of the upload. The caller must set the header `Content-Length`,
 * because object stores require the header.
 * @param onTaken receives the number of bytes read so far
 */
function progressBody(bytes: Uint8Array, onTaken: (takenBytes: number) => void): ReadableStream<Uint8Array> {
  let at = 0
  return new ReadableStream<Uint8Array>({
    pull: (controller) => {
      const chunk = bytes.slice(at, at + CHUNK_BYTES)
      at += chunk.length
      if (chunk.length > 0) controller.enqueue(chunk)
      onTaken(at)
      if (at >= bytes.length) controller.close()
    },
  })
}
