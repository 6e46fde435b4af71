import { describe, expect, test } from 'vitest'
import type { Chain } from '../../../client/src/chain/rpc.ts'
import type { WalletState } from '../../../client/src/store/store.ts'
import { emptyState } from '../../../client/src/store/store.ts'
import { readWalletConfig } from '../../../client/src/store/wallet-config.ts'
import { type AssetSources, findOtherAssets } from '../../../client/src/writes/other-assets.ts'
import { encodeFundingTerms } from '../../../protocol/creation/funding-terms.ts'

const address = (digits: string) => `0x${digits.repeat(20)}` as const
const [hook, otherHook, token, manager] = [address('11'), address('22'), address('33'), address('44')]
const vaultId = `0x${'55'.repeat(32)}` as const
const taskId = `0x${'66'.repeat(32)}`

const funding = (gross: bigint) =>
  encodeFundingTerms({ vaultId, manager, gross, epoch: 0n, feeBps: 750, termsHash: vaultId })

/** A node that knows the vault behind the listed hook; a service that says of the task what it wants. */
function sources(
  settings: object,
  {
    state = emptyState(),
    task = {},
    node = true,
    onChain = [] as string[],
  }: {
    state?: WalletState
    task?: object
    node?: boolean
    onChain?: string[]
  } = {},
): AssetSources {
  const chain = {
    tokenOfVault: async () => token,
    sponsoringTokens: async () => onChain,
  }
  const answer = async () => Response.json({ id: taskId, ...task })
  return {
    context: {
      chain: node ? (chain as unknown as Chain) : null,
      url: 'http://127.0.0.1:1',
      fetch: answer as unknown as typeof fetch,
      identity: async () => ({}),
      timing: { requestMs: 1_000, waitMs: 1, pauseMs: 1, maxPauseMs: 1 },
    },
    config: readWalletConfig(settings as Record<string, unknown>),
    state,
  }
}

const limits = { hooks: [hook], tokenLimits: { [token]: { perCall: '400', perDay: '500' } } }
const create = (given: object) => ({ name: 'createTask' as const, input: { reward: '1000', ...given } })

describe('A creation', () => {
  test.each([
    ['without hooks', {}, {}, false],
    ['with a hook that is not listed', {}, { hookContract: hook }, true],
    ['with a listed hook', { hooks: [hook] }, { hookContract: hook.toUpperCase().replace('0X', '0x') }, false],
    ['with a listed hook and one that is not', { hooks: [hook] }, { hookContracts: [otherHook, hook] }, true],
    ['that funds within the limit', limits, { hookContract: hook, hookData: funding(400n) }, false],
    ['that funds above the limit per call', limits, { hookContract: hook, hookData: funding(401n) }, true],
    [
      'that funds with a listed hook, without a limit',
      { hooks: [hook] },
      { hookContract: hook, hookData: funding(1n) },
      true,
    ],
    ['that funds by another hook', limits, { hookContract: otherHook, hookData: funding(1n) }, true],
    ['with hook data of another form', limits, { hookContract: hook, hookData: '0x1234' }, true],
    ['with hook data and only the hooks of the market', limits, { hookData: funding(1n) }, true],
  ])('%s asks as it should', async (_, settings, given, needsPerson) => {
    const assets = await findOtherAssets(sources(settings), create(given))
    expect(assets.needsPerson).toBe(needsPerson)
    expect(assets.clauses.length > 0).toBe(needsPerson || assets.amounts.length > 0)
  })

  test('without a node that names the token asks, and says so', async () => {
    const given = create({ hookContract: hook, hookData: funding(393n) })
    const { needsPerson, clauses } = await findOtherAssets(sources(limits, { node: false }), given)
    expect(needsPerson).toBe(true)
    expect(clauses.join()).toContain(
      `393 base units of a token that no node has named are taken out of the vault ${vaultId}`,
    )
  })

  test('names vault, token and amount', async () => {
    const { clauses } = await findOtherAssets(sources(limits), create({ hookContract: hook, hookData: funding(393n) }))
    expect(clauses).toEqual([`393 base units of the token ${token} are taken out of the vault ${vaultId}`])
  })

  test('asks the node about a hook that is not listed too, and says whose word the token is', async () => {
    const given = create({ hookContract: otherHook, hookData: funding(393n) })
    const { clauses, needsPerson } = await findOtherAssets(sources(limits), given)
    expect(needsPerson).toBe(true)
    expect(clauses).toContain(
      `393 base units of the token ${token} (by the word of that hook) are taken out of the vault ${vaultId}`,
    )
  })

  test('counts what the writes of 24 hours took of the token', async () => {
    const state = emptyState()
    const earlier = {
      key: 'a',
      counted: '0',
      createdAt: Date.now(),
      updatedAt: Date.now(),
      tokens: [{ token, amount: '300' }],
    }
    state.entries.a = earlier as never
    const of = (gross: bigint) =>
      findOtherAssets(sources(limits, { state }), create({ hookContract: hook, hookData: funding(gross) }))
    expect((await of(200n)).needsPerson).toBe(false)
    const beyond = await of(201n)
    expect([beyond.needsPerson, beyond.clauses.at(-1)]).toEqual([
      true,
      'its limit in 24 hours is 500, and they would be 501',
    ])
    earlier.updatedAt = earlier.createdAt = Date.now() - 86_400_001
    expect((await of(201n)).needsPerson).toBe(false)
  })
})

describe('A payout', () => {
  const reward = (state: string) => ({ sponsoredTaskRewards: [{ tokenAddress: token, state }] })
  const own: WalletState = {
    entries: {},
    tasks: { [taskId]: { counted: '0', reward: null, tokens: [{ token, amount: '1' }] } },
  }

  test.each([
    ['a task without a sponsor', {}, false],
    ['a reward that is reserved, by the service', { task: reward('reserved') }, true],
    ['a reward that was released', { task: reward('released') }, false],
    ['a reward that the chain has and the service hides', { onChain: [token] }, true],
    ['a task that this wallet has funded, and both hide it', { state: own }, true],
  ])('of %s asks as it should, in each write that pays or names who does', async (_, facts, needsPerson) => {
    for (const name of [
      'acceptSubmission',
      'acceptSubmissions',
      'selectWorker',
      'assignEvaluator',
      'evaluateTask',
      'resolveDispute',
    ] as const) {
      const assets = await findOtherAssets(sources({}, facts), { name, input: { taskId } })
      expect([name, assets.needsPerson]).toEqual([name, needsPerson])
      if (needsPerson) expect(assets.clauses.join()).toContain(token)
    }
  })

  test('of a task asks when its node does not answer', async () => {
    const given = sources({})
    const chain = { sponsoringTokens: async () => Promise.reject(new Error('no answer')) } as unknown as Chain
    const assets = await findOtherAssets(
      { ...given, context: { ...given.context, chain } },
      { name: 'acceptSubmission', input: { taskId } },
    )
    expect(assets.needsPerson).toBe(true)
  })

  test('is nothing that other writes make', async () => {
    const given = sources({}, { task: reward('reserved') })
    expect((await findOtherAssets(given, { name: 'cancelTask', input: { taskId } })).needsPerson).toBe(false)
  })
})
