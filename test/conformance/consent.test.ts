import { spawnSync } from 'node:child_process'
import type { Hex } from 'viem'
import { describe, expect, test } from 'vitest'
import { type Actor, anActor } from '../support/actors.ts'
import { openWorld } from '../support/conformance.ts'
import { expectRefusal } from '../support/conformance-refusal.ts'
import { aClaimBody, aClaimTask, anAuctionTask, aTaskBody } from '../support/conformance-scenes.ts'
import { aConsentSwitch } from '../support/consent-switch.ts'
import { openForeignShop } from '../support/foreign-shop.ts'
import { aKey } from '../support/paying-client.ts'
import { createProvingFetch } from '../support/proving-fetch.ts'
import { createPayingFetch } from '../support/scenarios/paying-fetch.ts'

/** Interface, "Corrections after the first build": Consent. A payment proves money, not intent. */

const world = openWorld()

/** A write that somebody else would like a wallet to have made. */
interface Target {
  victim: Actor
  path: string
  body?: unknown
}

const aVictim = () => world.aWallet()

/** Signs the switch of this deployment; `changes` say what differs. */
async function switchBody(wallet: Actor, required: boolean, changes: { timestamp?: bigint; forwarder?: Hex } = {}) {
  const { timestamp = await world.chain.headTime(), forwarder = world.chain.deployment.forwarder } = changes
  return await aConsentSwitch(wallet, { required, timestamp, forwarder })
}

async function switchOn(wallet: Actor): Promise<void> {
  const { status, body } = await world.post('/wallet/consent', { body: await switchBody(wallet, true) })
  expect({ status, body }).toEqual({ status: 200, body: { walletAddress: wallet.account.address, required: true } })
}

const isOn = async ({ address }: Actor) => (await world.get(`/wallet/consent?address=${address}`)).body

/** The attack: a thief quotes our requirement to a stock client of the victim, and presents what it paid with. */
async function present({ victim, path, body }: Target, headers: Record<string, string> = {}) {
  const key = aKey()
  const asked = await world.post(path, { body, key })
  expect(asked.status, asked.text).toBe(402)
  const shop = openForeignShop(asked.body.accepts[0])
  const customer = createPayingFetch({ chain: world.chain, fetch: shop.fetch }, victim)
  expect((await customer('https://shop.example/picture')).status).toBe(200)
  return await world.post(path, { body, key, payment: shop.loot(), headers })
}

/** A task with a submission of honest work and one of a thief, whom the victim shall pay. */
async function aContest(fields: Record<string, unknown> = {}) {
  const [victim, thief] = [await aVictim(), anActor()]
  const taskId = await world.createTask(victim, fields)
  await world.submit(anActor(), taskId)
  await world.submit(thief, taskId)
  return { victim, thief, taskId }
}

