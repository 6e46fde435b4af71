import type { Hex } from 'viem'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { enforceRetention } from '../../../api/artifacts/enforce-retention.ts'
import { claimRefusedFiles, claimUnboundFiles } from '../../../api/artifacts/retention.queries.ts'
import type { ObjectStore } from '../../../api/artifacts/storage/object-store.ts'
import type { Deps } from '../../../api/deps.ts'
import { anActor } from '../../support/actors.ts'
import { startTestApi, type TestApi } from '../../support/api.ts'
import { oneChunk } from '../../support/artifact-bytes.ts'
import { type CapturedLog, captureLog } from '../../support/captured-log.ts'
import { START } from '../../support/rows/insert-row.ts'
import { anUpload, aStoredFile, bindFiles, clearFiles, listObjects, makeOlder } from './file-rows.ts'

const DAY = 86_400
const worker = anActor().address
let api: TestApi
let log: CapturedLog
let taskId: Hex

beforeAll(async () => {
  log = captureLog()
  api = await startTestApi({ LOG_LEVEL: 'info' }, log)
  taskId = (await api.seed.task({ requester: anActor().address })).id
})
afterAll(() => api?.stop())
beforeEach(async () => {
  await clearFiles(api)
  await indexUpTo(START + 10_000n * BigInt(DAY))
  log.clear()
})

const sweep = (deps: Deps = api.deps) => enforceRetention(deps, new AbortController().signal)
const rowsOf = async (table: 'uploads' | 'stored_files') =>
  (await api.sql<{ id: string }[]>`select id from ${api.sql(`service.${table}`)} order by id`).map(({ id }) => id)
const objects = async () => await listObjects(api.deps.config.ARTIFACT_DIR)
const isStored = async (area: 'uploads' | 'artifacts', id: string) => (await objects()).includes(`${area}/${id}`)

async function indexUpTo(blockTimestamp: bigint): Promise<void> {
  await api.sql`delete from indexed_head`
  await api.sql`insert into indexed_head ${api.sql({ blockNumber: 9n, blockTimestamp, checkpoint: '' })}`
}

async function upload(): Promise<string> {
  const id = await anUpload(api.sql, taskId, worker)
  await api.deps.storage.put({ area: 'uploads', id }, oneChunk(Buffer.from('abc')), 3)
  return id
}

/** A bound submission of one file, whose write then failed as said. */
async function failedSubmission({ watched, mined }: { watched: boolean; mined: boolean }) {
  const id = await aStoredFile(api.deps)
  const bound = await bindFiles(api.sql, { taskId, worker, ids: [id] })
  await api.sql`
    update service.intents set status = 'failed', watched = ${watched}, block_number = ${mined ? 5n : null}
    where id = ${bound.intentId}`
  return { id, ...bound }
}

describe('an upload', () => {
  it('given it was not submitted within a day, then its bytes go, and its row a day later', async () => {
    const [old, without] = [await upload(), await anUpload(api.sql, taskId, worker)]
    await makeOlder(api.sql, DAY + 1)
    const young = await upload()
    await sweep()
    expect(await objects()).toEqual([`uploads/${young}`])
    expect(await rowsOf('uploads')).toEqual([old, without, young].sort())

    await makeOlder(api.sql, DAY - 60)
    await sweep()
    expect(await rowsOf('uploads')).toHaveLength(3)
    await makeOlder(api.sql, 61)
    await sweep()
    expect(await rowsOf('uploads')).toEqual([young])
  })

  it('given it is submitted, then its bytes go at once, its row counts for a day, and the artifact stays', async () => {
    const [submitted, other] = [await upload(), await upload()]
    const id = await aStoredFile(api.deps)
    await bindFiles(api.sql, { taskId, worker, ids: [id], uploads: [submitted] })
    await sweep()
    expect(await objects()).toEqual([`artifacts/${id}`, `uploads/${other}`])
    expect(await rowsOf('uploads')).toEqual([submitted, other].sort())
    await makeOlder(api.sql, DAY + 1)
    await sweep()
    expect(await rowsOf('uploads')).toEqual([other])
    expect(await isStored('artifacts', id)).toBe(true)
  })

  it('given a write is about to bind it, then it is left alone', async () => {
    const id = await upload()
    await makeOlder(api.sql, DAY + 1)
    await api.sql.begin(async (tx) => {
      await tx`select from service.uploads where id = ${id} for update`
      await sweep()
    })
    expect(await isStored('uploads', id)).toBe(true)
    await sweep()
    expect(await isStored('uploads', id)).toBe(false)
  })
})

