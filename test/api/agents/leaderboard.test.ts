import fc from 'fast-check'
import type { Address } from 'viem'
import { beforeAll, describe, expect, test } from 'vitest'
import { z } from 'zod'
import { type LeaderboardEntry, leaderboardEntrySchema } from '../../../api/features/agents/agents.schemas.ts'
import { listLeaderboard } from '../../../api/features/agents/leaderboard.queries.ts'
import { createApp } from '../../../api/server/app.ts'
import { foldTag } from '../../../protocol/text/fold-tag.ts'
import { byDepth } from '../../support/depth.ts'
import { countStatements } from '../read-model/counted-statements.ts'
import { onDatabase } from '../read-model/primary-reads.ts'
import { aStartedApi } from '../writes/started-api.ts'

/** What an agent of these tests is, for a model that sorts and filters them without the database. */
interface Model {
  address: Address
  agentId: bigint | null
  completedTasks: number
  ratings: number[]
  skills: Record<string, number>
}

/** As long as a tag of a task may be. */
const longTag = 'Ä'.repeat(200)
const tags = ['Python', 'python', 'haiku', 'Übersetzung', longTag]
const population: Model[] = fc
  .sample(
    fc.record({
      address: fc.constant(null),
      agentId: fc.option(fc.bigInt({ min: 0n, max: 99_999n })),
      completedTasks: fc.oneof(fc.constant(0), fc.nat(3), fc.nat(500)),
      ratings: fc.oneof(
        fc.constant([]),
        fc.constant([50]),
        fc.array(fc.integer({ min: 0, max: 100 }), { maxLength: 6 }),
        fc.constant(Array<number>(200).fill(0)),
        fc.constant(Array<number>(90).fill(0)),
      ),
      skills: fc.dictionary(fc.constantFrom(...tags), fc.integer({ min: 1, max: 9 }), { noNullPrototype: true }),
    }),
    { numRuns: 150, seed: 17 },
  )
  .map((one, index, all) => ({
    ...one,
    ratings: [...one.ratings],
    address: `0x${((index * 433) % 65_536).toString(16).padStart(4, '0').repeat(10)}` as Address,
    agentId: all.findIndex(({ agentId }) => agentId === one.agentId) === index ? one.agentId : null,
  }))

const inPopulation = population.filter(({ agentId, completedTasks }) => agentId !== null || completedTasks > 0)

const api = aStartedApi()
beforeAll(async () => {
  await api.seed.tags(...tags)
  for (const { address, agentId, ...columns } of population) {
    await api.seed.agent(address, { ...columns, ...(agentId !== null && { agentId }) })
    if (agentId !== null) await api.seed.identity(agentId, address)
  }
  // Sent to an account that did not claim it: the agent of no account.
  await api.seed.identity(123_123_123n, population[0]?.address ?? '0x', null)
})

const list = async (query: Record<string, string>): Promise<LeaderboardEntry[]> => {
  const { status, body } = await api.get(`/api/agents/leaderboard?${new URLSearchParams(query)}`)
  expect(status).toBe(200)
  return z.array(leaderboardEntrySchema).parse(body)
}

const sumOf = (numbers: number[]) => numbers.reduce((sum, number) => sum + number, 0)

