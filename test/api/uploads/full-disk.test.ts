import { mkdtemp, readdir, rm, symlink } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { anActor } from '../../support/actors.ts'
import { startTestApi, type TestApi } from '../../support/api.ts'
import { aSubmissionBody, aTextFile } from '../../support/conformance-fixtures.ts'
import { aSignedUpload } from '../../support/signed-upload.ts'
import { limitFileSizes, mountSmallDisk, type SmallDisk } from '../storage/small-disk.ts'
import { agreeToEverything } from '../writes/fake-payments.ts'

const KB = 1024

/** A way to be out of room: what makes it so, and what ends it. */
interface Shortage {
  name: string
  directory: string
  /** Where bodies wait, unless beside the files. */
  spool?: string
  begin(): Promise<() => Promise<void>>
}

const disk = await mountSmallDisk({ sizeBytes: 2 * KB * KB })
afterAll(() => disk?.stop())
const directory = await mkdtemp(join(tmpdir(), 'task-market-no-room-'))
afterAll(() => rm(directory, { recursive: true }))

const shortages: Shortage[] = [
  { name: 'files that cannot grow', directory, begin: () => limitFileSizes(100 * KB) },
  // Where this user may mount one.
  ...(disk === null
    ? []
    : [
        { name: 'a full disk', ...whenFull(disk) },
        { name: 'a full disk, and room elsewhere for bodies', ...whenFull(disk), spool: directory },
      ]),
]

function whenFull(full: SmallDisk): Pick<Shortage, 'directory' | 'begin'> {
  return {
    directory: full.directory,
    begin: async () => {
      await full.fill()
      return full.empty
    },
  }
}

describe.each(shortages)('given $name', ({ directory: folder, spool, begin }) => {
  let api: TestApi
  beforeAll(async () => {
    if (spool !== undefined) await symlink(spool, join(folder, 'spool'))
    api = await startTestApi({ ARTIFACT_DIR: folder, WRITE_ANSWER_MS: '100' })
    agreeToEverything(api)
  })
  afterAll(async () => {
    await api.stop()
    // The next one has the same disk.
    for (const entry of await readdir(folder)) await rm(join(folder, entry), { recursive: true })
  })

  const during = async <Result>(work: () => Promise<Result>): Promise<Result> => {
    const end = await begin()
    try {
      return await work()
    } finally {
      await end()
    }
  }

  const files = async () => {
    const entries = await readdir(folder, { recursive: true, withFileTypes: true })
    return entries.filter((entry) => entry.isFile()).map(({ name }) => name)
  }

  test('then an upload is 507 with a sentence and leaves nothing, and its URL works once there is room', async () => {
    const { id, target } = await aSignedUpload(api.deps, { sizeBytes: 400 * KB })
    const put = async () => await api.app.request(target, { method: 'PUT', body: Buffer.alloc(400 * KB) })
    const refused = await during(put)
    expect(refused.status).toBe(507)
    expect(await refused.json()).toEqual({
      error: 'The service has no room to store files now; try again later.',
      code: 'INSUFFICIENT_STORAGE',
      service: {
        reason: 'unclassified',
        detail: 'storage_full',
        docs: expect.stringMatching(/\/docs\/errors\/storage_full$/),
      },
    })
    expect(await files()).toEqual([])
    expect(await api.sql`select id, intent_id, version from service.uploads`).toEqual([
      { id, intentId: null, version: null },
    ])
    expect((await put()).status).toBe(200)
    expect(await files()).toEqual([id])
    await api.deps.storage.remove({ area: 'uploads', id })
  })

  test('then a submission is 507, holds the worker to nothing, and its key works once there is room', async () => {
    const alice = anActor()
    const { id: taskId } = await api.seed.task({ requester: anActor().address })
    const body = await aSubmissionBody(alice, taskId, [aTextFile('small'), aTextFile('x'.repeat(400 * KB))])
    const headers = { 'X-Service-Idempotency-Key': crypto.randomUUID() }
    const submit = () => api.post(`/api/tasks/${taskId}/submissions`, body, headers)
    const statuses = () => api.sql`select status from service.intents where operation = 'submissions.create'`
    const refused = await during(submit)
    expect([refused.status, refused.body.code]).toEqual([507, 'INSUFFICIENT_STORAGE'])
    expect(refused.body.service).toEqual({
      reason: 'unclassified',
      detail: 'storage_full',
      docs: expect.stringMatching(/\/docs\/errors\/storage_full$/),
    })
    expect(await files()).toEqual([])
    const rows = await api.sql`select intent_id, emptied_at is not null as is_empty from service.stored_files`
    // A body that finds no room to wait never gets as far as its key or files.
    expect(rows).toEqual(spool === undefined ? [] : Array(2).fill({ intentId: null, isEmpty: true }))
    expect(await statuses()).toEqual(spool === undefined ? [] : [{ status: 'reserved' }])
    expect(await api.sql`select deliverable from service.submission_content`).toEqual([])

    // No relay runs here: a write that is bound waits.
    const repeated = await submit()
    expect([repeated.status, repeated.body.service.reason]).toEqual([409, 'intent_in_flight'])
    expect(await files()).toHaveLength(2)
    expect(await api.sql`select id from service.stored_files where intent_id is not null`).toHaveLength(2)
    expect(await statuses()).toEqual([{ status: 'recorded' }])
  })
})
