import { randomUUID } from 'node:crypto'
import fc from 'fast-check'
import type { Hex, PublicClient } from 'viem'
import { afterAll, beforeAll, beforeEach, describe, expect, test, vi } from 'vitest'
import { verifyMessage } from '../../../api/chain/signatures.ts'
import { readsCredential } from '../../../api/features/define-route.ts'
import { fullPath } from '../../../api/server/router.ts'
import { routes } from '../../../api/server/routes.ts'
import { type Actor, anActor, readHeadersOf } from '../../support/actors.ts'
import { startTestApi, type TestApi } from '../../support/api.ts'
import { byDepth, isDeep } from '../../support/depth.ts'

// Thousands of requests a test.
vi.setConfig({ testTimeout: 120_000 })

const ADDRESS = 'X-Service-Caller-Address'
const SIGNATURE = 'X-Service-Caller-Signature'
const GRANT = 'X-Service-Task-Access-Grant'
const TOKEN = 'X-Service-Api-Token'
const reads = routes.filter(({ method }) => method === 'get')

const requester = anActor()
const alice = anActor()

let api: TestApi
let checks: number
/** A real id for every path parameter, so that every route gets past its first look-up. */
let known: Record<string, string>
beforeAll(async () => {
  api = await startTestApi({ WRONG_IDENTITIES_PER_MINUTE: '1000000' })
  // The signature check of the service itself, on a chain without contract wallets.
  const client = { getCode: async () => undefined } as unknown as PublicClient
  api.chain.verifyMessage = async (signed) => {
    checks += 1
    return await verifyMessage(client, signed)
  }
  const task = await api.seed.task({ requester: requester.address }, { submissionVisibility: 'never' })
  const submission = await api.seed.submission(task.id, alice.address)
  const { id } = await api.seed.rating(task, alice.address, 50, 'fine')
  known = { taskId: task.id, submissionId: submission.id, artifactId: submission.artifactIds[0] ?? '', id }
})
beforeEach(() => {
  checks = 0
})
afterAll(() => api.stop())

const pathOf = (route: (typeof routes)[number]) =>
  fullPath(route).replace(/\{(\w+)\}/g, (_, name: string) => known[name] ?? randomUUID())

const CURVE_ORDER = 0xfffffffffffffffffffffffffffffffebaaedce6af48a03bbfd25e8cd0364141n
const hex32 = (value: bigint) => value.toString(16).padStart(64, '0')

/** A genuine signature in forms that no contract and no rule of the service takes. */
async function variantsOf(actor: Actor): Promise<Hex[]> {
  const signature = await actor.account.signMessage({ message: `service:read:${actor.address}` })
  const [r, s] = [signature.slice(2, 66), BigInt(`0x${signature.slice(66, 130)}`)]
  const parity = Number.parseInt(signature.slice(130), 16) - 27
  const compact = s | (BigInt(parity) << 255n)
  return [
    // The malleable twin, which recovers to the same address.
    `0x${r}${hex32(CURVE_ORDER - s)}${(28 - parity).toString(16)}`,
    ...['02', '1a', '1d', 'ff', parity === 0 ? '1c' : '1b'].map((v): Hex => `0x${r}${hex32(s)}${v}`),
    // EIP-2098, of the other parity.
    `0x${r}${hex32(compact ^ (1n << 255n))}`,
    `0x${hex32(0n)}${hex32(s)}1b`,
    `0x${r}${hex32(0n)}1b`,
    `0x${hex32(CURVE_ORDER)}${hex32(s)}1b`,
    `0x${'ff'.repeat(64)}1b`,
    `${signature}00`,
  ]
}

/** Header values as a client can send them: bytes without NUL, CR and LF, whatever they mean. */
const headerBytes = fc
  .array(fc.integer({ min: 1, max: 255 }), { maxLength: 200 })
  .map((bytes) => String.fromCharCode(...bytes).replace(/[\r\n]/g, ' '))

const fixedGarbage = [
  '',
  ' ',
  '0x',
  'null',
  'undefined',
  '[object Object]',
  '0x0',
  '\t',
  '%00',
  '{"a":1}',
  "' or 1=1 --",
  ', ,',
  `0x${'0'.repeat(40)}`,
  `0X${'F'.repeat(40)}`,
  `0x${'f'.repeat(130)}`,
  `0x${'ab'.repeat(1024)}`,
  '1.1.1',
  'x'.repeat(60_000),
  `0x${'ab'.repeat(30_000)}`,
  Buffer.from('🦀 ΩΣ').toString('latin1'),
  '\u00ff\u0080',
]

