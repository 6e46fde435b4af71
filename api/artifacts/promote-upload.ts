import { Overloaded } from '../concurrency/semaphore.ts'
import { refuseHashes } from '../domain/artifacts/uploads.ts'
import { type Refusal, refuse } from '../domain/refusal.ts'
import type { ArtifactDeps } from './artifact-deps.ts'
import type { FileHashes } from './hashing/file-hashes.ts'
import { ObjectChangedError } from './storage/object-store.ts'
import type { IncomingFile } from './store-artifacts.ts'
import { findUploadHashes, keepUploadHashes } from './uploads.queries.ts'

/** What was found in an upload, but for its size. */
type Hashes = Omit<FileHashes, 'sizeBytes'>

/** A file as its submission declares it. */
export interface DeclaredUpload extends Omit<IncomingFile, 'keep'>, FileHashes {}

/** An upload that is taken into a submission. */
export interface UploadPromotion {
  file: DeclaredUpload
  /** The storage's name of the upload. */
  upload: string
  /** Its place in the body. */
  index: number
  /** Once it is over, nothing more is read: the request must be answered. */
  until: AbortSignal
}

/**
 * An uploaded file: its bytes are copied to a name that no client can write to, and the copy is read. What
 * was found stays known for this version of the upload, so a file is read once, however often it is declared wrongly;
 * but where two files can pass for one version, no copy is taken unread.
 * @throws Overloaded when too many are read, or `until` is over
 */
export function promoteUpload(deps: ArtifactDeps, { file, upload, index, until }: UploadPromotion): IncomingFile {
  const { fileName, mimeType, role, sizeBytes } = file
  return {
    fileName,
    mimeType,
    role,
    keep: async (artifact) => {
      const stored = await deps.storage.stat({ area: 'uploads', id: upload })
      if (stored === null || stored.sizeBytes !== sizeBytes) return uploadChanged(index)
      const { version, isVersionUnique } = stored
      const known = await findUploadHashes(deps.sql, upload, version)
      const refusal = known && refuseHashes(file, known, index)
      if (refusal !== null) return refusal
      if (!(await promoteBytes(deps, { upload, artifact, version }))) return uploadChanged(index)
      const reading = { upload, artifact, version, isVersionUnique, sizeBytes, until }
      const hashes = isVersionUnique && known !== null ? known : await readInTurn(deps, reading)
      return refuseHashes(file, hashes, index) ?? { sizeBytes, ...hashes }
    },
  }
}

/** @returns false when the upload is another one meanwhile */
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

/** A copy of an upload that is to be read. */
interface Reading {
  upload: string
  artifact: string
  version: string
  isVersionUnique: boolean
  sizeBytes: number
  until: AbortSignal
}

/** The same upload may have been read while this call waited. */
async function readInTurn(deps: ArtifactDeps, reading: Reading): Promise<Hashes> {
  const { upload, version, isVersionUnique } = reading
  return await deps.uploadSemaphore(async () => {
    const known = isVersionUnique ? await findUploadHashes(deps.sql, upload, version) : null
    return known ?? (await read(deps, reading))
  })
}

async function read(deps: ArtifactDeps, { upload, artifact, version, sizeBytes, until }: Reading): Promise<Hashes> {
  const bytes = await deps.storage.open({ area: 'artifacts', id: artifact })
  if (bytes === null) throw new Error(`the artifact ${artifact} is gone while it is read`)
  const { sizeBytes: found, ...hashes } = await deps.hasher.hash(readUntil(until, bytes))
  if (found !== sizeBytes) throw new Error(`storage says that ${artifact} has ${sizeBytes} bytes, and gave ${found}`)
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
  const named = `artifacts.${index}.artifactKey`
  return refuse(
    409,
    'upload_changed',
    `The upload of ${named} changed while it was looked at; send the request again.`,
    {
      field: named,
    },
  )
}
