import { afterAll, afterEach, beforeAll, beforeEach, expect, test, vi } from 'vitest'
import {
  type Answer,
  challenge,
  done,
  type HostileService,
  notFound,
  place,
  type Sent,
  startHostileService,
  taskId,
  worker,
} from './hostile-service.ts'

let service: HostileService
/** What the service says of a rating whose time it admits. */
let admitted: (sent: Sent) => Answer

beforeAll(async () => {
  service = await startHostileService()
})
beforeEach(() => {
  service.reset()
  service.answer = (sent) => {
    if (sent.method === 'GET') return notFound
    const { createdAt } = JSON.parse(sent.body) as { createdAt: string }
    const age = (Date.now() - Date.parse(createdAt)) / 1000
    return age <= 360 ? admitted(sent) : refusal('window_too_short')
  }
})
afterEach(() => {
  vi.useRealTimers()
})
afterAll(() => service.stop())

const key = '0b1c4f6e-6a0e-4d5e-9d8a-0f5f5a1f2c3d'
const rating = { taskId, worker, rating: 90 }

const refusal = (detail: string): Answer => ({
  status: 409,
  body: { error: 'No.', service: { reason: 'payment_preflight_rejected', detail } },
})
const afterSeconds = (seconds: number) => vi.useFakeTimers({ toFake: ['Date'], now: Date.now() + seconds * 1000 })
const bodies = () =>
  service.sent
    .filter(({ method }) => method === 'POST')
    .map(({ body }) => JSON.parse(body) as { createdAt: string; documentSalt: string })

test('given a rating that was refused, when it is repeated under its key after its time, then it has a new time and its salt', async () => {
  admitted = () => refusal('wrong_state')
  const market = service.aMarket({ deployment: place })
  expect(await market.write('rateWorker', rating, { key })).toMatchObject({ kind: 'refused', isKeyUsable: true })
  afterSeconds(400)
  admitted = ({ payment }) => (payment === null ? challenge(1_000n) : done)
  expect(await market.write('rateWorker', rating, { key })).toMatchObject({ kind: 'completed', key })
  const [first, second, paid] = bodies()
  expect(second?.documentSalt).toBe(first?.documentSalt)
  expect(Date.parse(second?.createdAt ?? '') - Date.parse(first?.createdAt ?? '')).toBeGreaterThanOrEqual(399_000)
  expect(paid).toEqual(second)
})

test('given a rating that was refused, when it is repeated at once, then it has the same bytes', async () => {
  admitted = () => refusal('wrong_state')
  const market = service.aMarket({ deployment: place })
  await market.write('rateWorker', rating, { key })
  afterSeconds(200)
  await market.write('rateWorker', rating, { key })
  const [first, second] = bodies()
  expect(second).toEqual(first)
})

test('given a payment whose request was lost, when the rating is repeated, then it has the same bytes', async () => {
  admitted = ({ payment }) => (payment === null ? challenge(1_000n) : { status: 200, body: 'nothing' })
  const market = service.aMarket({ deployment: place })
  expect(await market.write('rateWorker', rating, { key })).toMatchObject({ kind: 'unknown' })
  afterSeconds(400)
  await market.write('rateWorker', rating, { key })
  expect(new Set(bodies().map(({ createdAt }) => createdAt)).size).toBe(1)
})

test('given a key that the service still reserves for the earlier time, then it stays usable', async () => {
  admitted = () => refusal('wrong_state')
  const market = service.aMarket({ deployment: place })
  await market.write('rateWorker', rating, { key })
  afterSeconds(400)
  const mismatch = { reason: 'idempotency_key_payload_mismatch', intentStatus: 'reserved' }
  admitted = () => ({ status: 409, body: { error: 'Other arguments.', service: mismatch } })
  expect(await market.write('rateWorker', rating, { key })).toMatchObject({ kind: 'refused', isKeyUsable: true })
  admitted = ({ payment }) => (payment === null ? challenge(1_000n) : done)
  expect(await market.write('rateWorker', rating, { key })).toMatchObject({ kind: 'completed', key })
})

test('given a clock price that was refused, when it is taken again later, then the least price is that of then', async () => {
  const began = Date.now()
  const iso = (seconds: number) => new Date(began + seconds * 1000).toISOString()
  const times = { createdAt: iso(0), bidDeadline: iso(4_000) }
  const auction = {
    auctionType: 'dutch',
    reward: '5000000',
    auctionStartPrice: null,
    auctionFloorPrice: '1000000',
    ...times,
  }
  service.answer = ({ method, path, payment }) => {
    if (path === `/api/tasks/${taskId}`)
      return { status: 200, body: { id: taskId, requester: worker, pendingActions: [], ...auction } }
    if (method === 'GET') return notFound
    return payment === null ? challenge(1_000n) : refusal('wrong_state')
  }
  const market = service.aMarket({ deployment: place })
  await market.write('acceptAuction', { taskId }, { key })
  afterSeconds(400)
  await market.write('acceptAuction', { taskId }, { key })
  const prices = service.sent
    .filter(({ method, payment }) => method === 'POST' && payment !== null)
    .map(({ body }) => Number((JSON.parse(body) as { minPrice: string }).minPrice))
  expect(prices).toHaveLength(2)
  // The price falls by 1000 base units a second.
  expect((prices[0] ?? 0) - (prices[1] ?? 0)).toBeGreaterThanOrEqual(399_000)
})
