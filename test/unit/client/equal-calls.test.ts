import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import type { Hex } from 'viem'
import { privateKeyToAccount } from 'viem/accounts'
import { afterEach, describe, expect, onTestFinished, test, vi } from 'vitest'
import type { Account } from '../../../client/src/account/account.ts'
import { type Client, type ClientOptions, createClient } from '../../../client/src/create-client.ts'
import { fileStore } from '../../../client/src/store/file-store.ts'
import type { WalletState } from '../../../client/src/store/store.ts'
import { aWalletDirectory } from '../../support/client/wallets.ts'
import { type PaidService, startPaidService, testDeployment } from './paid-service.ts'

const account = privateKeyToAccount(`0x${'42'.repeat(32)}`)
const task = { description: 'Haiku', reward: '5000000', duration: 24, tags: [] }
const submission = { taskId: `0x${'ab'.repeat(32)}`, artifacts: [] }
/** A wallet of a contract may sign the same text in another way each time. */
let signatures = 0
const moody: Account = {
  ...account,
  signMessage: async () => `0x${(signatures++).toString(16).padStart(130, '1')}` as Hex,
}

afterEach(() => void vi.useRealTimers())

async function aService(amount: bigint): Promise<PaidService> {
  const service = await startPaidService({ amount })
  onTestFinished(service.stop)
  return service
}

/** Clients of one wallet with the same files, each as a process of its own would be. */
function aWallet(url: string) {
  const directory = aWalletDirectory()
  const timing = { requestMs: 5_000, waitMs: 200, pauseMs: 20, maxPauseMs: 20 }
  const deployment = testDeployment
  const store = () => fileStore({ directory })
  const open = (options: Partial<ClientOptions> = {}): Client =>
    createClient({ url, account, deployment, store: store(), timing, ...options })
  const entries = () =>
    Object.values(
      (JSON.parse(readFileSync(join(directory, account.address.toLowerCase(), 'state.json'), 'utf8')) as WalletState)
        .entries,
    )
  return { open, entries, store }
}

/** The account; `pause` runs once in the middle of its first signature of a payment. */
function pausedIn(signer: Account, pause: () => Promise<unknown>): Account {
  let isFirst = true
  return {
    ...signer,
    signTypedData: async (data) => {
      if (isFirst) {
        isFirst = false
        await pause()
      }
      return await signer.signTypedData(data)
    },
  }
}

/** A `fetch` whose first requests wait for one another: so many calls have begun by then. */
function untilAllCall(count: number): typeof fetch {
  let arrived = 0
  let open = () => {}
  const all = new Promise<void>((resolve) => {
    open = resolve
  })
  return async (input, init) => {
    arrived += 1
    if (arrived >= count) open()
    await all
    return await fetch(input, init)
  }
}

