import fc from 'fast-check'
import { type Address, type Hex, zeroAddress, zeroHash } from 'viem'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { sponsoredVaultAbi } from '../../../abis/sponsored-vault.ts'
import { taskMarketAbi } from '../../../abis/task-market.ts'
import { readDeployment } from '../../../api/chain/deployment.ts'
import { createChain } from '../../../api/chain/viem-chain.ts'
import type { Deps } from '../../../api/deps.ts'
import { buildFundingHookData } from '../../../api/features/sponsored-task-vaults/build-funding-hook-data.ts'
import { createTask } from '../../../api/features/tasks/create-task.ts'
import { devAccount } from '../../../scripts/chain/dev-accounts.ts'
import { defaultBonusSetup } from '../../../scripts/contracts/bonus-setup.ts'
import { type OpenedVault, openVault } from '../../../scripts/examples/open-vault.ts'
import { aTermsBody, kindsOfTask, type TermsBody, toBuildBody, toCreationBody } from '../../support/creation-bodies.ts'
import { byDepth } from '../../support/depth.ts'
import { decodeFundingTerms } from '../../support/funding-terms.ts'
import { oneNode } from '../../support/one-node.ts'
import { parsedWithOwnSalt } from '../../support/parsed-request.ts'
import { market as encodeMarketCall } from '../indexer/market-calls.ts'
import { type Call, type MarketChain, openMarketChain } from '../indexer/market-chain.ts'

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

let chain: MarketChain
let vault: OpenedVault
/** The parts of the service that the routes use. */
let deps: Deps

const perform = async (call: Call) => {
  await chain.send(call)
  await chain.mine()
}

beforeAll(async () => {
  chain = await openMarketChain({ bonus: { token: 'local', setup: defaultBonusSetup } })
  for (const hook of [...defaults, ...hooks]) await chain.setCode(hook, AGREEING)
  const { client, deployment: contracts } = chain
  const token = contracts.rewardToken ?? zeroAddress
  const setup = { sponsor: devAccount('carol').account.address, token, minter: owner, salt: zeroHash }
  const terms = { ...setup, amount: 10n ** 24n, managers: [manager] }
  vault = await openVault({ client, deployment: contracts, send: perform }, terms)
  const deployment = await readDeployment(chain.deploymentFile)
  const port = createChain({ nodes: oneNode(chain.url), deployment, findIndexed: () => null, isStale: () => false })
  deps = { deployment, chain: port, passwords: { hash: async () => '' } } as unknown as Deps
})

afterAll(async () => {
  await chain?.close()
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
      await perform({ from: manager, to: chain.deployment.market, data: await creationOf(terms, built) })
      expect(await read('taskTermsHash', [taskId]), JSON.stringify(terms)).toBe(
        decodeFundingTerms(built.hookData).termsHash,
      )
      expect((await read('hooksOf', [taskId]))[0].at(-1)).toBe(built.hookAddress)
      const charge = await chain.client.readContract({
        address: vault.vault,
        abi: sponsoredVaultAbi,
        functionName: 'chargeOf',
        args: [taskId],
      })
      expect(charge).toMatchObject({ manager, gross: GROSS, state: 1 })
    }
  },
)

async function build(terms: TermsBody): Promise<{ hookAddress: Address; hookData: Hex }> {
  const body = toBuildBody(terms, { managerAddress: manager, grossAmount: GROSS })
  const request = { params: { vaultId: vault.vaultId }, query: {}, body: buildFundingHookData.body?.parse(body) }
  const built = await buildFundingHookData.handler(deps, request as never, undefined as never)
  return built as { hookAddress: Address; hookData: Hex }
}

/** The contract call of the creation that uses the hook data. */
async function creationOf(terms: TermsBody, built: { hookAddress: Address; hookData: Hex }): Promise<Hex> {
  const input = parsedWithOwnSalt(createTask, toCreationBody(terms, built))
  const [platformFeeBps, defaultHooks] = [await read('feeBps', []), await read('defaultHooks', [])]
  const facts = { entriesPaused: false, platformFeeBps, defaultHooks, drop: null }
  expect(createTask.preflight(facts, input, { actor: manager, now: 0n, clocks: { head: 0n, current: 0n } })).toBeNull()
  const call = await createTask.prepare(deps, facts, input, manager)
  if ('failure' in call) throw new Error(call.message)
  return call.data
}

async function changeMarket(defaultHooks: readonly Address[], { feeBps }: { feeBps: number }): Promise<void> {
  const to = chain.deployment.market
  await perform({ from: owner, to, data: encodeMarketCall('setDefaultHooks', [defaultHooks]) })
  await perform({ from: owner, to, data: encodeMarketCall('setFeeBps', [feeBps]) })
}

type MarketView = 'nextTaskId' | 'taskTermsHash' | 'hooksOf' | 'feeBps' | 'defaultHooks'

// biome-ignore lint/suspicious/noExplicitAny: views of every shape.
function read(functionName: MarketView, args: readonly unknown[]): Promise<any> {
  const { market: address } = chain.deployment
  return chain.client.readContract({ address, abi: taskMarketAbi, functionName, args } as never)
}
