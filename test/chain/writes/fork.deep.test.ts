import { encodeFunctionData, getAddress, parseAbi } from 'viem'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { identityRegistrarAbi } from '../../../abis/identity-registrar.ts'
import type { Anvil } from '../../../scripts/chain/anvil.ts'
import { type DevAccount, devActors } from '../../../scripts/chain/dev-accounts.ts'
import { type Actor, anActor } from '../../support/actors.ts'
import { type ChainView, openChainView } from '../../support/conformance-chain.ts'
import { createFixtures, type Fixtures } from '../../support/conformance-fixtures.ts'
import { type Http, openHttp } from '../../support/conformance-http.ts'
import { aKey, createPayingClient } from '../../support/paying-client.ts'
import { startTestStack, type TestStack } from '../../support/stack.ts'
import { startOlderChain } from './older-chain.ts'

/** What `FORK_URL` does: our contracts on a copy of a chain with registries, agents and USDC that are not ours. */

const elders = [anActor(), anActor(), anActor()]

let older: Anvil
let stack: TestStack
let chain: ChainView
let http: Http
let fixtures: Fixtures
beforeAll(async () => {
  older = await startOlderChain(elders.map(({ address }) => address))
  stack = await startTestStack({ forkUrl: older.url, apiEnvironment: { MINT_ANSWER_MS: '10000' } })
  chain = openChainView(stack.anvil.url, stack.deployment)
  http = openHttp(stack.baseUrl(), { now: chain.headTime })
  fixtures = createFixtures({ ...http, pay: (payer, path, body) => pay(payer, path, body) })
})
afterAll(async () => {
  await stack?.stop()
  await older?.stop()
})

const registryAbi = parseAbi([
  'function ownerOf(uint256) view returns (address)',
  'function tokenURI(uint256) view returns (string)',
])
const reputationAbi = parseAbi([
  'function readFeedback(uint256, address, uint64) view returns (int128, uint8, string, string, bool)',
])

/** A wallet of the fork with USDC. */
function aPayer(index: number): Actor {
  const { account } = devActors()[index] as DevAccount
  return { ...anActor(), account, address: account.address.toLowerCase() as Actor['address'] }
}

const pay = async ({ account }: Actor, path: string, body: unknown) =>
  await createPayingClient({ baseUrl: stack.baseUrl(), account, fetch: http.fetch }).pay({ path, body, key: aKey() })

const statusOf = async ({ address }: Actor) => (await http.get(`/identity/status?address=${address}`)).body

async function mintByDevice(actor: Actor): Promise<string> {
  const signature = await actor.account.signMessage({ message: `service:device-register:${actor.address}` })
  const { body } = await http.post('/devices', { body: { walletAddress: actor.address, signature } })
  return body.agentId
}

test('a signed device gets the next id of the registry, which its wallet owns', async () => {
  const actor = anActor()
  expect(await mintByDevice(actor)).toBe(String(elders.length))
  expect(await statusOf(actor)).toEqual({ agentId: String(elders.length), registered: true, cacheFresh: true })
  const registry = { address: stack.deployment.identityRegistry, abi: registryAbi } as const
  const args = [BigInt(elders.length)] as const
  expect(await stack.client.readContract({ ...registry, functionName: 'ownerOf', args })).toBe(
    getAddress(actor.address),
  )
  expect(await stack.client.readContract({ ...registry, functionName: 'tokenURI', args })).toContain(actor.address)
})

test('a payer registers once, and pays once', async () => {
  const payer = aPayer(0)
  const balances = await chain.watch({ payer: payer.address })
  const first = await pay(payer, '/identity/register', {})
  expect(first).toMatchObject({ status: 200, body: { alreadyRegistered: false } })
  const again = await pay(payer, '/identity/register', {})
  expect(again).toMatchObject({ status: 200, body: { agentId: first.body.agentId, alreadyRegistered: true } })
  expect(await balances.changes()).toEqual({ payer: -1_000n })
})

test('an agent from before our contracts is known here once its owner adopts it', async () => {
  const [elder = anActor()] = elders
  expect(await statusOf(elder)).toEqual({ agentId: null, registered: false, cacheFresh: true })
  const data = encodeFunctionData({ abi: identityRegistrarAbi, functionName: 'adopt', args: [0n] })
  await chain.sendAs(elder.address, { to: stack.deployment.identityRegistrar, data })
  await expect.poll(() => statusOf(elder)).toMatchObject({ agentId: '0', registered: true })
  // No second one is minted for it.
  expect(await mintByDevice(elder)).toBe('0')
})

test('an agent is paid in USDC and rated in the registry of reputations', async () => {
  const [requester, worker] = [aPayer(1), anActor()]
  const agentId = await mintByDevice(worker)
  const taskId = await fixtures.createTask(requester, { reward: '2000000' })
  await fixtures.submit(worker, taskId)
  await fixtures.accept(requester, taskId, worker)
  expect(await chain.balanceOf(worker.address)).toBe(1_850_000n)
  await fixtures.rate(requester, taskId, { worker, rating: 88 })
  const { market, reputationRegistry: address } = stack.deployment
  const args = [BigInt(agentId), market, 1n] as const
  const feedback = await stack.client.readContract({ address, abi: reputationAbi, functionName: 'readFeedback', args })
  expect(feedback.slice(0, 2)).toEqual([88n, 0])
  expect((await http.get(`/agents/stats?agentId=${agentId}`)).body).toMatchObject({ averageRating: 88 })
})
