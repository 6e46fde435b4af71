import { randomUUID } from 'node:crypto'
import fc from 'fast-check'
import type { Hex } from 'viem'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { enforceRetention } from '../../../api/artifacts/enforce-retention.ts'
import { claimRefusedFiles, recordDeleted } from '../../../api/artifacts/retention.queries.ts'
import { ObjectChangedError } from '../../../api/artifacts/storage/object-store.ts'
import { insertStoredFiles } from '../../../api/artifacts/stored-files.queries.ts'
import type { Deps } from '../../../api/deps.ts'
import type { Failpoint } from '../../../api/failpoint.ts'
import { anActor } from '../../support/actors.ts'
import { startTestApi, type TestApi } from '../../support/api.ts'
import { oneChunk } from '../../support/artifact-bytes.ts'
import { byDepth } from '../../support/depth.ts'
import { START } from '../../support/rows/insert-row.ts'
import { anUpload, bindFiles, clearFiles, listObjects, makeOlder } from './file-rows.ts'

const DAY = 86_400
const worker = anActor().address
let api: TestApi
let taskId: Hex

beforeAll(async () => {
  api = await startTestApi()
  taskId = (await api.seed.task({ requester: anActor().address })).id
  const blockTimestamp = START + 100_000n * BigInt(DAY)
  await api.sql`insert into indexed_head ${api.sql({ blockNumber: 9n, blockTimestamp, checkpoint: '' })}`
})
afterAll(() => api?.stop())

/** A submission on its way: the upload it is made from, its artifact, and what became of it. */
interface Submission {
  upload: string
  artifact: string
  bound: { intentId: string; deliverable: Hex } | null
}

/** What is done, and to which upload or submission (a number, modulo how many there are). */
type Step =
  | { do: 'ask' | 'passTime' | 'sweep' }
  | { do: 'put' | 'note' | 'bind' | 'discard' | 'failSafely' | 'failUnmined' | 'complete' | 'commitAlone'; at: number }
  | { do: 'adopt'; at: number }
  | { do: 'sweepUntil'; point: Failpoint; breaks: number }

const at = fc.nat({ max: 1 })
const step: fc.Arbitrary<Step> = fc.oneof(
  { weight: 3, arbitrary: fc.record({ do: fc.constantFrom('ask', 'passTime', 'sweep') }) },
  {
    weight: 8,
    arbitrary: fc.record({
      do: fc.constantFrom(
        'put',
        'note',
        'adopt',
        'bind',
        'discard',
        'failSafely',
        'failUnmined',
        'complete',
        'commitAlone',
      ),
      at,
    }),
  },
  {
    weight: 4,
    arbitrary: fc.record({
      do: fc.constant('sweepUntil' as const),
      point: fc.constantFrom<Failpoint>('after-take', 'after-empty', 'before-forget', 'after-answer'),
      breaks: fc.nat({ max: 3 }),
    }),
  },
)

/** So that most histories have something to go on with. */
const begun: readonly Step[] = [{ do: 'ask' }, { do: 'put', at: 0 }, { do: 'note', at: 0 }, { do: 'adopt', at: 0 }]

class Killed extends Error {}

/** A sweep whose process is killed at a point, and of whose removals every so manieth fails. */
function faulty(point: Failpoint, breaks: number): Deps {
  let count = 0
  const { storage } = api.deps
  return {
    ...api.deps,
    storage: {
      ...storage,
      remove: async (name) => {
        count += 1
        if (breaks > 0 && count % breaks === 0) throw new Error('the storage is away')
        await storage.remove(name)
      },
    },
    reach: (reached) => {
      if (reached === point) throw new Killed()
    },
  }
}

const never = new AbortController().signal

/** One history of uploads and submissions, kept in lists; every step is what one process does at once, or a crash. */
class History {
  readonly uploads: string[] = []
  readonly submissions: Submission[] = []

  async take(step: Step): Promise<void> {
    const { sql, deps } = api
    const { storage } = deps
    switch (step.do) {
      case 'ask':
        this.uploads.push(await anUpload(sql, taskId, worker))
        return
      case 'passTime':
        return await makeOlder(sql, DAY + 1)
      case 'sweep':
        await enforceRetention(deps, never)
        return
      case 'sweepUntil':
        await enforceRetention(faulty(step.point, step.breaks), never).catch((error) => {
          if (!(error instanceof Killed)) throw error
        })
        return
      case 'put': {
        // Any holder of the URL may PUT as long as the row is there, however late it is.
        const id = pick(this.uploads, step.at)
        const rows = id === null ? [] : await sql`select from service.uploads where id = ${id}`
        if (id === null || rows.length === 0 || (await storage.stat({ area: 'uploads', id })) !== null) return
        return await storage.put({ area: 'uploads', id }, oneChunk(Buffer.from('abc')), 3)
      }
      case 'note': {
        const upload = pick(this.uploads, step.at)
        if (upload === null) return
        const artifact = randomUUID()
        await insertStoredFiles(sql, [artifact])
        this.submissions.push({ upload, artifact, bound: null })
        return
      }
      default:
        return await this.goOn(step.do, pick(this.submissions, step.at))
    }
  }

