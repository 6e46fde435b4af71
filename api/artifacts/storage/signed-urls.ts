import { createHmac, timingSafeEqual } from 'node:crypto'
import type { UploadPromise } from './object-store.ts'

/** The lifetime of signed URLs in seconds. */
export const URL_LIFETIME_SECONDS = 15n * 60n

export interface FileLinksOptions {
  /** The secret with which URLs are signed. */
  secret: string
  /** The public URL of this service without a trailing slash. */
  publicBaseUrl: string
  /**
   * The base URL of the links to files, if it differs from `publicBaseUrl`. If the base URL has its own host name, a
   * browser treats the uploaded files and the service as different web origins. A script in an uploaded file then has
   * no access to the service's pages.
   */
  artifactBaseUrl?: string | undefined
}

/**
 * Creates and checks signed URLs of this service. The signature is an HMAC over the permitted request and its expiry.
 * Nothing is stored.
 */
export interface SignedUrls {
  /** Returns a URL at which any client may GET the artifact's bytes until `expiresAt` (Unix seconds). */
  toArtifact: (id: string, expiresAt: number) => string
  /** Returns true if the signature of an artifact URL is valid and the URL is not expired at `now` (Unix seconds). */
  opensArtifact: (id: string, link: SignedPart, now: number) => boolean
  /** Returns a URL at which any client may PUT the announced number of bytes until `uploadPromise.expiresAt`. */
  toUpload: (id: string, uploadPromise: UploadPromise) => string
  /**
   * Returns true if the parts of an upload URL have a valid signature. The upload's database row decides if the upload
   * still accepts bytes.
   */
  isUpload: (id: string, link: SignedPart & UploadPromise) => boolean
}

/** The fields that every signed URL has. */
export interface SignedPart {
  /** The time at which the URL expires, in Unix seconds. */
  expiresAt: number
  signature: string
}

/** Creates the signer of this service's URLs. */
export function createSignedUrls({
  secret,
  publicBaseUrl,
  artifactBaseUrl = publicBaseUrl,
}: FileLinksOptions): SignedUrls {
  const sign = (...parts: (string | number)[]) =>
    createHmac('sha256', secret).update(parts.join(':')).digest('base64url')
  const ofArtifact = (id: string, expiresAt: number) => sign('artifact', id, expiresAt)
  // The type is last, because it alone may contain a colon.
  const ofUpload = (id: string, { sizeBytes, mimeType, expiresAt }: UploadPromise) =>
    sign('upload', id, expiresAt, sizeBytes, mimeType)
  return {
    toArtifact: (id, expiresAt) =>
      `${artifactBaseUrl}/api/artifacts/${id}?expires=${expiresAt}&signature=${ofArtifact(id, expiresAt)}`,
    opensArtifact: (id, { expiresAt, signature }, now) =>
      now < expiresAt && isSame(signature, ofArtifact(id, expiresAt)),
    toUpload: (id, uploadPromise) => {
      const query = new URLSearchParams({
        expires: String(uploadPromise.expiresAt),
        size: String(uploadPromise.sizeBytes),
        type: uploadPromise.mimeType,
        signature: ofUpload(id, uploadPromise),
      })
      return `${publicBaseUrl}/api/uploads/${id}?${query}`
    },
    isUpload: (id, link) => isSame(link.signature, ofUpload(id, link)),
  }
}

function isSame(signature: string, expectedSignature: string): boolean {
  const actualBytes = Buffer.from(signature)
  const right = Buffer.from(expectedSignature)
  return actualBytes.length === right.length && timingSafeEqual(actualBytes, right)
}
