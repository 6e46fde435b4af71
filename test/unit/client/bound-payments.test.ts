import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { type Hex, recoverMessageAddress } from 'viem'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { fromProvider, type Provider } from '../../../client/src/account/account.ts'
import { type WebStorage, webStore } from '../../../client/src/store/web-store.ts'
import { callTailOf } from '../../../protocol/bound-call.ts'
import { encodeCall, normalise } from '../../../protocol/derive.ts'
import type { ContractCall } from '../../../protocol/relay.ts'
import { runTool } from '../../support/client/silent-io.ts'
import {
  acceptance,
  answerAcceptance,
  callOfAcceptance,
  callOfCreation,
  challenge,
  creation,
  deployment,
  done,
  expectBound,
  type HostileService,
  hash,
  notFound,
  place,
  type Sent,
  saltOf,
  signer,
  startHostileService,
  taskId,
  toolEnvironment,
  worker,
} from './hostile-service.ts'

let service: HostileService

beforeAll(async () => {
  service = await startHostileService()
})

beforeEach(() => service.reset())

afterAll(() => service.stop())

describe('A paid write where the deployment file says `bound`', () => {
  test('given any challenge, then the payment names request and call, only the forwarder can submit it, and it lives 120 s', async () => {
    service.answer = ({ payment, method }) => {
      if (method === 'GET') return notFound
      return payment === null ? challenge(5_000_000n) : done
    }
    const market = service.aMarket()
    const began = Math.floor(Date.now() / 1000)
    expect(await market.write('createTask', creation)).toMatchObject({ kind: 'completed', paid: 5_000_000n })
    const [paid] = service.paidRequests()
    const call = callOfCreation(paid?.body ?? '')
    expect(call.escrowAmount).toBe(5_000_000n)
    await expectBound(service, [call])
    const life = Number(paid?.payment?.authorization.validBefore) - began
    expect([life >= 120, life <= 125]).toEqual([true, true])
    const [entry] = market.entries()
    expect(entry?.choices?.documentSalt).toBe(JSON.parse(paid?.body ?? '').documentSalt)
    expect(entry?.payment).toMatchObject({ salt: paid?.payment?.bound?.salt, escrow: '5000000' })
  })

  test('given a file without `bound`, then it is a plain payment that names its request', async () => {
    service.answer = ({ payment }) => (payment === null ? challenge(5_000_000n) : done)
    const market = service.aMarket({ deployment: place })
    expect(await market.write('createTask', creation)).toMatchObject({ kind: 'completed' })
    expect(service.signedData.map(({ primaryType }) => primaryType)).toEqual(['TransferWithAuthorization'])
    const paid = service.sent.find(({ payment }) => payment !== null)
    expect(paid?.payment?.bound).toBeUndefined()
    expect(paid?.payment?.authorization.nonce).toBe(await saltOf(paid as Sent))
  })

  test.each([{ bound: 'true' }, { bound: 1 }, { bound: null }])(
    'given a file with %o, then it is no deployment: nothing plain is signed for a slip of the pen',
    (slip) => {
      expect(() => service.aMarket({ deployment: { ...place, ...slip } })).toThrow('`bound`')
    },
  )

  test('given a dry run that was agreed to, then its very bytes are signed', async () => {
    service.answer = ({ payment }) => (payment === null ? challenge(5_000_000n) : done)
    const market = service.aMarket()
    const agreed = await market.preview('createTask', creation)
    if (agreed.kind !== 'preview' || agreed.call === null) throw new Error(JSON.stringify(agreed))
    expect(service.signedData).toEqual([])
    expect(await market.write('createTask', creation, { agreed })).toMatchObject({ kind: 'completed' })
    await expectBound(service, [agreed.call])
  })

  test('given a submission that changes after the person agreed, then nothing is signed, and with a person the new call is shown', async () => {
    let deliverable: Hex = hash('11')
    service.answer = answerAcceptance(
      () => deliverable,
      () => done,
    )
    const market = service.aMarket()
    const agreed = await market.preview('acceptSubmission', acceptance)
    if (agreed.kind !== 'preview') throw new Error(JSON.stringify(agreed))
    deliverable = hash('22')
    expect(await market.write('acceptSubmission', acceptance, { agreed })).toMatchObject({
      kind: 'refused',
      reason: 'facts_changed',
    })
    expect(service.signedData).toEqual([])
    const shown: ContractCall[] = []
    const decideAgain = async (call: ContractCall) => shown.push(call) > 0
    expect(await market.write('acceptSubmission', acceptance, { agreed, decideAgain })).toMatchObject({
      kind: 'completed',
    })
    expect(shown).toEqual([callOfAcceptance(hash('22'))])
    await expectBound(service, shown)
  })
})

