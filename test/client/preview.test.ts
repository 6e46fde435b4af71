import { beforeAll, describe, expect, test } from 'vitest'
import { type Actor, anActor } from '../support/actors.ts'
import { aClient } from '../support/client/wallets.ts'
import { openEnvironment } from '../support/conformance.ts'
import { aClaimTask } from '../support/conformance-fixtures.ts'
import { deployExampleHook } from '../support/example-hooks.ts'
import { register } from '../support/withdrawal-addresses.ts'

const environment = openEnvironment()
const aTask = { description: 'Write a haiku about escrow', reward: '2000000', duration: 24, tags: ['haiku'] }
/** Where nothing simulates: the rules of the service alone. */
const noNode = { rpcUrl: undefined } as object
const listed = anActor()
let tagHook: string
let listHook: string

beforeAll(async () => {
  tagHook = await deployExampleHook(environment.chain, 'RequiredTagHook', [['solidity']])
  listHook = await deployExampleHook(environment.chain, 'AllowListHook', [listed.address, [listed.address]])
})

/** A client that previews, and what it has signed. */
function aPreviewer(wallet: Pick<Actor, 'account'>, options: object = {}) {
  const signed: string[] = []
  const { account } = wallet
  const watched: Pick<Actor['account'], 'address' | 'signMessage' | 'signTypedData'> = {
    address: account.address,
    signMessage: (args) => {
      signed.push(String(args.message))
      return account.signMessage(args)
    },
    signTypedData: (typedData) => {
      signed.push(typedData.primaryType)
      return account.signTypedData(typedData)
    },
  }
  return { client: aClient({ account: watched as Actor['account'] }, options), signed }
}

describe('A dry run of a payment', () => {
  test.each([
    ['with a node, by a simulation of the payment', {}],
    ['without one, by the balance', noNode],
  ])('given a wallet that cannot pay, then it says so: %s', async (_, options) => {
    const wallet = anActor()
    await environment.chain.fund(wallet.address, 1_999_999n)
    const client = aClient(wallet, options)
    expect(await client.preview('createTask', aTask)).toMatchObject({ kind: 'refused', reason: 'insufficient_funds' })
    await environment.chain.fund(wallet.address, 1n)
    expect(await client.preview('createTask', aTask)).toMatchObject({ kind: 'preview', price: 2_000_000n })
  })

  test('given a task whose state refuses the write, then the preflight of round one says so', async () => {
    const [requester, other] = [await environment.aWallet(), await environment.aWallet()]
    const taskId = await environment.createTask(requester)
    const input = { taskId, worker: other.address }
    const refused = await aClient(requester).preview('acceptSubmission', input)
    expect(refused).toMatchObject({ kind: 'refused', reason: 'payment_preflight_rejected' })
  })
})