/** The interface's rules on all agents at once, with fractions compared by their cross products. */
function expectedOf(query: Query): { address: string; rank: number }[] {
  const { sort, limit, offset, search = '', skill, minRating, minTasks, actorType } = query
  const stars = ({ ratings }: Model) => sumOf(ratings) + 500
  const rated = ({ ratings }: Model) => ratings.length + 10
  const byReputation = (a: Model, b: Model) => stars(b) * rated(a) - stars(a) * rated(b)
  const byTasks = (a: Model, b: Model) => b.completedTasks - a.completedTasks
  const [first, second] = sort === 'tasks' ? [byTasks, byReputation] : [byReputation, byTasks]
  const text = search.toLowerCase()
  return inPopulation
    .filter(
      (one) =>
        one.address.startsWith(text) ||
        (/^[0-9]+$/.test(text) &&
          (text.length < 3 ? String(one.agentId) === text : String(one.agentId ?? '').includes(text))),
    )
    .filter(({ skills }) => skill === undefined || Object.keys(skills).some((tag) => isSame(tag, skill)))
    .filter((one) => minRating === undefined || stars(one) >= minRating * rated(one))
    .filter(({ completedTasks }) => completedTasks >= (minTasks ?? 0))
    .filter(({ agentId }) => actorType === undefined || (agentId !== null) === (actorType === 'agent'))
    .toSorted((a, b) => first(a, b) || second(a, b) || (a.address < b.address ? -1 : 1))
    .map(({ address }, place) => ({ address, rank: place + 1 }))
    .slice(offset, offset + limit)
}

const isSame = (one: string, other: string) => foldTag(one) === foldTag(other)

interface Query {
  sort: 'reputation' | 'tasks'
  limit: number
  offset: number
  search?: string | undefined
  skill?: string | undefined
  minRating?: number | undefined
  minTasks?: number | undefined
  actorType?: 'human' | 'agent' | undefined
}

const aSearch = fc.oneof(
  fc.constantFrom('0', '0x', '0X', '0x0', '7', '05', '00', '12', '123', 'nothing', '0xg', '123123123', '%', '_'),
  fc.tuple(fc.constantFrom(...population), fc.nat(40)).map(([{ address }, length]) =>
    address
      .slice(0, length + 1)
      .toUpperCase()
      .replace('0X', '0x'),
  ),
  fc
    .tuple(fc.constantFrom(...population), fc.nat(3), fc.integer({ min: 1, max: 5 }))
    .map(([{ agentId }, from, length]) => String(agentId ?? 40).slice(from, from + length) || '1'),
)
const aQuery: fc.Arbitrary<Query> = fc.record(
  {
    sort: fc.constantFrom('reputation', 'tasks'),
    limit: fc.integer({ min: 1, max: 100 }),
    offset: fc.oneof(fc.constant(0), fc.nat(160)),
    search: fc.option(aSearch, { nil: undefined }),
    skill: fc.option(fc.constantFrom('PYTHON', 'haiku', 'übersetzung', longTag.toLowerCase(), 'pyth', 'none', '%'), {
      nil: undefined,
    }),
    minRating: fc.option(fc.constantFrom(0, 2.380952, 2.380953, 4.5, 5), { nil: undefined }),
    minTasks: fc.option(fc.constantFrom(0, 1, 2, 200), { nil: undefined }),
    actorType: fc.option(fc.constantFrom('human', 'agent'), { nil: undefined }),
  },
  { requiredKeys: ['sort', 'limit', 'offset'] },
)