describe('A journal in a browser', () => {
  test('given a page that is loaded again before the outcome is there, then it presents the same payment for the same call', async () => {
    const rows = new Map<string, string>()
    const storage: WebStorage = {
      getItem: (name) => rows.get(name) ?? null,
      setItem: (name, value) => void rows.set(name, value),
    }
    const load = () =>
      service.aMarket({ store: webStore({ storage, locks: { request: async (_, work) => await work() } }) })
    const isLost = { status: 502, body: { error: 'Bad gateway' } }
    service.answer = ({ payment, method }) => {
      if (method === 'GET') return isLost
      return payment === null ? challenge(5_000_000n) : isLost
    }
    const left = await load().write('createTask', creation)
    expect(left).toMatchObject({ kind: 'unknown' })
    service.answer = ({ payment, method }) => {
      if (method === 'GET') return notFound
      return payment === null ? challenge(5_000_000n) : done
    }
    const key = left.key ?? ''
    expect(await load().write('createTask', creation, { key })).toMatchObject({ kind: 'completed', key })
    const writes = service.paidRequests().filter(({ method }) => method === 'POST')
    expect(writes.length).toBeGreaterThan(1)
    expect(new Set(writes.map(({ payment, body }) => `${payment?.authorization.nonce} ${body}`)).size).toBe(1)
    expect([...rows.values()].join()).not.toContain(service.paidRequests()[0]?.payment?.signature)
  })
})

describe('A wallet that is no key', () => {
  test('given one of a browser or a contract, then it is asked for the same typed data, and its signature is service.sent as it is', async () => {
    service.answer = ({ payment }) => (payment === null ? challenge(5_000_000n) : done)
    const signature: Hex = `0x${'5a'.repeat(500)}`
    const asked: { method: string; params?: unknown }[] = []
    const provider: Provider = {
      request: async (call) => {
        asked.push(call)
        return signature
      },
    }
    const market = service.aMarket({ account: fromProvider(provider, signer.address) })
    expect(await market.write('createTask', creation)).toMatchObject({ kind: 'completed' })
    const [{ params = [] } = {}] = asked.filter(({ method }) => method === 'eth_signTypedData_v4')
    const typed = JSON.parse(String((params as unknown[])[1]))
    const [paid] = service.paidRequests()
    expect(typed).toMatchObject({ primaryType: 'ReceiveWithAuthorization', message: paid?.payment?.authorization })
    expect(paid?.payment?.signature).toBe(signature)
  })
})

describe('A free write where the deployment file says `bound`', () => {
  const readTask = (round: number, terms: Hex) => ({
    status: 200,
    body: { id: taskId, reward: '2000000', stakeBps: 0, claimRound: round, requester: worker, termsHash: terms },
  })

  test('given a claim, then its text ends with its call, the round included, and no plain text is signed', async () => {
    service.answer = ({ method, path }) => {
      if (path.startsWith('/api/intents')) return notFound
      return method === 'GET' ? readTask(2, hash('33')) : done
    }
    expect(await service.aMarket().write('createClaim', { taskId })).toMatchObject({ kind: 'completed' })
    const request = { taskId, workerAddress: signer.address, signature: '0x00' } as never
    const { data } = encodeCall('claims.create', normalise('claims.create', request), {
      deployment: place,
      actor: signer.address.toLowerCase() as Hex,
      facts: { termsHash: hash('33'), stake: 0n, claimRound: 2 },
    } as never)
    const text = `service:claim:${taskId}:2${callTailOf(data, place)}`
    const claims = service.signedTexts.filter((message) => message.startsWith('service:claim:'))
    expect(claims).toEqual([text])
    const posted = service.sent.find(({ method }) => method === 'POST')
    const { signature } = JSON.parse(posted?.body ?? '{}')
    expect(await recoverMessageAddress({ message: text, signature })).toBe(signer.address)
  })

  test('given a submission, then its text names the manifest of its files and nothing of another delivery', async () => {
    service.answer = ({ path }) => (path.startsWith('/api/intents') ? notFound : done)
    const artifacts = [{ fileName: 'a.txt', mimeType: 'text/plain', file: Buffer.from('Agora').toString('base64') }]
    const market = service.aMarket()
    const agreed = await market.preview('createSubmission', { taskId, artifacts })
    if (agreed.kind !== 'preview' || agreed.call === null) throw new Error(JSON.stringify(agreed))
    const input = { taskId, artifacts }
    expect(await market.write('createSubmission', input, { agreed })).toMatchObject({ kind: 'completed' })
    const submissions = service.signedTexts.filter((message) => message.startsWith('service:submit:'))
    expect(submissions).toEqual([`service:submit:${taskId}${callTailOf(agreed.call.data, place)}`])
  })

  test('given files that are uploaded first, then the text that asks for it is one that no contract accepts', async () => {
    service.answer = () => ({ status: 403, body: { error: 'No.', service: { reason: 'payment_preflight_rejected' } } })
    const env = toolEnvironment(service.url, { ...deployment, local: false })
    const work = join(env.TASK_MARKET_HOME, 'work.bin')
    writeFileSync(work, Buffer.alloc(8 * 1024 * 1024 + 1))
    await runTool(['task', 'submit', taskId, '--file', work, '--yes'], { env })
    const asked = service.sent.find(({ path }) => path.endsWith('/request-upload-url'))
    const { signature } = JSON.parse(asked?.body ?? '{}')
    const message = `service:upload:8453:${place.forwarder}:${taskId}:${signer.address.toLowerCase()}`
    expect(await recoverMessageAddress({ message, signature })).toBe(signer.address)
  })
})