  private async goOn(what: Step['do'], submission: Submission | null): Promise<void> {
    const { sql, deps } = api
    if (submission === null) return
    const { upload, artifact, bound } = submission
    switch (what) {
      case 'adopt': {
        const isNoted = (await sql`select from service.stored_files where id = ${artifact}`).length > 0
        if (bound !== null || !isNoted || (await deps.storage.stat({ area: 'artifacts', id: artifact })) !== null)
          return
        await deps.storage.adopt(upload, artifact, 'only').catch((error) => {
          if (!(error instanceof ObjectChangedError)) throw error
        })
        return
      }
      case 'bind': {
        // A process binds what it has stored, and never once it has taken it back.
        if (bound !== null || (await deps.storage.stat({ area: 'artifacts', id: artifact })) === null) return
        try {
          submission.bound = await bindFiles(sql, { taskId, worker, ids: [artifact], uploads: [upload] })
        } catch (error) {
          // Its upload or its copy was swept meanwhile, or another submission was faster.
          if (!/not in storage any more|an upload of this write is gone/.test(String(error))) throw error
        }
        return
      }
      case 'discard': {
        const taken = await claimRefusedFiles(sql, [artifact])
        await Promise.all(taken.map((id) => deps.storage.remove({ area: 'artifacts', id })))
        return await recordDeleted(sql, 'artifacts', taken)
      }
      case 'failSafely':
      case 'failUnmined': {
        const block = what === 'failSafely' ? 5n : null
        await sql`
          update service.intents set status = 'failed', watched = ${block === null}, block_number = ${block}
          where id = ${bound?.intentId ?? null} and status = 'recorded'`
        return
      }
      case 'complete':
      case 'commitAlone': {
        if (bound === null) return
        const from = what === 'complete' ? 'recorded' : 'failed'
        const changed = await sql`
          update service.intents set status = ${what === 'complete' ? 'completed' : 'failed'}
          where id = ${bound.intentId} and status = ${from} returning id`
        if (changed.length === 0) return
        const { id } = await api.seed.submission(taskId, worker, { files: null })
        await sql`update submission set deliverable = ${bound.deliverable} where id = ${id}`
      }
    }
  }
}

function pick<Item>(items: readonly Item[], at: number): Item | null {
  return items[at % Math.max(items.length, 1)] ?? null
}

async function expectNothingOrphaned(): Promise<void> {
  const rows = await api.sql<{ name: string }[]>`
    select 'uploads/' || id as name from service.uploads union all
    select 'artifacts/' || id from service.stored_files`
  const known = new Set(rows.map(({ name }) => name))
  const objects = await listObjects(api.deps.config.ARTIFACT_DIR)
  expect(objects.filter((name) => !known.has(name))).toEqual([])
  const told = await api.sql<{ name: string }[]>`select 'artifacts/' || id as name from service.artifacts`
  expect(told.map(({ name }) => name).filter((name) => !objects.includes(name))).toEqual([])
}

/** A day after the last step, and another one after that, exactly what can still be requested is there. */
async function expectOnlyWhatIsNeeded(): Promise<void> {
  for (let day = 0; day < 3; day += 1) {
    await makeOlder(api.sql, DAY + 1)
    await enforceRetention(api.deps, never)
    await expectNothingOrphaned()
  }
  const needed = await api.sql<{ name: string }[]>`
    select 'artifacts/' || f.id as name
    from service.stored_files f join service.intents i on i.id = f.intent_id
    where i.status <> 'failed' or f.id in (
      select a.id from service.artifacts a join submission s using (task_id, worker, deliverable))
    order by 1`
  expect(await listObjects(api.deps.config.ARTIFACT_DIR)).toEqual(needed.map(({ name }) => name))
  expect(await api.sql`select from service.uploads`).toHaveLength(0)
  expect(await api.sql`select from service.stored_files`).toHaveLength(needed.length)
}

it('given any history of uploads, submissions, sweeps and crashes, then no bytes are without a row and no file of a write is without bytes', async () => {
  await fc.assert(
    fc
      .asyncProperty(fc.array(step, { minLength: 5, maxLength: 30 }), async (steps) => {
        const history = new History()
        for (const taken of [...begun, ...steps]) {
          await history.take(taken)
          await expectNothingOrphaned()
        }
        await expectOnlyWhatIsNeeded()
      })
      .beforeEach(async () => {
        await clearFiles(api)
        await api.sql`truncate submission`
      }),
    { numRuns: byDepth(10, 40) },
  )
})