describe('a payment that was signed for another shop', () => {
  test('acts for a wallet that never used consent: what a stock client risks', async () => {
    const { victim, thief, taskId } = await aContest()
    const money = await world.chain.watch({ thief: thief.address })
    const { status } = await present({ victim, path: `/tasks/${taskId}/accept`, body: { worker: thief.address } })
    expect(status).toBe(200)
    expect((await money.changes()).thief).toBeGreaterThan(0n)
  })

  const judged = async (fields: Record<string, unknown> = {}) => {
    const [requester, evaluator] = [await aVictim(), await aVictim()]
    const [resolver, alice] = [await aVictim(), await aVictim()]
    const judges = { evaluator: evaluator.address, evaluatorFeeBps: 1000, disputeResolver: resolver.address }
    const taskId = await world.createTask(requester, aClaimTask({ ...judges, ...fields }))
    await world.claim(alice, taskId)
    await world.submit(alice, taskId)
    return { requester, evaluator, resolver, alice, taskId }
  }
  const disputed = async () => {
    const scene = await judged()
    const { evaluator, alice, taskId } = scene
    expect((await world.pay(evaluator, `/tasks/${taskId}/evaluate`, { verdict: 'reject' })).status).toBe(200)
    expect((await world.pay(alice, `/tasks/${taskId}/appeal`, {})).status).toBe(200)
    return scene
  }
  const at = (victim: Actor, taskId: Hex, verb: string, body?: unknown): Target => ({
    ...{ victim, path: `/tasks/${taskId}/${verb}` },
    ...(body !== undefined && { body }),
  })

  const targets: [string, () => Promise<Target>][] = [
    ['tasks.create', async () => ({ victim: await aVictim(), path: '/tasks', body: aTaskBody() })],
    [
      'tasks.update',
      async () => {
        const victim = await aVictim()
        return at(victim, await world.createTask(victim), 'update', { description: 'Something else' })
      },
    ],
    [
      'tasks.cancel',
      async () => {
        const victim = await aVictim()
        return at(victim, await world.createTask(victim), 'cancel')
      },
    ],
    [
      'tasks.accept',
      async () => {
        const { victim, thief, taskId } = await aContest()
        return at(victim, taskId, 'accept', { worker: thief.address })
      },
    ],
    [
      'tasks.acceptSubmissions',
      async () => {
        const { victim, thief, taskId } = await aContest()
        return at(victim, taskId, 'accept-submissions', { winners: [{ worker: thief.address, share: 10_000 }] })
      },
    ],
    [
      'submissions.reject',
      async () => {
        const { victim, thief, taskId } = await aContest()
        return at(victim, taskId, 'reject-submission', { worker: thief.address })
      },
    ],
    [
      'tasks.rate',
      async () => {
        const { victim, thief, taskId } = await aContest()
        await world.accept(victim, taskId, thief)
        return at(victim, taskId, 'rate', { worker: thief.address, rating: 100 })
      },
    ],
    [
      'tasks.object',
      async () => {
        const [victim, alice] = [await aVictim(), await aVictim()]
        const taskId = await world.createTask(victim, aClaimTask())
        await world.claim(alice, taskId)
        await world.submit(alice, taskId)
        return at(victim, taskId, 'object')
      },
    ],
    [
      'tasks.assignEvaluator, of 9250 bps',
      async () => {
        const victim = await aVictim()
        const body = { evaluator: anActor().address, evaluatorFeeBps: 9250 }
        return at(victim, await world.createTask(victim), 'evaluator', body)
      },
    ],
    [
      'tasks.evaluate',
      async () => {
        const { evaluator, taskId } = await judged()
        return at(evaluator, taskId, 'evaluate', { verdict: 'approve' })
      },
    ],
    [
      'tasks.appeal',
      async () => {
        const { evaluator, alice, taskId } = await judged()
        expect((await world.pay(evaluator, `/tasks/${taskId}/evaluate`, { verdict: 'reject' })).status).toBe(200)
        return at(alice, taskId, 'appeal', {})
      },
    ],
    [
      'tasks.resolveDispute',
      async () => {
        const { resolver, alice, taskId } = await disputed()
        const awards = [{ worker: alice.address, amount: '1000000', rank: 1 }]
        return at(resolver, taskId, 'resolve-dispute', { verdict: 'partial', awards })
      },
    ],
    [
      'pitches.select',
      async () => {
        const [victim, thief] = [await aVictim(), await aVictim()]
        const taskId = await world.createTask(victim, { mode: 'pitch' })
        const pitch = { workerAddress: thief.address, pitchText: 'Me', signature: 'paid' }
        expect((await world.pay(thief, `/tasks/${taskId}/pitches`, pitch)).status).toBe(200)
        const [{ id }] = (await world.get(`/tasks/${taskId}/pitches`)).body
        return at(victim, taskId, 'pitches/select', { pitchId: id, workerAddress: thief.address })
      },
    ],
    [
      'pitches.create',
      async () => {
        const victim = await aVictim()
        const taskId = await world.createTask(await aVictim(), { mode: 'pitch' })
        return at(victim, taskId, 'pitches', { workerAddress: victim.address, pitchText: 'I will', signature: 'paid' })
      },
    ],
    [
      'bids.create',
      async () => {
        const taskId = await world.createTask(await aVictim(), anAuctionTask('english'))
        return at(await aVictim(), taskId, 'bids', { price: '1000' })
      },
    ],
    [
      'claims.create, with a stake',
      async () => {
        const victim = await aVictim()
        const taskId = await world.createTask(await aVictim(), aClaimTask({ stakeBps: 1000 }))
        return at(victim, taskId, 'claim', await aClaimBody(victim, taskId))
      },
    ],
  ]

  test.each(targets)('with consent on, is 403 and free at %s, where its wallet’s own is taken', async (_name, open) => {
    const target = await open()
    const { victim, path, body } = target
    await switchOn(victim)
    const money = await world.chain.watch({ victim: victim.address })
    const permanent = {
      'X-Service-Caller-Address': victim.address,
      'X-Service-Caller-Signature': await victim.account.signMessage({ message: `service:read:${victim.address}` }),
    }
    for (const headers of [{}, permanent]) {
      const { error } = expectRefusal(await present(target, headers), 403, 'payment_preflight_rejected')
      expect(error).toContain('X-Service-Payment-Proof')
      expect(error).toContain(`POST /api${path}`)
    }
    expect(await money.changes()).toEqual({ victim: 0n })
    const { status, body: answer } = await (await world.clientOf(victim)).payBound({ path, body, key: aKey() })
    expect({ status, answer }).toMatchObject({ status: 200 })
  })
})