describe('A dry run of an act', () => {
  test('given acts that the contracts carry out, then it says so, and what is paid to whom', async () => {
    const [requester, worker] = [await environment.aWallet(), await environment.aWallet()]
    const [asRequester, asWorker] = [aPreviewer(requester), aPreviewer(worker)]
    const payTo = environment.chain.deployment.forwarder.toLowerCase()
    const call = expect.objectContaining({ target: environment.chain.deployment.market.toLowerCase() })
    const simulated = { call, callProblem: null, isActSimulated: true }
    const choices = { documentSalt: expect.stringMatching(/^0x[0-9a-f]{64}$/) }
    const possible = { kind: 'preview', payTo, assets: { clauses: [], needsPerson: false }, choices, ...simulated }
    const money = await environment.chain.watch({ requester: requester.address, worker: worker.address })

    const creation = { ...possible, price: 2_000_000n, counted: 2_000_000n }
    expect(await asRequester.client.preview('createTask', aTask)).toEqual(creation)
    expect(await money.changes()).toEqual({ requester: 0n, worker: 0n })

    const taskId = await environment.createTask(requester)
    const submission = { taskId, artifacts: [] }
    expect(await asWorker.client.preview('createSubmission', submission)).toMatchObject({ ...possible, price: null })
    await environment.submit(worker, taskId)
    const update = { ...possible, price: 1_001_000n, counted: 1_001_000n }
    expect(await asRequester.client.preview('updateTask', { taskId, reward: '3000000' })).toEqual(update)
    const acceptance = { ...possible, choices: {}, price: 1_000n, counted: 2_001_000n }
    const input = { taskId, worker: worker.address }
    expect(await asRequester.client.preview('acceptSubmission', input)).toEqual(acceptance)
    expect((await environment.get(`/tasks/${taskId}`)).body).toMatchObject({ status: 'open', awards: [] })

    const staked = await environment.createTask(requester, aClaimTask({ stakeBps: 1_000 }))
    expect(await asWorker.client.preview('createClaim', { taskId: staked })).toMatchObject({ ...possible, choices: {} })

    // Read identities: no signature that could act.
    for (const text of [...asRequester.signed, ...asWorker.signed]) expect(text).toMatch(/^service:read:/)
  })

  test('given a paid act that the rules admit and a hook refuses, then the contracts say so', async () => {
    const wallet = await environment.aWallet()
    const { client, signed } = aPreviewer(wallet)
    const refusedByHook = { ...aTask, hookContract: tagHook }
    expect(await aClient(wallet, noNode).preview('createTask', refusedByHook)).toMatchObject({
      kind: 'preview',
      price: 2_000_000n,
      isActSimulated: false,
    })
    expect(await client.preview('createTask', refusedByHook)).toMatchObject({
      kind: 'refused',
      reason: 'would_revert',
      message: expect.stringContaining('HookVetoed('),
      status: null,
    })
    expect(await client.preview('createTask', { ...refusedByHook, tags: ['solidity'] })).toMatchObject({
      kind: 'preview',
      isActSimulated: true,
    })
    expect(signed).toEqual([])
  })

  test('given free acts, which are not sent at all, then the contracts alone say whether they would be done', async () => {
    const [requester, worker] = [await environment.aWallet(), await environment.aWallet()]
    const claimTask = await environment.createTask(requester, aClaimTask({ hookContract: listHook }))
    const contest = await environment.createTask(requester, { hookContract: listHook })
    for (const [name, input] of [
      ['createClaim', { taskId: claimTask }],
      ['createSubmission', { taskId: contest, artifacts: [] }],
    ] as const) {
      const refused = await aClient(worker).preview(name, input as never)
      expect(refused).toMatchObject({ kind: 'refused', reason: 'would_revert' })
      expect(await aClient(listed).preview(name, input as never)).toMatchObject({ isActSimulated: true })
    }
    const early = await aClient(worker).preview('settleStaleTask', { taskId: contest })
    expect(early).toMatchObject({ reason: 'would_revert', message: expect.stringContaining('DeadlineNotReached(') })
  })

  test('given a withdrawal, then it names the registered address, and USDC says whether it would move', async () => {
    const [wallet, safe] = [await environment.aWallet(), await environment.aWallet()]
    const post = (path: string, body: unknown) => environment.post(path.replace('/api', ''), { body })
    const client = aClient(wallet)
    const input = { amountBaseUnits: '1000000', to: safe.address }
    expect(await client.preview('withdraw', input)).toMatchObject({ reason: 'wrong_withdrawal_address' })
    await register({ post }, wallet, safe.address)
    const payTo = safe.account.address
    const assets = { clauses: [], needsPerson: false }
    const call = { call: null, callProblem: expect.any(String), choices: {} }
    const preview = { kind: 'preview', price: null, counted: 1_000_000n, payTo, assets, ...call, isActSimulated: true }
    expect(await client.preview('withdraw', input)).toEqual(preview)
    const tooMuch = { ...input, amountBaseUnits: '100000001' }
    expect(await client.preview('withdraw', tooMuch)).toMatchObject({ reason: 'insufficient_funds' })
  })
})
