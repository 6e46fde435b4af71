import { randomUUID } from 'node:crypto'
import fc from 'fast-check'
import type { Hex, PublicClient } from 'viem'
import { beforeAll, expect, test } from 'vitest'
import { verifyMessage } from '../../../api/chain/signatures.ts'
import { readsCredential } from '../../../api/features/define-route.ts'
import { fullPath } from '../../../api/server/router.ts'
import { routes } from '../../../api/server/routes.ts'
import { type Actor, anActor, readHeadersOf } from '../../support/actors.ts'
import { byDepth } from '../../support/depth.ts'
import { aStartedApi } from '../writes/started-api.ts'

const ADDRESS = 'X-Service-Caller-Address'
const SIGNATURE = 'X-Service-Caller-Signature'
const GRANT = 'X-Service-Task-Access-Grant'
const TOKEN = 'X-Service-Api-Token'
const reads = routes.filter(({ method }) => method === 'get')

const requester = anActor()
const alice = anActor()

/** A real id for every path parameter, so that every route gets past its first look-up. */
let known: Record<string, string>
const api = aStartedApi({ WRONG_IDENTITIES_PER_MINUTE: '1000000' })
beforeAll(async () => {
  // The signature check of the service itself, on a chain without contract wallets.
  const client = { getCode: async () => undefined } as unknown as PublicClient
  api.chain.verifyMessage = (signed) => verifyMessage(client, signed)
  const task = await api.seed.task({ requester: requester.address }, { submissionVisibility: 'never' })
  const submission = await api.seed.submission(task.id, alice.address)
  const { id } = await api.seed.rating(task, alice.address, 50, 'fine')
  known = { taskId: task.id, submissionId: submission.id, artifactId: submission.artifactIds[0] ?? '', id }
})

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

const read = async (path: string, headers: Record<string, string> = {}) => {
  const response = await api.app.request(path, { headers })
  return { status: response.status, text: await response.text() }
}

test.each(reads.map((route) => [route.operationId, route] as const))(
  'given GET %s and the signature of another wallet, then the caller is an anonymous one',
  async (_, route) => {
    const path = pathOf(route)
    const anonymous = await read(path)
    for (const headers of [
      { ...(await readHeadersOf(alice)), [ADDRESS]: requester.address },
      Object.fromEntries([ADDRESS, SIGNATURE, GRANT, TOKEN].map((name) => [name, '1.1.1'])),
    ]) {
      const answer = await read(path, headers)
      expect(answer.status).toBe(anonymous.status)
      if (readsCredential(route, 'identity')) expect(answer.text).toBe(anonymous.text)
    }
  },
)

test('given a proof that cannot be checked, then the caller is an anonymous one', async () => {
  const path = `/api/tasks/${known.taskId}/submissions`
  const good = await readHeadersOf(requester)
  const anonymous = await read(path)
  expect(await read(path, good)).not.toEqual(anonymous)
  const expectAnonymous = async (headers: Record<string, string>) =>
    expect(await read(path, headers), JSON.stringify(headers).slice(0, 300)).toEqual(anonymous)
  for (const text of fixedGarbage) {
    await expectAnonymous({ ...good, [ADDRESS]: text })
    await expectAnonymous({ ...good, [SIGNATURE]: text })
    await expectAnonymous({ [GRANT]: text, [TOKEN]: text, [ADDRESS]: text, [SIGNATURE]: text })
  }
  for (const signature of await variantsOf(requester)) await expectAnonymous({ ...good, [SIGNATURE]: signature })
  for (const name of [ADDRESS, SIGNATURE]) {
    await expectAnonymous({ [name]: good[name] ?? '' })
    // Sent twice, a header arrives as one text with a comma.
    await expectAnonymous({ ...good, [name]: `${good[name]}, ${good[name]}` })
  }
  await fc.assert(
    fc.asyncProperty(headerBytes, headerBytes, headerBytes, async (address, signature, other) => {
      await expectAnonymous({ [ADDRESS]: address, [SIGNATURE]: signature, [GRANT]: other, [TOKEN]: other })
    }),
    { numRuns: byDepth(20, 1_000) },
  )
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
