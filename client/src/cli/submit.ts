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

/** Up to here files are part of the request; beyond, each is uploaded first. Bytes. */
const INLINE_BYTES = 8 * 1024 * 1024
const UPLOAD_MS = 600_000

interface LocalFile {
  fileName: string
  mimeType: string
  bytes: Buffer
}

/** Files to deliver. @throws CliError when one cannot be read */
export async function readFiles(paths: readonly string[]): Promise<LocalFile[]> {
  return await Promise.all(paths.map(readLocal))
}

/** The write that has the files in it; null where they are too large for that. */
export function toInlineInput(taskId: string, files: readonly LocalFile[]): WriteInput<'createSubmission'> | null {
  if (files.reduce((sum, { bytes }) => sum + bytes.length, 0) > INLINE_BYTES) return null
  return { taskId, artifacts: files.map(({ fileName, bytes }) => toArtifact(fileName, bytes)) }
}

/** The submission of a dry run: its call is made of the hashes of the files, whichever way these are sent. */
export function toDryRunInput(taskId: string, files: readonly LocalFile[]): WriteInput<'createSubmission'> {
  const artifacts = files.map(({ fileName, mimeType, bytes }) => ({ fileName, mimeType, ...hashesOf(bytes) }))
  // A dry run of a submission sends no request: the bytes of the files have no part in it.
  return { taskId, artifacts } as object as WriteInput<'createSubmission'>
}

function hashesOf(bytes: Buffer) {
  const sha256Hash = createHash('sha256').update(bytes).digest('hex')
  return { sizeBytes: bytes.length, sha256Hash, keccak256Hash: keccak256(bytes) }
}

/** Delivers files. @throws CliError when one cannot be uploaded */
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

/** On a terminal one line that counts up; else a line at the beginning. Gets parts of one. */
function progressOf(io: Io, what: string): (part: number) => void {
  if (!io.isTerminal) io.err(`${what}\n`)
  let shown = -1
  return (part) => {
    const percent = Math.floor(part * 100)
    if (!io.isTerminal || percent === shown) return
    shown = percent
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
  // Another host may keep the files: it gets what the service says, and nothing of ours.
  const request: RequestInit & { duplex: 'half' } = {
    method: 'PUT',
    body: progressBody(bytes, (taken) => onProgress(taken / bytes.length)),
    duplex: 'half',
    headers: { ...data.uploadHeaders, 'Content-Length': String(bytes.length) },
    redirect: 'error',
    signal: AbortSignal.timeout(UPLOAD_MS),
  }
  const put = await fetch(data.uploadUrl, request).catch(() => null)
  if (put === null || !put.ok) {
    // The URL itself may have a signature in it.
    const { host } = new URL(data.uploadUrl)
    const what = put === null ? 'gave no answer, or redirects' : `answered ${put.status}`
    throw new CliError(`${fileName} could not be uploaded: ${host} ${what}.`, exits.unknown)
  }
  return { artifactKey: data.artifactKey, fileName, mimeType, ...hashesOf(bytes) }
}

/**
 * Files of a person go over https, and to another service of this machine only from a service of this machine.
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
 * A body whose bytes are told as they are taken. Its length must be sent as a header: a store of files takes no request
 * without one.
 * @param onTaken gets how many bytes of the body are taken so far
 */
function progressBody(bytes: Uint8Array, onTaken: (taken: number) => void): ReadableStream<Uint8Array> {
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
