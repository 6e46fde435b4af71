import { randomUUID } from 'node:crypto'
import type { Logger } from 'pino'
import { ObjectChangedError, type ObjectStore, StorageFullError, StorageUnavailableError } from './object-store.ts'
import type { OpenedStorage } from './open-storage.ts'

const SAMPLE = Buffer.from('written by the service as it starts, to see that it can')

/**
 * Checks the storage at startup: it stores, copies, reads and deletes a small object. It also checks that the storage
 * refuses to copy an object whose version is not the expected one. If the storage is full or unreachable, the function
 * only logs the error.
 * @throws Error with the failed step and the settings to check
 */
export async function checkStorage(
  { objects, tidy, description, settings }: OpenedStorage,
  log: Pick<Logger, 'info' | 'error'>,
): Promise<void> {
  const id = randomUUID()
  let step = 'stored'
  try {
    // Leftovers go first, because they may be what fills the storage.
    const removedCount = await tidy()
    if (removedCount > 0) log.info({ removed: removedCount }, 'incomplete files removed')
    await objects.put({ area: 'uploads', id }, inOneChunk(), SAMPLE.length)
    step = 'looked up'
    const facts = await objects.stat({ area: 'uploads', id })
    if (facts?.sizeBytes !== SAMPLE.length) throw new Error('it has another size than was stored')
    // Without the right to list, S3 answers 403 for a missing object.
    step = 'told from one that is not there (s3:ListBucket)'
    if ((await objects.stat({ area: 'artifacts', id })) !== null) throw new Error('it is there before it was stored')
    step = 'copied only as it was looked at (x-amz-copy-source-if-match)'
    await expectRefusal(objects, id)
    step = 'copied'
    await objects.adopt(id, id, facts.version)
    step = 'read back'
    const bytes = await new Response(await objects.open({ area: 'artifacts', id })).arrayBuffer()
    if (!SAMPLE.equals(Buffer.from(bytes))) throw new Error('it has other bytes than were stored')
    step = 'removed'
    await removeSample(objects, id)
  } catch (error) {
    await removeSample(objects, id).catch(() => {})
    if (isPassing(error)) {
      log.error({ err: error, storage: description }, 'storage check failed')
      return
    }
    const reason = innermostOf(error).message
    throw new Error(`In ${description} a file cannot be ${step}: ${reason}. Look at ${settings}.`, { cause: error })
  }
}

async function expectRefusal(objects: ObjectStore, id: string): Promise<void> {
  try {
    await objects.adopt(id, id, '"00000000000000000000000000000000"')
  } catch (error) {
    if (error instanceof ObjectChangedError) return
    throw error
  }
  throw new Error('a copy of another version was made')
}

async function removeSample(objects: ObjectStore, id: string): Promise<void> {
  await objects.remove({ area: 'artifacts', id })
  await objects.remove({ area: 'uploads', id })
}

async function* inOneChunk(): AsyncGenerator<Uint8Array> {
  yield SAMPLE
}

function isPassing(error: unknown): boolean {
  if (error instanceof StorageFullError) return true
  return error instanceof StorageUnavailableError && !error.isRefusal
}

/** Returns the innermost cause of an error. The message of this cause names the file or the storage server's answer. */
function innermostOf(error: unknown): Error {
  const here = error instanceof Error ? error : new Error(String(error))
  return here.cause instanceof Error ? innermostOf(here.cause) : here
}
