import { afterAll, beforeAll, beforeEach, describe, expect, it, test } from 'vitest'
import { ChainUnavailable } from '../../../api/chain/chain.ts'
import { anActor } from '../../support/actors.ts'
import { startTestApi, type TestApi } from '../../support/api.ts'
import { START } from '../../support/rows/insert-row.ts'
import type { TaskColumns } from '../../support/rows/task-rows.ts'
import {
  openAudit,
  type ScriptedContracts,
  scriptContracts,
  scriptTask,
  viewKey,
} from '../../support/scripted-books.ts'
import { indexUpTo } from '../observability/operator-api.ts'

let api: TestApi
let script: ScriptedContracts
let audit: ReturnType<typeof openAudit>
let task: TaskColumns

beforeAll(async () => {
  api = await startTestApi()
})
afterAll(() => api.stop())
beforeEach(async () => {
  await api.sql`truncate idx_0000000000000000.task`
  await api.sql`update service.audits set state = null, compared_at = null, due_at = now()`
  script = scriptContracts(api.chain)
  audit = openAudit(api, script)
  await indexUpTo(api, 100n, START)
  task = await aTask()
})

/** A bounty that the market has too. */
async function aTask(columns: Partial<TaskColumns> = {}): Promise<TaskColumns> {
  const row = await api.seed.task({ requester: anActor().address, ...columns })
  await scriptTask(api, script, row)
  return row
}

describe('a page of tasks', () => {
  it('given rows that agree with the contract, then nothing differs', async () => {
    const { differences, tasks } = await audit.tasks(2)
    expect(differences).toEqual([])
    expect(tasks).toMatchObject({ block: '100', unread: { tasks: 0 } })
  })

  test.each<[string, string[]]>([
    ["escrow = 1, status = 'claimed'", ['escrow', 'status']],
    ["mode = 'claim'", ['mode', 'taskTermsHash']],
    ["mode = 'nonsense', auction_type = 'nonsense'", ['auctionType', 'mode']],
    ['expiry_time = expiry_time + 1', ['expiryTime', 'taskTermsHash']],
    ['submission_count = 1', ['submissionCount']],
    ['lowest_bid = 5', ['lowestBid']],
    ['evaluator = requester', ['hasEvaluator']],
    ["hook_set = '0x11'", ['hookSet']],
    ['appeal_deadline = 7', ['phaseDeadline']],
    ['tag_hashes = array[content_hash]', ['tagsHash', 'taskTermsHash']],
  ])('given a row with %s, then the second round names the task and its fields', async (change, fields) => {
    const other = await aTask()
    await api.sql.unsafe(`update task set ${change} where id = '${task.id}'`)
    expect((await audit.tasks()).differences).toEqual([])
    const { differences } = await audit.tasks()
    expect(differences.map(({ sum, of, fields: found }) => [sum, of, found?.toSorted()])).toEqual([
      ['tasks', task.id, fields],
    ])
    expect(differences.map(({ of }) => of)).not.toContain(other.id)
  })

  it('given an entry that the market does not have, then its task differs', async () => {
    await api.seed.submission(task.id, anActor().address)
    await audit.tasks()
    const { differences } = await audit.tasks()
    expect(differences).toEqual([
      {
        sum: 'tasks',
        of: task.id,
        amount: '4',
        fields: ['submissionCount', 'activeSubmissions', 'submissionRows', 'activeSubmissionRows'],
      },
    ])
  })

  it('given a view that reverts, then the task is unread', async () => {
    script.views.delete(viewKey(api.deps.deployment.market, 'evaluationOf', task.id))
    await api.sql`update task set escrow = 1`
    expect(await audit.tasks(2)).toMatchObject({ differences: [], tasks: { unread: { tasks: 1 } } })
  })

  it('given a difference whose view reverts then, then it stays told', async () => {
    await api.sql`update task set escrow = 1`
    const { differences } = await audit.tasks(2)
    script.views.delete(viewKey(api.deps.deployment.market, 'evaluationOf', task.id))
    await api.sql`update task set escrow = ${task.escrow}`
    expect((await audit.tasks(2)).differences).toEqual(differences)
  })

  it('given a block that the node does not have, then nothing is compared', async () => {
    script.refusal = new ChainUnavailable('header not found')
    await api.sql`update task set escrow = 1`
    expect(await audit.tasks(3)).toMatchObject({ differences: [], tasks: null })
  })
})

describe('a rotation', () => {
  it('given more running tasks than a page, then each is read once, at most 50 in a call, and its time is told', async () => {
    for (let made = 0; made < 78; made += 1) await aTask(made % 3 === 0 ? { status: 'completed' } : {})
    let now = 1_000_000
    const clock = () => {
      now += 1_000
      return now
    }
    const { tasks } = await audit.tasks(3, clock)
    expect([tasks?.cursor, tasks?.rotationSeconds]).toEqual([null, expect.any(Number)])
    for (const { calls } of script.reads) expect(calls).toBeLessThanOrEqual(50 * 6)
    // 53 run; all of both pages together with what ended.
    expect(script.reads.reduce((sum, { calls }) => sum + calls, 0)).toBeGreaterThanOrEqual(53 * 6)
  })

  it('given a rotation that is over, then the next begins a minute after it began', async () => {
    await audit.tasks(2, () => 1_000_000)
    const before = script.reads.length
    await audit.tasks(1, () => 1_059_999)
    expect(script.reads.length).toBe(before)
    await audit.tasks(1, () => 1_060_000)
    expect(script.reads.length).toBe(before + 1)
  })
})
