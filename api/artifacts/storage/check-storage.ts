import { randomUUID } from 'node:crypto'
import type { Logger } from 'pino'
import { ObjectChangedError, type ObjectStore, StorageFullError, StorageUnavailableError } from './object-store.ts'
import type { OpenedStorage } from './open-storage.ts'

const SAMPLE = Buffer.from('written by the service as it starts, to see that it can')

/**
 * Does with a small object what the service does with files: stores, adopts, reads, removes. Among it what a service
 * that implements S3 may leave out: that a copy is refused when the upload is not of the version that was read.
 * A storage that is full or away for now is told to the log and no more: everything but taking files works.
 * @throws Error whose message says what was tried and which settings to look at
 */
export async function checkStorage(
  { objects, tidy, description, settings }: OpenedStorage,
  log: Pick<Logger, 'info' | 'error'>,
): Promise<void> {
  const id = randomUUID()
  let step = 'stored'
  try {
    // First: in a full storage they may be what fills it.
    const removed = await tidy()
    if (removed > 0) log.info({ removed }, 'files that never arrived whole were removed')
    await objects.put({ area: 'uploads', id }, inOneChunk(), SAMPLE.length)
    step = 'looked up'
    const facts = await objects.stat({ area: 'uploads', id })
    if (facts?.sizeBytes !== SAMPLE.length) throw new Error('it has another size than was stored')
    // Without the right to list, S3 says of what is not there that it is forbidden.
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
      log.error({ err: error, storage: description }, 'no files can be taken now; everything else works')
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

/** The one that says which file or answer it was. */
function innermostOf(error: unknown): Error {
  const here = error instanceof Error ? error : new Error(String(error))
  return here.cause instanceof Error ? innermostOf(here.cause) : here
}
