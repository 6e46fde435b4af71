import fc from 'fast-check'
import {
  type Address,
  BaseError,
  ContractFunctionRevertedError,
  decodeErrorResult,
  decodeFunctionData,
  type Hex,
} from 'viem'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { errorsAbi } from '../../../abis/errors.ts'
import { sponsoredVaultAbi } from '../../../abis/sponsored-vault.ts'
import { taskMarketAbi } from '../../../abis/task-market.ts'
import type { Deps } from '../../../api/deps.ts'
import { buildFundingHookData } from '../../../api/features/sponsored-task-vaults/build-funding-hook-data.ts'
import { createTask } from '../../../api/features/tasks/create-task.ts'
import { devAccount } from '../../../scripts/chain/dev-accounts.ts'
import { aTermsBody, kindsOfTask, type TermsBody, toBuildBody, toCreationBody } from '../../support/creation-bodies.ts'
import { byDepth } from '../../support/depth.ts'
import { decodeFundingTerms } from '../../support/funding-terms.ts'
import { parsedWithOwnSalt } from '../../support/parsed-request.ts'
import { market as encodeMarketCall } from '../indexer/market-calls.ts'
import { openVaultChain, type VaultChain } from './vault-calls.ts'

/** Hook data that the service builds, given to the real hook by creations of every mode. */

const SEED = 8195
/** Bodies of each kind. */
const BODIES = byDepth(3, 40)
const GROSS = 10n ** 18n
/** Code that returns 1 to every call: a hook of every interface, which admits every action. */
const AGREEING = '0x60015f5260205ff3'
const hookAt = (digit: string): Address => `0x${digit.repeat(20)}`
const [defaults, hooks] = [
  [hookAt('d1'), hookAt('d2')],
  [hookAt('c1'), hookAt('c2'), hookAt('c3')],
]
const [owner, manager] = [devAccount('owner').account.address, devAccount('requester').account.address]
const judges = (['alice', 'bob', 'evaluator'] as const).map((role) => devAccount(role).account.address)

let chain: VaultChain

beforeAll(async () => {
  chain = await openVaultChain({ amount: 10n ** 24n, managers: [manager] })
  for (const hook of [...defaults, ...hooks]) await chain.market.setCode(hook, AGREEING)
})

afterAll(async () => {
  await chain?.market.close()
})

test.each(kindsOfTask)(
  'given valid creations of $mode $auctionType with the hook data, then the contract computes the same terms and charges the vault',
  async (kind) => {
    const arbitrary = aTermsBody(kind, { hooks, judges, mostReward: 1_000_000_000n })
    for (const [index, terms] of fc.sample(arbitrary, { numRuns: BODIES, seed: SEED }).entries()) {
      const defaultHooks = defaults.slice(0, index % 3)
      await changeMarket(defaultHooks, { feeBps: index % 2 === 0 ? 750 : 500 })
      const built = await build(terms)
      const taskId = await read('nextTaskId', [manager])
      await chain.perform({ from: manager, to: chain.deps.deployment.market, data: await creationOf(terms, built) })
      expect(await read('taskTermsHash', [taskId]), JSON.stringify(terms)).toBe(
        decodeFundingTerms(built.hookData).termsHash,
      )
      expect((await read('hooksOf', [taskId]))[0].at(-1)).toBe(built.hookAddress)
      const charge = await chain.market.client.readContract({
        address: chain.vault,
        abi: sponsoredVaultAbi,
        functionName: 'chargeOf',
        args: [taskId],
      })
      expect(charge).toMatchObject({ manager, gross: GROSS, state: 1 })
    }
  },
)

