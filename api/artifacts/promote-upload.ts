import { Overloaded } from '../concurrency/semaphore.ts'
import { refuseHashes } from '../domain/artifacts/uploads.ts'
import { type Refusal, refuse } from '../domain/refusal.ts'
import type { ArtifactDeps } from './artifact-deps.ts'
import type { FileHashes } from './hashing/file-hashes.ts'
import { ObjectChangedError } from './storage/object-store.ts'
import type { IncomingFile } from './store-artifacts.ts'
import { findUploadHashes, keepUploadHashes } from './uploads.queries.ts'

/** The hashes of an upload, without its size. */
type Hashes = Omit<FileHashes, 'sizeBytes'>

/** A file with the name, size and hashes that the submission declares. */
export interface DeclaredUpload extends Omit<IncomingFile, 'keep'>, FileHashes {}

/** An upload that becomes a file of a submission. */
export interface UploadPromotion {
  file: DeclaredUpload
  /** The id of the upload in storage. */
  upload: string
  /** The index of the file in the request body's list of files. */
  index: number
  /** Aborts when the request must be answered. The reading of the upload then ends with an error. */
  until: AbortSignal
}

/**
 * Creates a file of a submission from an upload. The upload is copied, and the copy is hashed. The hashes are stored
 * with the version of the upload. If the version identifies the bytes (`isVersionUnique`), stored hashes are reused.
 * Otherwise, every copy is hashed.
 * @throws Overloaded if too many uploads are being read, or if `until` aborts
 */
export function promoteUpload(deps: ArtifactDeps, { file, upload, index, until }: UploadPromotion): IncomingFile {
  const { fileName, mimeType, role, sizeBytes } = file
  return {
    fileName,
    mimeType,
    role,
    keep: async (artifact) => {
      const storedUpload = await deps.storage.stat({ area: 'uploads', id: upload })
      if (storedUpload === null || storedUpload.sizeBytes !== sizeBytes) return uploadChanged(index)
      const { version, isVersionUnique } = storedUpload
      const knownHashes = await findUploadHashes(deps.sql, upload, version)
      const refusal = knownHashes && refuseHashes(file, knownHashes, index)
      if (refusal !== null) return refusal
      if (!(await promoteBytes(deps, { upload, artifact, version }))) return uploadChanged(index)
      const reading = { upload, artifact, version, isVersionUnique, sizeBytes, until }
      const hashes = isVersionUnique && knownHashes !== null ? knownHashes : await readInTurn(deps, reading)
      return refuseHashes(file, hashes, index) ?? { sizeBytes, ...hashes }
    },
  }
}

/**
 * Copies an upload to the storage area `artifacts`, if the upload still has the version `version`.
 * @returns false if the upload was overwritten with another version; nothing is copied in that case
 */
async function promoteBytes(
  { storage, reach }: ArtifactDeps,
  { upload, artifact, version }: { upload: string; artifact: string; version: string },
): Promise<boolean> {
  try {
    await storage.adopt(upload, artifact, version)
    reach('after-adopt')
    return true
  } catch (error) {
    if (error instanceof ObjectChangedError) return false
    throw error
  }
}

/**
 * A copy of an upload that is to be read and hashed. `artifact` is the id of the copy, and `upload` is the id of the
 * upload.
 */
interface Reading {
  upload: string
  artifact: string
  version: string
  isVersionUnique: boolean
  sizeBytes: number
  until: AbortSignal
}

/**
 * Waits for a place in the semaphore, then hashes a copy. If another call has hashed the same version of the upload in
 * the meantime, the function returns the hashes of that call.
 */
async function readInTurn(deps: ArtifactDeps, reading: Reading): Promise<Hashes> {
  const { upload, version, isVersionUnique } = reading
  return await deps.uploadSemaphore(async () => {
    const knownHashes = isVersionUnique ? await findUploadHashes(deps.sql, upload, version) : null
    return knownHashes ?? (await read(deps, reading))
  })
}

async function read(deps: ArtifactDeps, { upload, artifact, version, sizeBytes, until }: Reading): Promise<Hashes> {
  const bytes = await deps.storage.open({ area: 'artifacts', id: artifact })
  if (bytes === null) throw new Error(`the artifact ${artifact} is gone while it is read`)
  const { sizeBytes: readBytes, ...hashes } = await deps.hasher.hash(readUntil(until, bytes))
  if (readBytes !== sizeBytes)
    throw new Error(`storage says that ${artifact} has ${sizeBytes} bytes, and gave ${readBytes}`)
  await keepUploadHashes(deps.sql, upload, { version, ...hashes })
  return hashes
}

async function* readUntil(until: AbortSignal, bytes: ReadableStream<Uint8Array>): AsyncGenerator<Uint8Array> {
  for await (const chunk of bytes) {
    if (until.aborted) throw new Overloaded('The service has not read all files of this submission yet')
    yield chunk
  }
}

function uploadChanged(index: number): Refusal {
  const fieldPath = `artifacts.${index}.artifactKey`
  return refuse(
    409,
    'upload_changed',
    `The upload of ${fieldPath} changed while it was looked at; send the request again.`,
    {
      field: fieldPath,
    },
  )
}
