import { expect, inject, test } from 'vitest'
import { StorageFullError, StorageUnavailableError } from '../../api/artifacts/storage/object-store.ts'
import { createS3Store } from '../../api/artifacts/storage/s3.ts'
import { anArtifact, anUpload, inChunks, putText, versionOf } from '../support/object-store-contract.ts'
import { SMALL_BUCKET_BYTES } from '../support/swift/start-swift.ts'

const { bucket, smallBucket } = inject('swift')
const store = createS3Store(smallBucket)

test('given a full bucket, then an object or a copy is refused for that reason, and nothing is stored', async () => {
  const large = anArtifact()
  const bytes = Buffer.alloc(SMALL_BUCKET_BYTES + 1)
  await expect(store.put(large, inChunks(bytes), bytes.length)).rejects.toThrow(StorageFullError)
  expect(await store.stat(large)).toBeNull()

  const upload = anUpload()
  await putText(store, upload, 'x'.repeat(60_000))
  const copy = anArtifact()
  await expect(store.adopt(upload.id, copy.id, await versionOf(store, upload))).rejects.toThrow(StorageFullError)
  expect(await store.stat(copy)).toBeNull()
  await store.remove(upload)
  await putText(store, copy, 'x'.repeat(60_000))
  await store.remove(copy)
})

test('given a missing bucket, then the storage is unavailable rather than the object absent', async () => {
  const nowhere = createS3Store({ ...bucket, bucket: 'nowhere' })
  await expect(nowhere.open(anArtifact())).rejects.toThrow(StorageUnavailableError)
  await expect(putText(nowhere, anArtifact(), 'x')).rejects.toThrow(StorageUnavailableError)
  await expect(nowhere.adopt(anUpload().id, anArtifact().id, '"0"')).rejects.toThrow(StorageUnavailableError)
})
