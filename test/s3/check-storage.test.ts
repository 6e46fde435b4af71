import { AwsV4Signer } from 'aws4fetch'
import { pino } from 'pino'
import { expect, inject, test } from 'vitest'
import { checkStorage } from '../../api/artifacts/storage/check-storage.ts'
import { openStorage, type StorageConfig } from '../../api/artifacts/storage/open-storage.ts'
import { createS3Store } from '../../api/artifacts/storage/s3.ts'
import { createSignedUrls } from '../../api/artifacts/storage/signed-urls.ts'
import { SMALL_BUCKET_BYTES } from '../support/swift/start-swift.ts'

const log = pino({ level: 'silent' })

const { bucket, smallBucket } = inject('swift')
const links = createSignedUrls({ secret: 'a secret', publicBaseUrl: 'http://here' })

function opened(changed: Partial<StorageConfig> = {}) {
  const config: StorageConfig = {
    STORAGE: 's3',
    ARTIFACT_DIR: 'not used',
    STORAGE_RESERVE_BYTES: 0,
    S3_ENDPOINT: bucket.endpoint,
    S3_REGION: bucket.region,
    S3_BUCKET: bucket.bucket,
    S3_ACCESS_KEY_ID: bucket.accessKeyId,
    S3_SECRET_ACCESS_KEY: bucket.secretAccessKey,
    S3_PREFIX: 'checked/',
  }
  return openStorage({ ...config, ...changed }, links)
}

test('given a usable bucket, then the check passes and leaves no object in it', async () => {
  await checkStorage(opened(), log)
  await opened().probe()
  const url = `${bucket.endpoint}/${bucket.bucket}?list-type=2&prefix=checked/`
  const signed = await new AwsV4Signer({ method: 'GET', url, service: 's3', ...bucket }).sign()
  const listing = await (await fetch(signed.url, { headers: signed.headers })).text()
  expect(listing).toContain('<KeyCount>0</KeyCount>')
})

test.each<{ given: string; changed: Partial<StorageConfig>; reason: string }>([
  {
    given: 'a wrong secret',
    changed: { S3_SECRET_ACCESS_KEY: 'wrong' },
    reason: 'PUT was answered 403 SignatureDoesNotMatch',
  },
  {
    given: 'an unknown key',
    changed: { S3_ACCESS_KEY_ID: 'market:unknown' },
    reason: 'PUT was answered 403 SignatureDoesNotMatch',
  },
  {
    given: 'another region',
    changed: { S3_REGION: 'us-east-1' },
    reason: 'PUT was answered 400 AuthorizationHeaderMalformed',
  },
  { given: 'no such bucket', changed: { S3_BUCKET: 'nowhere' }, reason: 'PUT was answered 404 NoSuchBucket' },
])('given $given, then the check fails with the cause and the settings to check', async ({ changed, reason }) => {
  const storage = opened(changed)
  const { S3_BUCKET = bucket.bucket } = changed
  await expect(checkStorage(storage, log)).rejects.toThrow(
    `In the bucket ${S3_BUCKET} at ${bucket.endpoint} a file cannot be stored: ${reason}. ` +
      'Look at the settings that begin with S3_, and what the key may do in the bucket.',
  )
  if (S3_BUCKET === bucket.bucket) await expect(storage.probe()).rejects.toThrow('artifact storage is not available')
})

test('given no server at the endpoint, then the service starts, and its readiness names the storage', async () => {
  const storage = opened({ S3_ENDPOINT: 'http://127.0.0.1:1' })
  await checkStorage(storage, log)
  await expect(storage.probe()).rejects.toThrow('artifact storage is not available')
})

test('given a full bucket, then the service starts', async () => {
  const store = createS3Store(smallBucket)
  const name = { area: 'artifacts', id: crypto.randomUUID() } as const
  const fill = async function* () {
    yield Buffer.alloc(SMALL_BUCKET_BYTES)
  }
  await store.put(name, fill(), SMALL_BUCKET_BYTES)
  const lines: string[] = []
  await checkStorage(opened({ S3_BUCKET: smallBucket.bucket }), pino({}, { write: (line) => lines.push(line) }))
  expect(lines.join('')).toContain('PUT was answered 400 EntityTooLarge')
  await store.remove(name)
})
