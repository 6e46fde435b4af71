import { encodeFunctionData } from 'viem'
import { describe, expect, test } from 'vitest'
import { identityRegistryAbi } from '../../abis/identity-registry.ts'
import { type Actor, anActor } from '../support/actors.ts'
import { openEnvironment } from '../support/conformance.ts'
import { expectRefusal } from '../support/conformance-refusal.ts'

const environment = openEnvironment()

const statsOf = async (wallet: Actor) => (await environment.get(`/agents/stats?address=${wallet.address}`)).body
const countOf = async () => (await environment.get('/agents/count')).body
const leaderboard = async (query: Record<string, string>) => {
  const { status, body } = await environment.get(`/agents/leaderboard?${new URLSearchParams(query)}`)
  expect(status).toBe(200)
  return body
}
/** A tag that no other test uses. */
const aTag = () => `Skill ${anActor().address.slice(2, 14)}`

/** A task that a worker delivered and was awarded. */
async function award(requester: Actor, worker: Actor, fields: Record<string, unknown> = {}) {
  const taskId = await environment.createTask(requester, fields)
  await environment.submit(worker, taskId)
  await environment.accept(requester, taskId, worker)
  return taskId
}

/** Registers an ERC-8004 identity and lets the indexer pass it. */
async function registerIdentity(wallet: Actor): Promise<void> {
  const data = encodeFunctionData({ abi: identityRegistryAbi, functionName: 'register', args: [] })
  await environment.chain.sendAs(wallet.address, { to: environment.chain.deployment.identityRegistry, data })
  await environment.createTask(await environment.aWallet())
}

describe('Agents and identity: GET /agents/stats', () => {
  test('is zeros for an unknown address, and 404 for an unknown agent id', async () => {
    const { address, account } = anActor()
    expect(await statsOf(anActor())).toMatchObject({ completedTasks: 0 })
    expect((await environment.get(`/agents/stats?address=${address}`)).body).toEqual({
      address: account.address,
      agentId: null,
      actorType: 'human',
      completedTasks: 0,
      ratedTasks: 0,
      totalStars: 0,
      averageRating: null,
      credibility: 0,
      totalEarnings: '0',
      distinctRequesters: 0,
      ratedVolume: '0',
      skills: [],
      emailAddress: null,
      recentRatings: [],
    })
    expectRefusal(await environment.get(`/agents/stats?agentId=${2n ** 200n}`), 404, 'unclassified')
    expectRefusal(await environment.get('/agents/stats'), 400, 'unclassified')
    expectRefusal(await environment.get(`/agents/stats?address=${address}&agentId=1`), 400, 'unclassified')
  })

  test('counts awards and ratings, shows net earnings, skills and the newest ratings', async () => {
    const [requester, alice] = [await environment.aWallet(), anActor()]
    const [common, rare] = [aTag(), aTag()]
    const taskId = await award(requester, alice, {
      reward: '2000000',
      description: 'Two haikus\nmore',
      tags: [common, rare],
    })
    await environment.rate(requester, taskId, { worker: alice, rating: 90, feedbackText: 'Fine' })
    await award(requester, alice, { reward: '1000000', tags: [common] })
    const { body: detail } = await environment.get(`/tasks/${taskId}`)
    expect(await statsOf(alice)).toMatchObject({
      completedTasks: 2,
      ratedTasks: 1,
      totalStars: 90,
      averageRating: 90,
      credibility: 90,
      totalEarnings: String((BigInt(detail.netReward) * 3n) / 2n),
      distinctRequesters: 1,
      ratedVolume: '2000000',
      skills: [common, rare],
      recentRatings: [
        { taskId, rating: 90, createdAt: expect.any(String), taskTitle: 'Two haikus', feedbackText: 'Fine' },
      ],
    })
  })

  test('counts no award of a requester to itself', async () => {
    const requester = await environment.aWallet()
    const before = await countOf()
    await award(requester, requester, { tags: [aTag()] })
    expect(await statsOf(requester)).toMatchObject({ completedTasks: 0, totalEarnings: '0', skills: [] })
    expect(await countOf()).toEqual(before)
  })

  test('finds an agent by its ERC-8004 id, which makes it an agent of the population', async () => {
    const alice = anActor()
    const before = await countOf()
    await registerIdentity(alice)
    const stats = await statsOf(alice)
    expect(stats).toMatchObject({ actorType: 'agent', agentId: expect.stringMatching(/^[0-9]+$/) })
    expect((await environment.get(`/agents/stats?agentId=${stats.agentId}`)).body).toEqual(stats)
    expect((await countOf()).count).toBe(before.count + 1)
  })
})

describe('Agents and identity: GET /agents/leaderboard', () => {
  test('ranks by (totalStars + 500) / (ratedTasks + 10), or by awards, and filters by skill in any case', async () => {
    const [requester, alice, bob] = [await environment.aWallet(), anActor(), anActor()]
    const tag = aTag()
    const rated = await award(requester, alice, { tags: [tag] })
    await environment.rate(requester, rated, { worker: alice, rating: 100 })
    await award(requester, bob, { tags: [tag] })
    await award(requester, bob, { tags: [tag.toUpperCase()] })
    const byReputation = await leaderboard({ skill: tag.toLowerCase() })
    expect(byReputation).toMatchObject([
      { rank: 1, address: alice.account.address, averageRating: 600 / 11, credibility: 90, completedTasks: 1 },
      { rank: 2, address: bob.account.address, averageRating: 50, credibility: 0, completedTasks: 2 },
    ])
    const byTasks = await leaderboard({ skill: tag, sort: 'tasks' })
    expect(byTasks.map(({ address }: { address: string }) => address)).toEqual([
      bob.account.address,
      alice.account.address,
    ])
    expect(await leaderboard({ skill: tag, minTasks: '2' })).toMatchObject([{ rank: 1, address: bob.account.address }])
    expect(await leaderboard({ skill: tag, offset: '1', limit: '1' })).toMatchObject([{ rank: 2 }])
    expect(await leaderboard({ skill: tag, actorType: 'agent' })).toEqual([])
    expect(await leaderboard({ skill: tag.slice(0, -1) })).toEqual([])
  })
})

describe('Agents and identity: GET /agents/count', () => {
  test('grows by a worker with its first award, and by the net earnings of listed tasks', async () => {
    const [requester, alice] = [await environment.aWallet(), anActor()]
    const before = await countOf()
    const taskId = await award(requester, alice)
    const { body: task } = await environment.get(`/tasks/${taskId}`)
    expect(await countOf()).toEqual({
      count: before.count + 1,
      totalEarnings: String(BigInt(before.totalEarnings) + BigInt(task.netReward)),
    })
    await award(requester, alice)
    expect((await countOf()).count).toBe(before.count + 1)
  })
})
