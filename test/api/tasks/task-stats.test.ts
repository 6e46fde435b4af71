import fc from 'fast-check'
import { expect, test, vi } from 'vitest'
import { byDepth } from '../../support/depth.ts'
import { aStartedApi } from '../writes/started-api.ts'
import { aCreation, anEmptyChain, anUpdate, aReorg, someBlocks } from './played-chain.ts'

vi.setConfig({ testTimeout: 180_000 })

const api = aStartedApi()

const step = fc.oneof(
  { weight: 4, arbitrary: aCreation },
  { weight: 4, arbitrary: anUpdate },
  { weight: 3, arbitrary: someBlocks },
  { weight: 1, arbitrary: aReorg },
  { weight: 3, arbitrary: fc.constant({ kind: 'read' as const }) },
)

test('whatever is created, updated and undone, the stats are what a count of all tasks finds', async () => {
  let stored = 0
  await fc.assert(
    fc.asyncProperty(fc.array(step, { minLength: 20, maxLength: 60 }), async (steps) => {
      const chain = await anEmptyChain(api)
      for (const each of [...steps, { kind: 'read' } as const]) {
        if (each.kind !== 'read') await chain.play(each)
        if (each.kind === 'read') {
          const { body } = await api.get('/api/tasks/stats')
          expect(body).toEqual(await countAll())
          // Again: the first may have moved what is stored.
          expect((await api.get('/api/tasks/stats')).body).toEqual(body)
        }
      }
      stored += (await api.sql`select from service.public_totals`).length
    }),
    { numRuns: byDepth(4, 12), seed: 8195 },
  )
  expect(stored).toBeGreaterThan(byDepth(2, 6))
})

/** The same by a full count. */
async function countAll() {
  const [row] = await api.sql<{ count: bigint; total: bigint }[]>`
    select count(*) as count, coalesce(sum(reward), 0) as total from task t
    where listed and exists (
      select from service.task_content c
      where c.requester = t.requester and c.content_hash = t.content_hash and c.task_visibility = 'public')`
  return { count: Number(row?.count), totalRewards: String(row?.total) }
}

test('figures of another deployment of the read model are not built upon', async () => {
  const chain = await anEmptyChain(api)
  await chain.play({ kind: 'create', visibility: 'public', reward: 5000 })
  await chain.play({ kind: 'blocks', count: 200 })
  expect((await api.get('/api/tasks/stats')).body).toEqual({ count: 1, totalRewards: '5000' })
  await api.sql`update service.public_totals set deployment = 'another', task_count = 77`
  expect((await api.get('/api/tasks/stats')).body).toEqual({ count: 1, totalRewards: '5000' })
  const [row] = await api.sql`select task_count from service.public_totals`
  expect(row?.taskCount).toBe(1n)
})

test('stored figures are what readers start from', async () => {
  const chain = await anEmptyChain(api)
  await chain.play({ kind: 'create', visibility: 'public', reward: 5000 })
  await chain.play({ kind: 'blocks', count: 100 })
  await api.get('/api/tasks/stats')
  await api.sql`update service.public_totals set task_count = task_count + 10`
  await chain.play({ kind: 'create', visibility: 'public', reward: 6000 })
  expect((await api.get('/api/tasks/stats')).body).toEqual({ count: 12, totalRewards: '11000' })
})

test('while the read model is not ready, everything is counted and nothing stored', async () => {
  const chain = await anEmptyChain(api)
  await chain.play({ kind: 'create', visibility: 'public', reward: 5000 })
  await chain.play({ kind: 'blocks', count: 200 })
  await api.sql`update indexed_head set ready = false`
  expect((await api.get('/api/tasks/stats')).body).toEqual({ count: 1, totalRewards: '5000' })
  expect(await api.sql`select from service.public_totals`).toHaveLength(0)
})
