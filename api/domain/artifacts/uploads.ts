import { type Refusal, refuse } from '../refusal.ts'

/** A file as its worker declares it. */
export interface DeclaredFile {
  mimeType: string
  sizeBytes: number
  /** 64 lower-case hex digits. */
  sha256Hash: string
  keccak256Hash: string
}

/** What the service knows of an upload before it reads it. */
export interface KnownUpload {
  /** What its URL was asked for. */
  mimeType: string
  sizeBytes: bigint
  /** A write has used it up. */
  isSubmitted: boolean
  /** The URL takes nothing any more. */
  isExpired: boolean
  /** Bytes in storage; null: nothing was uploaded. */
  storedBytes: number | null
}

/**
 * Why an upload cannot be what is declared, from what is known without reading it; null: it can. Spec, "Submissions".
 * @param upload null: the worker has none of this key for this task, which says nothing about whose it is
 */
export function refuseUpload(declared: DeclaredFile, upload: KnownUpload | null, index: number): Refusal | null {
  const at = (field: string) => ({ field: `artifacts.${index}.${field}` })
  const named = `artifacts.${index}.artifactKey`
  if (upload === null) {
    const message = `${named} names no upload of this worker to this task; ask for its URL with request-upload-url.`
    return refuse(400, 'upload_unknown', message, at('artifactKey'))
  }
  const { storedBytes } = upload
  if (upload.isSubmitted) return refuseSubmitted(index)
  if (declared.mimeType !== upload.mimeType) {
    const message = `artifacts.${index}.mimeType must be ${upload.mimeType}, which the upload was asked for.`
    return refuse(400, 'upload_type_differs', message, at('mimeType'))
  }
  if (BigInt(declared.sizeBytes) !== upload.sizeBytes) {
    const message = `artifacts.${index}.sizeBytes must be ${upload.sizeBytes}, which the upload was asked for.`
    return refuse(400, 'upload_size_differs', message, at('sizeBytes'))
  }
  if (storedBytes === null) {
    const next = upload.isExpired ? 'Its URL has expired: ask for another one.' : 'PUT its bytes to its URL first.'
    return refuse(409, 'upload_missing', `Nothing was uploaded for ${named}. ${next}`, at('artifactKey'))
  }
  if (storedBytes !== declared.sizeBytes) {
    const message = `What was uploaded for ${named} has ${storedBytes} bytes, not ${declared.sizeBytes}.`
    return refuse(400, 'upload_size_differs', message, at('sizeBytes'))
  }
  return null
}

/** An upload is submitted once. `index`: which of the files; null: unknown. */
export function refuseSubmitted(index: number | null): Refusal {
  const named = index === null ? 'An upload of this submission' : `The upload of artifacts.${index}.artifactKey`
  const message = `${named} was submitted already or is gone; each can be submitted once: upload the file again.`
  return refuse(409, 'upload_submitted', message, index === null ? {} : { field: `artifacts.${index}.artifactKey` })
}

/** Why a file is not what is declared, once it was read; null: it is. */
export function refuseHashes(
  declared: DeclaredFile,
  found: Pick<DeclaredFile, 'sha256Hash' | 'keccak256Hash'>,
  index: number,
): Refusal | null {
  const name = (['sha256Hash', 'keccak256Hash'] as const).find((name) => declared[name] !== found[name])
  if (name === undefined) return null
  const field = `artifacts.${index}.${name}`
  const message = `${field} must be ${found[name]}, which is what was uploaded; nothing was charged.`
  return refuse(400, 'upload_hash_differs', message, { field })
}
