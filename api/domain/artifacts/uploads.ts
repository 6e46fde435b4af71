import { type Refusal, refuse } from '../refusal.ts'

/** A file of a submission, as the worker declares the file. */
export interface DeclaredFile {
  mimeType: string
  sizeBytes: number
  /** The SHA-256 hash of the file's bytes: 64 lower-case hex digits. */
  sha256Hash: string
  /** The keccak256 hash of the file's bytes. */
  keccak256Hash: string
}

/** The facts that the service has about an upload before it reads the uploaded bytes. */
export interface KnownUpload {
  /** The MIME type that the request for the upload URL declared. */
  mimeType: string
  sizeBytes: bigint
  /** True after a submission has used the upload. */
  isSubmitted: boolean
  /** True after the upload URL has expired and accepts no more bytes. */
  isExpired: boolean
  /** The number of uploaded bytes in storage; null if nothing was uploaded. */
  storedBytes: number | null
}

/**
 * Returns a refusal if the upload does not exist, was submitted before, or has another type or size than the declared
 * file. Otherwise returns null. The uploaded bytes are not read here, so their hashes are checked later. See the
 * specification, "Submissions".
 * @param upload the worker's upload for this task under the declared key; null if there is none
 * @param index the file's position in the request's `artifacts`
 */
export function refuseUpload(file: DeclaredFile, upload: KnownUpload | null, index: number): Refusal | null {
  const at = (field: string) => ({ field: `artifacts.${index}.${field}` })
  const fieldPath = `artifacts.${index}.artifactKey`
  if (upload === null) {
    const message = `${fieldPath} names no upload of this worker to this task; ask for its URL with request-upload-url.`
    return refuse(400, 'upload_unknown', message, at('artifactKey'))
  }
  const { storedBytes } = upload
  if (upload.isSubmitted) return refuseSubmitted(index)
  if (file.mimeType !== upload.mimeType) {
    const message = `artifacts.${index}.mimeType must be ${upload.mimeType}, which the upload was asked for.`
    return refuse(400, 'upload_type_differs', message, at('mimeType'))
  }
  if (BigInt(file.sizeBytes) !== upload.sizeBytes) {
    const message = `artifacts.${index}.sizeBytes must be ${upload.sizeBytes}, which the upload was asked for.`
    return refuse(400, 'upload_size_differs', message, at('sizeBytes'))
  }
  if (storedBytes === null) {
    const next = upload.isExpired ? 'Its URL has expired: ask for another one.' : 'PUT its bytes to its URL first.'
    return refuse(409, 'upload_missing', `Nothing was uploaded for ${fieldPath}. ${next}`, at('artifactKey'))
  }
  if (storedBytes !== file.sizeBytes) {
    const message = `What was uploaded for ${fieldPath} has ${storedBytes} bytes, not ${file.sizeBytes}.`
    return refuse(400, 'upload_size_differs', message, at('sizeBytes'))
  }
  return null
}

/**
 * Returns the refusal of an upload that was already submitted.
 * @param index the file's position in the request's `artifacts`; null if the position is unknown
 */
export function refuseSubmitted(index: number | null): Refusal {
  const subject = index === null ? 'An upload of this submission' : `The upload of artifacts.${index}.artifactKey`
  const message = `${subject} was submitted already or is gone; each can be submitted once: upload the file again.`
  return refuse(409, 'upload_submitted', message, index === null ? {} : { field: `artifacts.${index}.artifactKey` })
}

/** Returns the refusal of a file whose computed hashes differ from the declared hashes, or null if they are equal. */
export function refuseHashes(
  file: DeclaredFile,
  computedHashes: Pick<DeclaredFile, 'sha256Hash' | 'keccak256Hash'>,
  index: number,
): Refusal | null {
  const name = (['sha256Hash', 'keccak256Hash'] as const).find((name) => file[name] !== computedHashes[name])
  if (name === undefined) return null
  const field = `artifacts.${index}.${name}`
  const message = `${field} must be ${computedHashes[name]}, which is what was uploaded; nothing was charged.`
  return refuse(400, 'upload_hash_differs', message, { field })
}