describe('a stored file', () => {
  it('given no write was bound with it within a day, then it goes', async () => {
    const old = await aStoredFile(api.deps)
    await makeOlder(api.sql, DAY + 1)
    const young = await aStoredFile(api.deps)
    await sweep()
    expect(await objects()).toEqual([`artifacts/${young}`])
    await makeOlder(api.sql, DAY - 60)
    await sweep()
    expect(await rowsOf('stored_files')).toEqual([old, young].sort())
    await makeOlder(api.sql, 61)
    await sweep()
    expect(await rowsOf('stored_files')).toEqual([young])
  })

  it('given it is taken, then no write binds it; given it is bound, then it is not taken', async () => {
    const [taken, bound] = [await aStoredFile(api.deps), await aStoredFile(api.deps)]
    await bindFiles(api.sql, { taskId, worker, ids: [bound] })
    await makeOlder(api.sql, DAY + 1)
    await sweep()
    await expect(bindFiles(api.sql, { taskId, worker, ids: [taken] })).rejects.toThrow(/not in storage any more/)
    expect(await objects()).toEqual([`artifacts/${bound}`])
    expect(await claimRefusedFiles(api.sql, [bound])).toEqual([])
  })

  it('given it is taken while its write waits to bind it, then the write is not bound', async () => {
    const id = await aStoredFile(api.deps)
    await makeOlder(api.sql, DAY + 1)
    let binding: Promise<unknown> | undefined
    await api.sql.begin(async (tx) => {
      await claimUnboundFiles(tx, { retentionSeconds: DAY, limit: 10 })
      binding = bindFiles(api.sql, { taskId, worker, ids: [id] })
      binding.catch(() => {})
      const waiting = async () => (await tx`select from pg_locks where not granted`).length
      await expect.poll(waiting, { interval: 5 }).toBe(1)
    })
    await expect(binding).rejects.toThrow(/not in storage any more/)
  })

  it.each([
    { given: 'was decided by a safe block', watched: false, mined: true },
    { given: 'was never mined', watched: true, mined: false },
  ])('given its write failed a day ago and $given, then it goes with what is said of it', async (how) => {
    const { id } = await failedSubmission(how)
    await makeOlder(api.sql, DAY - 60)
    await sweep()
    expect(await isStored('artifacts', id)).toBe(true)
    await makeOlder(api.sql, 61)
    await sweep()
    expect(await objects()).toEqual([])
    expect(await api.sql`select from service.artifacts`).toHaveLength(0)
    await makeOlder(api.sql, DAY + 1)
    await sweep()
    expect(await rowsOf('stored_files')).toEqual([])
  })

  it('given a reorg could still revive its write, then it stays', async () => {
    const { id } = await failedSubmission({ watched: true, mined: true })
    await makeOlder(api.sql, 3 * DAY)
    await sweep()
    expect(await isStored('artifacts', id)).toBe(true)
  })

  it('given the read model has not seen a day of the chain after the failure, then it stays', async () => {
    const { id } = await failedSubmission({ watched: true, mined: false })
    await makeOlder(api.sql, 3 * DAY)
    await indexUpTo(BigInt(Math.floor(Date.now() / 1000)) - BigInt(2 * DAY + 600))
    await sweep()
    expect(await isStored('artifacts', id)).toBe(true)
  })

  it('given its write failed and its hash was committed by a direct call, then it stays', async () => {
    const { id, deliverable } = await failedSubmission({ watched: false, mined: true })
    const submission = await api.seed.submission(taskId, worker, { files: null })
    await api.sql`update submission set deliverable = ${deliverable} where id = ${submission.id}`
    await makeOlder(api.sql, 3 * DAY)
    await sweep()
    expect(await isStored('artifacts', id)).toBe(true)
    expect(await api.sql`select from service.artifacts where id = ${id}`).toHaveLength(1)
  })
})

describe('a sweep that meets trouble', () => {
  const failing = (isBroken: (id: string) => boolean): Deps => {
    const { storage } = api.deps
    const remove: ObjectStore['remove'] = async (name) => {
      if (isBroken(name.id)) throw new Error('the storage is away')
      await storage.remove(name)
    }
    return { ...api.deps, storage: { ...storage, remove } }
  }

  it('given one file cannot be removed, then the others are, and it is at the next sweep', async () => {
    const ids = await Promise.all(Array.from({ length: 5 }, upload))
    const [broken = ''] = ids.sort()
    await makeOlder(api.sql, DAY + 1)
    await sweep(failing((id) => id === broken))
    expect(await objects()).toEqual([`uploads/${broken}`])
    expect(log.lines('file deletion failed')).toMatchObject([{ area: 'uploads', count: 1 }])
    await sweep()
    expect(await objects()).toEqual([])
  })

  it('given more than a batch of them cannot be removed, then what comes after them is', async () => {
    const ids = (await Promise.all(Array.from({ length: 250 }, () => anUpload(api.sql, taskId, worker)))).sort()
    const last = ids.at(-1) ?? ''
    await makeOlder(api.sql, DAY + 1)
    await sweep(failing((id) => id !== last))
    const emptied = await api.sql`select id from service.uploads where emptied_at is not null`
    expect(emptied).toEqual([{ id: last }])
  })

  it('given the read model is away, then everything else is swept', async () => {
    const id = await upload()
    await makeOlder(api.sql, DAY + 1)
    await api.sql`alter table market.indexed_head rename to gone`
    try {
      await sweep()
    } finally {
      await api.sql`alter table market.gone rename to indexed_head`
    }
    expect(await isStored('uploads', id)).toBe(false)
    expect(log.lines('file retention scan failed')).toHaveLength(1)
  })

  it('given it is to stop, then it takes nothing', async () => {
    await upload()
    await makeOlder(api.sql, DAY + 1)
    await enforceRetention(api.deps, AbortSignal.abort())
    expect(await api.sql`select from service.uploads where swept_at is not null`).toHaveLength(0)
  })
})