/** Garbage is dealt to the routes in turn, a seventh to each: what a header proves is decided once, before any route. */
const dealTo = <Text>(route: number, texts: readonly Text[]) =>
  texts.filter((_, index) => isDeep || index % 7 === route % 7)

describe.each(reads.map((route, index) => [route.operationId, route, index] as const))('GET %s', (_, route, index) => {
  let path: string
  let anonymous: { status: number; text: string }
  const read = async (headers: Record<string, string>) => {
    const response = await api.app.request(path, { headers })
    return { status: response.status, text: await response.text() }
  }
  beforeAll(async () => {
    path = pathOf(route)
    anonymous = await read({})
  })
  const expectAnonymous = async (headers: Record<string, string>) => {
    const answer = await read(headers)
    expect(answer.status, JSON.stringify(headers).slice(0, 300)).toBe(anonymous.status)
    if (readsCredential(route, 'identity'))
      expect(answer.text, JSON.stringify(headers).slice(0, 300)).toBe(anonymous.text)
  }

  test('answers a caller whose proof cannot be checked as an anonymous one', async () => {
    const good = await readHeadersOf(requester)
    for (const text of dealTo(index, fixedGarbage)) {
      await expectAnonymous({ ...good, [ADDRESS]: text })
      await expectAnonymous({ ...good, [SIGNATURE]: text })
      await expectAnonymous({ [GRANT]: text, [TOKEN]: text, [ADDRESS]: text, [SIGNATURE]: text })
    }
    for (const signature of dealTo(index, await variantsOf(requester)))
      await expectAnonymous({ ...good, [SIGNATURE]: signature })
    await expectAnonymous({ ...(await readHeadersOf(alice)), [ADDRESS]: requester.address })
    for (const name of [ADDRESS, SIGNATURE]) await expectAnonymous({ [name]: good[name] ?? '' })
    // Sent twice, a header arrives as one text with a comma.
    for (const name of [ADDRESS, SIGNATURE]) await expectAnonymous({ ...good, [name]: `${good[name]}, ${good[name]}` })
    await fc.assert(
      fc.asyncProperty(headerBytes, headerBytes, headerBytes, async (address, signature, other) => {
        await expectAnonymous({ [ADDRESS]: address, [SIGNATURE]: signature, [GRANT]: other, [TOKEN]: other })
      }),
      { numRuns: byDepth(1, 100) },
    )
  })
})

test('the genuine form is the caller, in any letter case', async () => {
  const list = async (headers: Record<string, string>) =>
    (await api.get(`/api/tasks/${known.taskId}/submissions`, headers)).body.length
  const { [ADDRESS]: address = '', [SIGNATURE]: signature = '' } = await readHeadersOf(requester)
  expect(await list({})).toBe(0)
  expect(await list({ [ADDRESS]: address, [SIGNATURE]: signature })).toBe(1)
  const upper = (text: string) => `0x${text.slice(2).toUpperCase()}`
  expect(await list({ [ADDRESS]: upper(address), [SIGNATURE]: upper(signature) })).toBe(1)
  expect(await list({ [ADDRESS]: ` ${address} `, [SIGNATURE]: ` ${signature} ` })).toBe(1)
})

test('what cannot be an address or a signature is not checked at all', async () => {
  const good = await readHeadersOf(anActor())
  for (const text of fixedGarbage.filter((garbage) => !/^0x(..){64,1024}$/.test(garbage))) {
    await api.get(`/api/tasks/${known.taskId}`, { ...good, [SIGNATURE]: text })
  }
  for (const text of fixedGarbage.filter((garbage) => garbage.length !== 42)) {
    await api.get(`/api/tasks/${known.taskId}`, { ...good, [ADDRESS]: text })
  }
  expect(checks).toBe(0)
})

test('every answer that depends on the caller is private and varies by all headers that identify the caller', async () => {
  for (const route of reads.filter(({ audience = 'anyone' }) => audience !== 'anyone')) {
    const { status, headers } = await api.get(pathOf(route))
    // No cache keeps an error.
    if (status >= 400) {
      expect(headers.get('cache-control'), route.operationId).toBe('no-store')
      continue
    }
    expect(headers.get('cache-control'), route.operationId).toMatch(/private/)
    const varies = headers.get('vary')?.toLowerCase() ?? ''
    for (const name of [ADDRESS, SIGNATURE, GRANT, TOKEN]) {
      expect(varies, `${route.operationId} ${name}`).toContain(name.toLowerCase())
    }
  }
})
