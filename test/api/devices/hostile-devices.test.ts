import { randomUUID } from 'node:crypto'
import fc from 'fast-check'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { type ErrorStatus, errorCodes } from '../../../protocol/reasons.ts'
import { anActor } from '../../support/actors.ts'
import { type Answer, startTestApi, type TestApi } from '../../support/api.ts'
import { byDepth } from '../../support/depth.ts'

const wallet = anActor()

let api: TestApi
let paths: string[]
beforeAll(async () => {
  api = await startTestApi()
  const { body } = await api.post('/api/devices', { walletAddress: wallet.address })
  paths = ['/api/devices', `/api/devices/${body.deviceId}/key`, `/api/devices/${randomUUID()}/key`]
})
afterAll(() => api.stop())

/** A refusal in the layout of all errors, or a device from the valid fields. */
function expectNoFailure({ status, body }: Answer, what: string): void {
  expect([200, 400, 401, 403], what).toContain(status)
  if (status === 200) return
  expect(body, what).toMatchObject({ code: errorCodes[status as ErrorStatus], service: { reason: 'unclassified' } })
  expect(JSON.stringify(body), what).not.toMatch(/node_modules|\.ts:|select |insert |PostgresError|Error:/)
}

const hostileValues: unknown[] = [
  null,
  true,
  0,
  -1,
  1e308,
  '',
  ' ',
  '0x',
  '\0',
  'a\0b',
  '\ud800',
  '🦀'.repeat(500),
  'x'.repeat(200_000),
  [],
  {},
  [null],
  { toString: 1 },
  { length: 66 },
  "'; drop table devices; --",
  `0x${'0'.repeat(40)}`,
  `0x${'g'.repeat(40)}`,
  `0x02${'0'.repeat(64)}`,
  `0x03${'f'.repeat(64)}`,
  `0x00${'1'.repeat(64)}`,
  `0x${'f'.repeat(130)}`,
  '0'.repeat(64),
]

test('given every hostile value in every field, then it is refused or harmless', async () => {
  for (const path of paths) {
    for (const field of [
      'walletAddress',
      'publicKey',
      'signature',
      'deviceId',
      'apiToken',
      'constructor',
      '__proto__',
    ]) {
      for (const value of hostileValues) {
        const what = `${path} ${field}=${JSON.stringify(value).slice(0, 80)}`
        expectNoFailure(await api.post(path, { walletAddress: wallet.address, [field]: value }), what)
      }
    }
  }
})

test('given bodies of any kind, then they are refused', async () => {
  for (const path of paths) {
    for (const text of ['', 'null', '[]', '"x"', '{', '1e999', '{"__proto__":{"walletAddress":1}}']) {
      expectNoFailure(await api.post(path, text), `${path} ${text}`)
    }
    await fc.assert(
      fc.asyncProperty(fc.jsonValue({ maxDepth: 4 }), async (value) => {
        expectNoFailure(await api.post(path, JSON.stringify(value)), path)
      }),
      { numRuns: byDepth(15, 50) },
    )
  }
})

test('given tokens of any kind in queries and headers, then they are refused', async () => {
  const path = `${paths[1]?.replace('/key', '')}/status`
  for (const query of [
    'apiToken=',
    'apiToken=%00',
    'apiToken=%ff',
    'apiToken=a&apiToken=b',
    'deviceId=x',
    'apiToken[]=a',
  ]) {
    expectNoFailure(await api.get(`${path}?${query}`), query)
  }
  const bytes = fc.array(fc.integer({ min: 1, max: 255 }), { maxLength: 300 })
  await fc.assert(
    fc.asyncProperty(bytes, async (codes) => {
      const token = String.fromCharCode(...codes).replace(/[\r\n]/g, ' ')
      expect((await api.get(path, { 'X-Service-Api-Token': token })).status).toBe(401)
    }),
    { numRuns: byDepth(15, 50) },
  )
})