describe('Equal calls', () => {
  test('given two at one time, then they are one write, and one of them says that it joined it', async () => {
    const service = await aService(5_000_000n)
    const { open, entries } = aWallet(service.url)
    const together = untilAllCall(2)
    const clients = [open({ fetch: together }), open({ fetch: together })]
    const outcomes = await Promise.all(clients.map((client) => client.write('createTask', task)))
    expect(outcomes.map(({ kind }) => kind)).toEqual(['completed', 'completed'])
    expect(outcomes.filter(({ joined }) => joined === true)).toHaveLength(1)
    // The nonce of a payment names the body: both sent the same salt, which is in the journal.
    expect(service.tasks()).toHaveLength(1)
    const choices = { documentSalt: expect.stringMatching(/^0x[0-9a-f]{64}$/) }
    expect(entries()).toMatchObject([{ state: 'completed', counted: '5000000', runs: {}, choices }])
  })

  test('given one whose wallet files become free after its equal was completed, then it joins that; a later one does not', async () => {
    const service = await aService(5_000_000n)
    const { open, entries, store } = aWallet(service.url)
    let free = () => {}
    const isFree = new Promise<void>((resolve) => {
      free = resolve
    })
    const files = store()
    const late = open({
      store: { ...files, update: (wallet, change) => isFree.then(() => files.update(wallet, change)) },
    })
    const joining = late.write('createTask', task)
    vi.useFakeTimers({ toFake: ['Date'], now: Date.now() + 1_000 })
    expect(await open().write('createTask', task)).toMatchObject({ kind: 'completed' })
    free()
    expect(await joining).toMatchObject({ kind: 'completed', joined: true })
    expect(service.tasks()).toHaveLength(1)
    expect(await open().write('createTask', task)).not.toHaveProperty('joined')
    expect(entries()).toHaveLength(2)
    expect(service.tasks()).toHaveLength(2)
  })

  test('given a registration that is done already, then nothing was paid, and it counts while its payment can be used', async () => {
    const service = await startPaidService({ amount: 1_000n, done: { agentId: '7', alreadyRegistered: true } })
    onTestFinished(service.stop)
    const { open, entries } = aWallet(service.url)
    const outcome = await open().write('registerIdentity', {})
    expect(outcome).toMatchObject({ kind: 'completed', paid: 0n, txHash: null, answer: { agentId: '7' } })
    expect(entries()).toMatchObject([{ state: 'completed', counted: '1000', isUnpaid: true }])
    vi.useFakeTimers({ toFake: ['Date'], now: Date.now() + 1_000_000 })
    await open().write('registerIdentity', {})
    expect(entries()).toMatchObject([{ counted: '0' }, { counted: '1000' }])
  })

  test('given one at work, then `again` and a key of its own make a second and a third write', async () => {
    const service = await aService(1_000_000n)
    const { open } = aWallet(service.url)
    const small = { ...task, reward: '1000000' }
    const others: unknown[] = []
    const first = open({
      account: pausedIn(account, async () => {
        others.push(await open().write('createTask', small, { again: true }))
        others.push(await open().write('createTask', small, { key: crypto.randomUUID() }))
      }),
    })
    const outcome = await first.write('createTask', small)
    expect([outcome, ...others].map((one) => Object.hasOwn(one as object, 'joined'))).toEqual([false, false, false])
    expect(service.tasks()).toHaveLength(3)
  })

  test('given one that is refused while its equal is at work, then it is open, and the last one settles it', async () => {
    const service = await aService(7_000_000n)
    const { open, entries } = aWallet(service.url)
    const joined: { kind: string }[] = []
    const fetching: typeof fetch = async (input, init) => {
      if (joined.length === 0) {
        joined.push({ kind: 'begun' })
        joined.push(await open().write('createTask', task))
      }
      return await fetch(input, init)
    }
    const last = await open({ fetch: fetching }).write('createTask', task)
    expect(joined[1]).toMatchObject({ kind: 'unknown', joined: true, message: /asks 7000000.*at work/ })
    expect(last).toMatchObject({ kind: 'refused', reason: 'wrong_price' })
    expect(entries()).toMatchObject([{ state: 'refused', runs: {} }])
    expect(service.payments).toEqual([])
  })

  test('given one that was answered after its equal had been refused, then it is done for both', async () => {
    const service = await aService(5_000_000n)
    const { open, entries } = aWallet(service.url)
    const declining: Account = { ...account, signTypedData: () => Promise.reject(new Error('Declined.')) }
    const asked: unknown[] = []
    const paying = pausedIn(account, async () => {
      asked.push(await open({ account: declining }).write('createTask', task))
    })
    expect(await open({ account: paying }).write('createTask', task)).toMatchObject({ kind: 'completed' })
    expect(asked).toMatchObject([{ kind: 'unknown', joined: true }])
    expect(entries()).toMatchObject([{ state: 'completed' }])
    expect(service.tasks()).toHaveLength(1)
  })

  /** A call is paused in the middle of a signature, and an equal one is made by another process meanwhile. */
  test.each([
    { seconds: 40, body: 'the same', signer: account, second: 'completed' },
    { seconds: 280, body: 'the same', signer: account, second: 'unknown' },
    { seconds: 400, body: 'the same', signer: account, second: 'completed' },
    { seconds: 40, body: 'another', signer: moody, second: 'unknown' },
    { seconds: 280, body: 'another', signer: moody, second: 'unknown' },
    { seconds: 400, body: 'another', signer: moody, second: 'completed' },
  ] as const)(
    'given one that is paused for $seconds s while it signs, and an equal one with $body body, then one payment can be used',
    async ({ seconds, signer, second }) => {
      const service = await aService(1_000n)
      vi.useFakeTimers({ toFake: ['Date'] })
      const { open } = aWallet(service.url)
      const start = Date.now()
      const paused = pausedIn(signer, async () => {
        vi.setSystemTime(start + seconds * 1_000)
        const outcome = await open({ account: signer }).write('createSubmission', submission)
        expect(outcome).toMatchObject({ kind: second, joined: true })
      })
      const first = await open({ account: paused }).write('createSubmission', submission)
      expect(first).toMatchObject({ kind: 'completed' })
      // USDC refuses what has ended when it arrives, and takes a nonce once.
      const now = start / 1_000 + seconds
      const usable = new Set(service.payments.filter(({ validBefore }) => validBefore > now).map(({ nonce }) => nonce))
      expect(usable.size).toBe(1)
      expect(service.tasks()).toHaveLength(1)
    },
  )
})