test.each<[string, Partial<TermsBody>]>([
  ['another duration', { duration: 25 }],
  ['another reward', { reward: '2000001' }],
  ['another tag', { tags: ['haiku', 'verse'] }],
  ['no tags on chain', { taskVisibility: 'private' }],
  ['an evaluator', { evaluator: judges[0] as Address }],
  ['another hook', { hookContracts: [hooks[0] as Address] }],
  ['another mode', { mode: 'benchmark' }],
])('given a creation with %s than the hook data was built for, then the hook refuses the terms', async (_, changes) => {
  await changeMarket([], { feeBps: 750 })
  const terms: TermsBody = { mode: 'bounty', reward: '2000000', duration: 24, tags: ['haiku'], hookContracts: [] }
  const built = await build(terms)
  expect(await refusalOf(await creationOf(terms, built))).toBeNull()
  expect(await refusalOf(await creationOf({ ...terms, ...changes }, built))).toBe('TaskTermsMismatch')
})

test('given a market or a vault that changed after the hook data was built, then the hook refuses it', async () => {
  await changeMarket([], { feeBps: 750 })
  const terms: TermsBody = { mode: 'bounty', reward: '2000000', duration: 24, tags: [], hookContracts: [] }
  const call = await creationOf(terms, await build(terms))
  await changeMarket([], { feeBps: 600 })
  expect(await refusalOf(call)).toBe('WrongFeeBps')
  await changeMarket(defaults, { feeBps: 750 })
  expect(await refusalOf(call)).toBe('TaskTermsMismatch')
  expect(await refusalOf(await creationOf(terms, await build(terms)))).toBeNull()
})

async function build(terms: TermsBody): Promise<{ hookAddress: Address; hookData: Hex }> {
  const body = toBuildBody(terms, { managerAddress: manager, grossAmount: GROSS })
  return (await chain.ask(buildFundingHookData, { body })) as { hookAddress: Address; hookData: Hex }
}

/** The contract call of the creation that uses the hook data. */
async function creationOf(terms: TermsBody, built: { hookAddress: Address; hookData: Hex }): Promise<Hex> {
  const input = parsedWithOwnSalt(createTask, toCreationBody(terms, built))
  const [platformFeeBps, defaultHooks] = [await read('feeBps', []), await read('defaultHooks', [])]
  const facts = { entriesPaused: false, platformFeeBps, defaultHooks, drop: null }
  expect(createTask.preflight(facts, input, { actor: manager, now: 0n, clocks: { head: 0n, current: 0n } })).toBeNull()
  const deps = { ...chain.deps, passwords: { hash: async () => '' } } as unknown as Deps
  const call = await createTask.prepare(deps, facts, input, manager)
  if ('failure' in call) throw new Error(call.message)
  return call.data
}

/** Name of the error with which the hook of sponsored tasks refuses a creation; null: it is admitted. */
async function refusalOf(data: Hex): Promise<string | null> {
  const { args } = decodeFunctionData({ abi: taskMarketAbi, data })
  const call = { address: chain.deps.deployment.market, abi: taskMarketAbi, functionName: 'createTask', args } as const
  try {
    await chain.market.client.simulateContract({ ...call, account: manager } as never)
    return null
  } catch (error) {
    const reverted = error instanceof BaseError && error.walk((one) => one instanceof ContractFunctionRevertedError)
    if (!(reverted instanceof ContractFunctionRevertedError) || reverted.data?.errorName !== 'HookVetoed') throw error
    return decodeErrorResult({ abi: errorsAbi, data: reverted.data.args?.[2] as Hex }).errorName
  }
}

async function changeMarket(defaultHooks: readonly Address[], { feeBps }: { feeBps: number }): Promise<void> {
  const to = chain.deps.deployment.market
  await chain.perform({ from: owner, to, data: encodeMarketCall('setDefaultHooks', [defaultHooks]) })
  await chain.perform({ from: owner, to, data: encodeMarketCall('setFeeBps', [feeBps]) })
}

type MarketView = 'nextTaskId' | 'taskTermsHash' | 'hooksOf' | 'feeBps' | 'defaultHooks'

// biome-ignore lint/suspicious/noExplicitAny: views of every shape.
function read(functionName: MarketView, args: readonly unknown[]): Promise<any> {
  const { market: address } = chain.deps.deployment
  return chain.market.client.readContract({ address, abi: taskMarketAbi, functionName, args } as never)
}