describe('a payment that names its request', () => {
  test('by its nonce, from a wallet that never decided, switches consent on', async () => {
    const requester = await world.aWallet()
    const client = await world.clientOf(requester)
    expect(await isOn(requester)).toEqual({ required: false })
    expect((await client.payBound({ path: '/tasks', body: aTaskBody(), key: aKey() })).status).toBe(200)
    expect(await isOn(requester)).toEqual({ required: true })
    const call = { path: '/tasks', body: aTaskBody(), key: aKey() }
    expectRefusal(await client.pay(call), 403, 'payment_preflight_rejected')
    // The key stays usable, and the wallet has what names the request to add.
    const payment = await client.sign(await client.challenge(call))
    const proven = { ...call, headers: await client.proofOf(call, payment) }
    expect((await client.sendPaid(proven, payment)).status).toBe(200)
  })

  test('by the header, from a wallet that never decided, switches consent on', async () => {
    const requester = await world.aWallet()
    const client = await world.clientOf(requester)
    const call = { path: '/tasks', body: aTaskBody(), key: aKey() }
    const payment = await client.sign(await client.challenge(call))
    const proven = { ...call, headers: await client.proofOf(call, payment) }
    expect((await client.sendPaid(proven, payment)).status).toBe(200)
    expect(await isOn(requester)).toEqual({ required: true })
  })

  test('by the header that a stock client gets from the fetch beneath it, switches consent on', async () => {
    const requester = await world.aWallet()
    const proving = createProvingFetch(requester.account, world)
    const pay = createPayingFetch({ chain: world.chain, fetch: proving }, requester)
    const create = async () => {
      const headers = { 'Content-Type': 'application/json', 'X-Service-Idempotency-Key': aKey() }
      return await pay(`${world.baseUrl}/api/tasks`, { method: 'POST', headers, body: JSON.stringify(aTaskBody()) })
    }
    expect((await create()).status).toBe(200)
    expect(await isOn(requester)).toEqual({ required: true })
    expect((await create()).status).toBe(200)
  })

  test('as the signing script makes it when it is told the request, switches consent on', async () => {
    const requester = await world.aWallet()
    const [key, body] = [aKey(), JSON.stringify(aTaskBody())]
    const sign = (challenge: string, request: string[]) =>
      spawnSync(process.execPath, ['scripts/sign.mjs', 'payment', ...request], {
        ...{ input: challenge, encoding: 'utf8', env: { ...process.env, KEY: requester.key } },
      })
    const { text } = await world.post('/tasks', { key, body })
    expect(sign(text, ['POST /api/tasks'])).toMatchObject({ status: 1, stderr: expect.stringMatching(/^Usage/) })
    const payment = sign(text, ['POST /api/tasks', key, body]).stdout.trim()
    expect((await world.post('/tasks', { key, body, payment })).status).toBe(200)
    expect(await isOn(requester)).toEqual({ required: true })
  })

  test('is taken once: two requests of one key and body at a time, and again after both', async () => {
    const requester = await world.aWallet()
    const client = await world.clientOf(requester)
    const money = await world.chain.watch({ requester: requester.address })
    const call = { path: '/tasks', body: aTaskBody(), key: aKey() }
    const replies = await Promise.all(
      [client.payBound(call), client.payBound(call)].map((reply) => reply.catch(() => null)),
    )
    const landed = replies.filter((reply) => reply?.status === 200)
    expect(landed).toHaveLength(1)
    expectRefusal(await client.send(call), 409, 'idempotency_key_reused')
    expect(await money.changes()).toEqual({ requester: -2_000_000n })
  })

  test('is signed again for the same request when its window is over, and then taken once', async () => {
    const requester = await world.aWallet()
    const client = await world.clientOf(requester)
    const call = { path: '/tasks', body: aTaskBody(), key: aKey() }
    const nonce = await client.nonceOf(call)
    const over = await client.sign(await client.challenge(call), {
      ...{ nonce, validBefore: String((await world.chain.headTime()) - 1n) },
    })
    expectRefusal(await client.sendPaid(call, over), 402, 'payment_rejected')
    const money = await world.chain.watch({ requester: requester.address })
    const again = await client.sign(await client.challenge(call), { nonce })
    expect((await client.sendPaid(call, again)).status).toBe(200)
    const third = await client.sign(await client.challenge({ ...call, key: aKey() }), { nonce, validAfter: '1' })
    expectRefusal(await client.sendPaid(call, third), 409, 'idempotency_key_reused')
    // Under another key the nonce names no request, and USDC has used it.
    expectRefusal(await client.sendPaid({ ...call, key: aKey() }, third), 409, 'payment_already_spent')
    expect(await money.changes()).toEqual({ requester: -2_000_000n })
  })
})

