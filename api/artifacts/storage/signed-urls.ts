import { createHmac, timingSafeEqual } from 'node:crypto'
import type { UploadPromise } from './object-store.ts'

/** How long the signed URLs of an answer stay valid. */
export const URL_LIFETIME_SECONDS = 15n * 60n

export interface FileLinksOptions {
  /** Key of the signatures. */
  secret: string
  /** Where clients reach this service, without a trailing slash. */
  publicBaseUrl: string
  /**
   * Where they GET the bytes of files, if elsewhere: another name of this service, so foreign bytes have their own
   * origin.
   */
  artifactBaseUrl?: string | undefined
}

/** URLs of this service that carry their own right: an HMAC over what they allow and until when. Nothing is kept. */
export interface SignedUrls {
  /** Any client may GET the artifact's bytes there until `expiresAt` (Unix seconds). */
  toArtifact: (id: string, expiresAt: number) => string
  /** Whether the parts of such a URL are genuine and not expired at `now` (Unix seconds). */
  opensArtifact: (id: string, link: SignedPart, now: number) => boolean
  /** Any client may PUT exactly these bytes there until `expiresAt`. */
  toUpload: (id: string, promised: UploadPromise) => string
  /**
   * Whether the parts of such a URL are genuine. Until when it is open stands beside what was promised, in the tables.
   */
  isUpload: (id: string, link: SignedPart & UploadPromise) => boolean
}

/** What every signed URL carries. */
export interface SignedPart {
  /** Unix seconds. */
  expiresAt: number
  signature: string
}

/** The signed URLs of this service. */
export function createSignedUrls({
  secret,
  publicBaseUrl,
  artifactBaseUrl = publicBaseUrl,
}: FileLinksOptions): SignedUrls {
  const sign = (...parts: (string | number)[]) =>
    createHmac('sha256', secret).update(parts.join(':')).digest('base64url')
  const ofArtifact = (id: string, expiresAt: number) => sign('artifact', id, expiresAt)
  // The type comes last: it is the only part that may hold a colon.
  const ofUpload = (id: string, { sizeBytes, mimeType, expiresAt }: UploadPromise) =>
    sign('upload', id, expiresAt, sizeBytes, mimeType)
  return {
    toArtifact: (id, expiresAt) =>
      `${artifactBaseUrl}/api/artifacts/${id}?expires=${expiresAt}&signature=${ofArtifact(id, expiresAt)}`,
    opensArtifact: (id, { expiresAt, signature }, now) =>
      now < expiresAt && isSame(signature, ofArtifact(id, expiresAt)),
    toUpload: (id, promised) => {
      const query = new URLSearchParams({
        expires: String(promised.expiresAt),
        size: String(promised.sizeBytes),
        type: promised.mimeType,
        signature: ofUpload(id, promised),
      })
      return `${publicBaseUrl}/api/uploads/${id}?${query}`
    },
    isUpload: (id, link) => isSame(link.signature, ofUpload(id, link)),
  }
}

function isSame(given: string, expected: string): boolean {
  const left = Buffer.from(given)
  const right = Buffer.from(expected)
  return left.length === right.length && timingSafeEqual(left, right)
}
