import { createHash, type Hash } from 'node:crypto'
import { exactBytes } from './exact-bytes.ts'
import { requireObjectId } from './object-id.ts'
import {
  ObjectChangedError,
  type ObjectFacts,
  type ObjectName,
  type ObjectStore,
  StorageUnavailableError,
} from './object-store.ts'
import { createS3Client, type S3Answer, type S3Bucket, type S3Timeouts } from './s3-client.ts'
import { codeOf, failureOf } from './s3-failures.ts'

export interface S3Options extends S3Bucket {
  /** The prefix of the keys of all objects in the bucket. Services with different prefixes can share a bucket. */
  prefix?: string
  timeouts?: Partial<S3Timeouts>
  /** Returns the time in Unix milliseconds; by default the host's clock. */
  now?: () => number
}

const TIMEOUTS: S3Timeouts = { silenceMs: 20_000, copyMs: 45_000 }
/** The longest lifetime of a signed URL that S3 allows, in seconds. */
const LONGEST_LIFE_SECONDS = 7 * 24 * 60 * 60
/** The media type of artifacts. Browsers do not execute content of this type. */
const ARTIFACT_TYPE = 'application/octet-stream'

/**
 * Creates a store in a private bucket. Clients upload directly to the bucket. The version of an object is its entity
 * tag.
 */
export function createS3Store({ prefix = '', timeouts, now = Date.now, ...bucket }: S3Options): ObjectStore {
  const limits = { ...TIMEOUTS, ...timeouts }
  const client = createS3Client(bucket, limits, now)
  const keyOf = ({ area, id }: ObjectName) => `${prefix}${area}/${requireObjectId(id)}`

  const remove = async (name: ObjectName): Promise<void> => {
    const answer = await client.call({ method: 'DELETE', key: keyOf(name) })
    if (![200, 204, 404].includes(answer.status)) throw failureOf('DELETE', answer)
  }
  return {
    put: async (name, bytes, sizeBytes) => {
      const md5 = createHash('md5')
      const checkedBytes = hashing(exactBytes(bytes, sizeBytes), md5)
      // An empty object is complete as soon as it has a name, so its source is checked before.
      if (sizeBytes === 0) await drain(checkedBytes)
      const answer = await client.call({
        method: 'PUT',
        key: keyOf(name),
        headers: { 'Content-Type': ARTIFACT_TYPE },
        ...(sizeBytes > 0 && { body: { bytes: checkedBytes, sizeBytes } }),
      })
      if (answer.status !== 200) throw failureOf('PUT', answer)
      if (!isIntact(answer, md5.digest('hex'))) {
        await remove(name)
        throw new StorageUnavailableError({ cause: new Error('PUT stored other bytes than were sent') })
      }
    },
    stat: async (name) => {
      const answer = await client.call({ method: 'HEAD', key: keyOf(name) })
      if (answer.status === 404) return null
      return factsOf(answer)
    },
    open: async (name, range) => {
      const headers = range && { Range: `bytes=${range.start}-${range.end}` }
      const answer = await client.open(
        { method: 'GET', key: keyOf(name), ...(headers && { headers }) },
        range ? 206 : 200,
      )
      if (answer instanceof ReadableStream) return answer
      if (answer.status === 404 && codeOf(answer) !== 'NoSuchBucket') return null
      throw failureOf('GET', answer)
    },
    adopt: async (upload, artifact, version) => {
      const source = keyOf({ area: 'uploads', id: upload })
      const answer = await client.call({
        method: 'PUT',
        key: keyOf({ area: 'artifacts', id: artifact }),
        headers: {
          'X-Amz-Copy-Source': `/${bucket.bucket}/${source}`,
          'X-Amz-Copy-Source-If-Match': version,
          // Headers that the client gave its upload are not copied.
          'X-Amz-Metadata-Directive': 'REPLACE',
          'Content-Type': ARTIFACT_TYPE,
        },
        silenceMs: limits.copyMs,
      })
      if (isCopied(answer)) return
      const isGone = answer.status === 404 && codeOf(answer) !== 'NoSuchBucket'
      if (isGone || answer.status === 412 || codeOf(answer) === 'PreconditionFailed')
        throw new ObjectChangedError(upload)
      throw failureOf('a copy', answer)
    },
    uploadTarget: async (upload, { sizeBytes, mimeType, expiresAt }) => {
      const headers = { 'Content-Type': mimeType }
      const signedHeaders = { ...headers, 'Content-Length': String(sizeBytes) }
      const secondsLeft = expiresAt - Math.floor(now() / 1000)
      const seconds = Math.min(Math.max(secondsLeft, 1), LONGEST_LIFE_SECONDS)
      const url = await client.presignPut(keyOf({ area: 'uploads', id: upload }), signedHeaders, seconds)
      return { url, headers }
    },
    remove,
  }
}

async function drain(bytes: AsyncIterable<Uint8Array>): Promise<void> {
  for await (const chunk of bytes) if (chunk.length > 0) throw new Error('an object of 0 bytes came with others')
}

async function* hashing(bytes: AsyncIterable<Uint8Array>, hash: Hash): AsyncGenerator<Uint8Array> {
  for await (const chunk of bytes) {
    hash.update(chunk)
    yield chunk
  }
}

/**
 * Returns false if the entity tag shows that the stored bytes are damaged: it is an MD5 and differs from `md5`. Returns
 * true if the entity tag is not an MD5, as for an object that the storage server encrypts with a KMS key.
 */
function isIntact({ headers }: S3Answer, md5: string): boolean {
  const { etag = '' } = headers
  const isOwnKey = String(headers['x-amz-server-side-encryption'] ?? '').startsWith('aws:kms')
  return isOwnKey || !/^"[0-9a-f]{32}"$/.test(etag) || etag === `"${md5}"`
}

function factsOf(answer: S3Answer): ObjectFacts {
  const { 'content-length': length, etag } = answer.headers
  const sizeBytes = Number(length ?? Number.NaN)
  if (answer.status !== 200 || etag === undefined || !Number.isSafeInteger(sizeBytes)) throw failureOf('HEAD', answer)
  // Most entity tags are MD5, and two files with one MD5 take seconds to make.
  return { sizeBytes, version: etag, isVersionUnique: false }
}

/** Returns true if a copy succeeded. The status is not enough: a copy that fails late also has status 200. */
function isCopied({ status, text }: S3Answer): boolean {
  return status === 200 && text.includes('<CopyObjectResult')
}