describe('POST /wallet/consent', () => {
  test('switches off and on again, each time with a later timestamp', async () => {
    const wallet = await world.aWallet()
    const now = await world.chain.headTime()
    const change = async (required: boolean, timestamp: bigint) =>
      (await world.post('/wallet/consent', { body: await switchBody(wallet, required, { timestamp }) })).status
    expect(await change(true, now)).toBe(200)
    expect(await change(false, now + 1n)).toBe(200)
    expect(await isOn(wallet)).toEqual({ required: false })
    const client = await world.clientOf(wallet)
    // Who decided keeps what was decided: a proven payment does not switch on again.
    expect((await client.payBound({ path: '/tasks', body: aTaskBody(), key: aKey() })).status).toBe(200)
    expect(await isOn(wallet)).toEqual({ required: false })
    expect((await client.pay({ path: '/tasks', body: aTaskBody(), key: aKey() })).status).toBe(200)
    expect(await change(true, now + 2n)).toBe(200)
    expect(await isOn(wallet)).toEqual({ required: true })
  })

  test('switches that are repeated, old, from the future, of another deployment or wallet do nothing', async () => {
    const wallet = await world.aWallet()
    const now = await world.chain.headTime()
    const first = await switchBody(wallet, true, { timestamp: now })
    expect((await world.post('/wallet/consent', { body: first })).status).toBe(200)
    const off = (changes: { timestamp?: bigint; forwarder?: Hex }) => switchBody(wallet, false, changes)
    const refused: [object, 400 | 403 | 409][] = [
      [first, 409],
      [await off({ timestamp: now }), 409],
      [await off({ timestamp: now - 100n }), 409],
      [await off({ timestamp: now - 400n }), 400],
      [await off({ timestamp: now + 400n }), 400],
      [await off({ timestamp: now + 1n, forwarder: `0x${'ab'.repeat(20)}` }), 403],
      [{ ...(await switchBody(anActor(), false, { timestamp: now + 1n })), walletAddress: wallet.address }, 403],
      [{ ...(await switchBody(wallet, true, { timestamp: now + 1n })), required: false }, 403],
    ]
    for (const [body, status] of refused) {
      expectRefusal(await world.post('/wallet/consent', { body }), status, 'unclassified')
      expect(await isOn(wallet)).toEqual({ required: true })
    }
  })
})
