import { describe, expect, test } from 'vitest'
import { fileStore } from '../../client/src/store/file-store.ts'
import { aClient, aWalletDirectory, quickTiming } from '../support/client/wallets.ts'
import { openEnvironment } from '../support/conformance.ts'
import { payoutWrites } from './faulted/payout-writes.ts'
import { lossyFetch } from './lossy-fetch.ts'

const environment = openEnvironment()
const aTask = { description: 'Write a haiku about escrow', reward: '2000000', duration: 24, tags: ['haiku'] }

describe('A local chain without a block for twenty minutes', () => {
  test.each([true, false])('given a client (node: %s), then its payment is accepted', async (hasNode) => {
    const wallet = await environment.aWallet()
    // The pending block has the current time; the latest block is old.
    await environment.chain.request('evm_increaseTime', [1_200])
    const client = aClient(wallet, hasNode ? {} : { rpcUrl: undefined })
    expect(await client.write('createTask', aTask)).toMatchObject({ kind: 'completed' })
  })
})

describe('A write whose caller is gone', () => {
  /** Creates a task over a connection that is lost; the key, and a client of a later process with the same files. */
  const aLostWrite = async (arrives: boolean) => {
    const wallet = await environment.aWallet()
    const directory = aWalletDirectory()
    const aProcess = () => ({ store: fileStore({ directory }) })
    const lost = aClient(wallet, {
      ...aProcess(),
      fetch: lossyFetch({ arrives }),
      timing: { ...quickTiming, waitMs: 500 },
    })
    const outcome = await lost.write('createTask', aTask)
    expect(outcome).toMatchObject({ kind: 'unknown' })
    return { wallet, key: String(outcome.key), client: aClient(wallet, aProcess()), directory }
  }

  test('given that it was done, then its key alone says so, and the ledger has it', async () => {
    const { wallet, key, client, directory } = await aLostWrite(true)
    const found = await client.lookUp(key)
    expect(found).toMatchObject({ kind: 'completed', answer: null, paid: 2_000_000n, key })
    if (found.kind !== 'completed' || found.taskId === null) throw new Error('no task')
    expect((await environment.chain.task(found.taskId as `0x${string}`)).requester.toLowerCase()).toBe(wallet.address)
    // The journal knows it now, without the service.
    const away = aClient(wallet, { store: fileStore({ directory }), fetch: lossyFetch({ arrives: false }) })
    expect(await away.lookUp(key)).toEqual(found)
    const { tasks } = await fileStore({ directory }).update(wallet.address, (state) => structuredClone(state))
    expect(tasks[found.taskId]).toEqual({ counted: '2000000', reward: '2000000' })
  })

  test('given that it never arrived, then it is open until its payment ends, and was not done after that', async () => {
    const { wallet, key, client } = await aLostWrite(false)
    const money = await environment.chain.watch({ wallet: wallet.address })
    expect(await client.lookUp(key, { waitMs: 0 })).toMatchObject({ kind: 'unknown', key })
    await environment.chain.passTime(310)
    expect(await client.lookUp(key)).toMatchObject({ kind: 'refused', reason: 'never_arrived', isKeyUsable: true })
    expect(await money.changes()).toEqual({ wallet: 0n })
    expect(await client.write('createTask', aTask, { key })).toMatchObject({ kind: 'completed', key })
    expect(await money.changes()).toEqual({ wallet: -2_000_000n })
  })

  test('given that its payment has ended, and a node that does not say whether it was used, then none is signed', async () => {
    const { wallet, key, client, directory } = await aLostWrite(false)
    const money = await environment.chain.watch({ wallet: wallet.address })
    await environment.chain.passTime(310)
    const cut = aClient(wallet, { store: fileStore({ directory }), timing: { ...quickTiming, waitMs: 500 } })
    const { chain } = cut.context
    const isAuthorizationUsed = () => Promise.reject(new TypeError('fetch failed'))
    cut.context.chain = chain && { ...chain, isAuthorizationUsed }
    expect(await cut.write('createTask', aTask, { key })).toMatchObject({ kind: 'unknown', key })
    expect(await money.changes()).toEqual({ wallet: 0n })
    expect(await client.write('createTask', aTask, { key })).toMatchObject({ kind: 'completed', key })
    expect(await money.changes()).toEqual({ wallet: -2_000_000n })
  })

  test('given that it was done, and a task that cannot be read at first, then its record says so', async () => {
    const [requester, worker] = [await environment.aWallet(), await environment.aWallet()]
    const taskId = await environment.createTask(requester)
    await environment.submit(worker, taskId)
    const input = { taskId, worker: worker.address }
    const store = fileStore({ directory: aWalletDirectory() })
    const timing = { ...quickTiming, waitMs: 500 }
    const lost = aClient(requester, { store, timing, fetch: lossyFetch({ arrives: true }) })
    expect(await lost.write('acceptSubmission', input)).toMatchObject({ kind: 'unknown' })
    let reads = 0
    const busy: typeof fetch = async (request, init) => {
      if (String(request).endsWith(`/api/tasks/${taskId}`) && reads++ === 0) throw new TypeError('fetch failed')
      return await fetch(request, init)
    }
    const client = aClient(requester, { store, fetch: busy })
    expect(await client.write('acceptSubmission', input)).toMatchObject({ kind: 'completed', paid: 1_000n })
    expect(reads).toBe(1)
  })

  test('given a claim that was done, which leaves nothing to claim, then its record says so', async () => {
    const { aWallet } = environment
    const claim = await payoutWrites.claimSponsoredReward({ environment, aWallet, seed: 0, alone: (work) => work() })
    const store = fileStore({ directory: aWalletDirectory() })
    let isGone = false
    const silent: typeof fetch = async (request, init) => {
      if (init?.method === 'POST') {
        await (await fetch(request, init)).arrayBuffer()
        isGone = true
      }
      if (isGone) throw new TypeError('the connection is lost')
      return await fetch(request, init)
    }
    const timing = { ...quickTiming, waitMs: 500 }
    const lost = aClient(claim.wallet, { store, timing, fetch: silent })
    expect(await lost.write('claimSponsoredReward', claim.input as never)).toMatchObject({ kind: 'unknown' })
    expect(await claim.countDone()).toBe(1)
    const again = await aClient(claim.wallet, { store }).write('claimSponsoredReward', claim.input as never)
    expect(again).toMatchObject({ kind: 'completed', answer: null })
  })
})