describe('the leaderboard', () => {
  test('given any filter, sort and page, then it is what the rules make of the population', async () => {
    await fc.assert(
      fc.asyncProperty(aQuery, async (query) => {
        const given = Object.entries(query).filter(([, value]) => value !== undefined)
        const entries = await list(Object.fromEntries(given.map(([name, value]) => [name, String(value)])))
        expect(entries.map(({ address, rank }) => ({ address: address.toLowerCase(), rank }))).toEqual(
          expectedOf(query),
        )
      }),
      { numRuns: byDepth(40, 150) },
    )
  })

  test('given any window of the first agents, then a search for a part of an id finds the same', async () => {
    const aPart = fc.constantFrom('123', '100', '111', '99', '501', '12', '7777')
    await fc.assert(
      fc.asyncProperty(
        aPart,
        fc.nat(40),
        fc.integer({ min: 1, max: 9 }),
        fc.nat(5),
        async (search, near, limit, offset) => {
          const page = { order: 'tasks', limit, offset } as const
          const expected = await listLeaderboard(api.sql, { search }, page)
          expect(await listLeaderboard(api.sql, { search }, { ...page, near })).toEqual(expected)
        },
      ),
      { numRuns: byDepth(30, 100) },
    )
  })

  test('given two digits that are no id as it is written, then they find none', async () => {
    expect(await list({ search: '5' })).toMatchObject([{ agentId: '5' }])
    expect(await list({ search: '05' })).toEqual([])
    expect(await list({ search: '00' })).toEqual([])
  })

  test('given no parameter, then the best twenty are listed with their records', async () => {
    const entries = await list({})
    expect(entries).toHaveLength(20)
    for (const entry of entries) {
      const one = inPopulation.find(({ address }) => address === entry.address.toLowerCase())
      expect(one).toBeDefined()
      if (one === undefined) continue
      expect(entry).toMatchObject({
        agentId: one.agentId?.toString() ?? null,
        actorType: one.agentId === null ? 'human' : 'agent',
        completedTasks: one.completedTasks,
        averageRating: (sumOf(one.ratings) + 500) / (one.ratings.length + 10),
        credibility: Math.floor((one.ratings.length / (one.ratings.length + 10)) * 1000),
        emailAddress: null,
      })
      // Spellings of one skill are shown once.
      const folded = (skills: string[]) => [...new Set(skills.map(foldTag))].toSorted()
      expect(entry.skills.every((skill) => skill in one.skills)).toBe(true)
      expect(entry.skills.map(foldTag).toSorted()).toEqual(folded(Object.keys(one.skills)))
    }
  })

  test('given the same query as a procedure, then it answers the same', async () => {
    const input = encodeURIComponent(JSON.stringify({ limit: 3, minRating: 4.5, sort: 'tasks', actorType: 'agent' }))
    const { body } = await api.get(`/trpc/agents.leaderboard?input=${input}`)
    expect(body.result.data).toEqual(await list({ limit: '3', minRating: '4.5', sort: 'tasks', actorType: 'agent' }))
  })

  test.each(['limit=101', 'offset=10001', 'sort=earnings', 'minRating=5.1', 'minRating=1e0', 'minTasks=-1', 'skill='])(
    'given %o, then it is 400',
    async (query) => {
      expect(await api.get(`/api/agents/leaderboard?${query}`)).toMatchObject({ status: 400 })
    },
  )

  test('given any number of entries, then a page costs two statements, a look at the head and one for a skill', async () => {
    for (const query of ['limit=1', 'limit=100', 'limit=100&skill=python&search=0x', 'search=123']) {
      const counted = countStatements(api.sql)
      const app = createApp(onDatabase(api.deps, counted.sql))
      expect((await app.request(`/api/agents/leaderboard?${query}`)).status).toBe(200)
      expect(counted.count()).toBe(query.includes('skill') ? 4 : 3)
    }
  })
})

describe('the count of agents', () => {
  test('given an empty market, then it is zero; given counters, then they are served', async () => {
    expect(await api.get('/api/agents/count')).toMatchObject({ status: 200, body: { count: 0, totalEarnings: '0' } })
    await api.sql`insert into market_stats ${api.sql({
      id: 'market',
      taskCount: 9,
      totalRewards: 1n,
      listedTaskCount: 1,
      listedTotalRewards: 1n,
      totalEscrow: 0n,
      totalWorkerPayments: 1n,
      totalPlatformFees: 0n,
      agentCount: 7,
      listedEarnings: 123_456n,
      bonusLiability: 0n,
      lastCreatedAtMs: 1n,
    })}`
    const counted = createApp({ ...api.deps, chain: { ...api.deps.chain } })
    const answer = await counted.request('/api/agents/count?again=1')
    expect(await answer.json()).toEqual({ count: 7, totalEarnings: '123456' })
    const { body } = await api.get('/trpc/agents.count')
    expect(body.result.data).toMatchObject({ count: 7 })
  })
})