describe('The reads of a client', () => {
  test('given more rows than a page, with a sort and tags with commas, then the iterators go through all of them once, in that order', async () => {
    const [requester, worker] = [await environment.aWallet(), await environment.aWallet()]
    const client = aClient(requester)
    const made = []
    for (const reward of ['3000000', '1000000', '2000000']) {
      made.push(await environment.createTask(requester, { reward, tags: ['Red, green', 'Blue'] }))
    }
    const ids = []
    const query = { limit: 1, requester: requester.address, sort: 'reward_asc', tags: ['red, GREEN', 'blue'] }
    for await (const { id } of client.list('/api/tasks', { query })) ids.push(id)
    expect(ids).toEqual([made[1], made[2], made[0]])

    const taskId = await environment.createTask(requester)
    for (const _ of [1, 2, 3]) await environment.submit(worker, taskId)
    const rows = []
    const options = { path: { taskId }, query: { limit: 1 } }
    for await (const row of client.list('/api/tasks/{taskId}/submissions', options)) rows.push(row.id)
    expect(new Set(rows).size).toBe(3)
  })
})

describe('A free claim by the client', () => {
  test('given the wallet takes bound calls alone, then its text is bound to the call, and the forwarder takes it', async () => {
    const [requester, worker] = [await environment.aWallet(), await environment.aWallet()]
    const created = await aClient(requester).write('createTask', { ...aTask, mode: 'claim' })
    if (created.kind !== 'completed' || created.taskId === null) throw new Error(JSON.stringify(created))
    const client = aClient(worker)
    expect(await client.write('setBoundOnly', { boundOnly: true })).toMatchObject({ kind: 'completed' })
    const claim = { taskId: created.taskId }
    expect(await client.write('createClaim', claim)).toMatchObject({ kind: 'completed', paid: 0n })
    const artifacts = [{ fileName: 'a.txt', mimeType: 'text/plain', file: Buffer.from('Agora').toString('base64') }]
    expect(await client.write('createSubmission', { ...claim, artifacts })).toMatchObject({ kind: 'completed' })
  })
})
