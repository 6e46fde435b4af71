import { randomUUID } from 'node:crypto'
import { afterAll, beforeAll, expect, test, vi } from 'vitest'
import { type ZodType, z } from 'zod'
import { ServiceError } from '../../api/errors/service-error.ts'
import { buildFundingHookData } from '../../api/features/sponsored-task-vaults/build-funding-hook-data.ts'
import { parseWith } from '../../api/http/parse.ts'
import { readQuery } from '../../api/http/query.ts'
import { fullPath } from '../../api/server/router.ts'
import { routes, writes } from '../../api/server/routes.ts'
import { catalogue } from '../../protocol/catalogue.ts'
import { type ErrorStatus, errorCodes, type Reason, reasons } from '../../protocol/reasons.ts'
import { anActor } from '../support/actors.ts'
import type { Answer, TestApi } from '../support/api.ts'
import { startApiWithStandby } from '../support/api-with-standby.ts'
import { byDepth } from '../support/depth.ts'
import { addVault, aVault } from '../support/fake-vaults.ts'
import { hostileNumbers, hostileTexts } from '../support/fuzz/mutations.ts'
import { leaveBooks } from '../support/scripted-books.ts'

// Thousands of requests a test.
vi.setConfig({ testTimeout: 120_000 })

const FUNDING = 'sponsoredTaskVaults.buildFundingHookData'

const requester = anActor()
const alice = anActor()

let api: TestApi
/** A real id for every path parameter, so that hostile input gets past the first look-up. */
let known: Record<string, string>

beforeAll(async () => {
  api = await startApiWithStandby()
  const task = await api.seed.task({ requester: requester.address })
  const submission = await api.seed.submission(task.id, alice.address)
  const { id: feedbackId } = await api.seed.rating(task, alice.address, 50, 'fine')
  const dropId = await api.seed.drop(requester.address)
  await api.seed.dropMember(dropId, task)
  addVault(api, aVault)
  await leaveBooks(api)
  known = {
    taskId: task.id,
    submissionId: submission.id,
    artifactId: submission.artifactIds[0] ?? '',
    pitchId: (await api.seed.pitch(task.id, alice.address)).id,
    proofId: (await api.seed.proof(task.id, alice.address)).id,
    id: feedbackId,
    address: requester.address,
    taskDropId: dropId,
    vaultId: aVault.vaultId,
  }
  bodies['submissions.createFromKeys'] = {
    workerAddress: alice.address,
    artifacts: [
      {
        artifactKey: `${task.id}/${randomUUID()}`,
        fileName: 'a.txt',
        mimeType: 'text/plain',
        role: 'final',
        sizeBytes: 5,
        sha256Hash: '12'.repeat(32),
        keccak256Hash: `0x${'34'.repeat(32)}`,
      },
    ],
    signature: `0x${'11'.repeat(65)}`,
  }
})
afterAll(() => api.stop())

/**
 * Bodies that pass the parser, which the hostile ones are made of. A write without a line here takes the example of its
 * entry.
 */
const bodies: Record<string, Record<string, unknown>> = {
  'submissions.create': {
    workerAddress: alice.address,
    artifacts: [{ fileName: 'a.txt', mimeType: 'text/plain', role: 'final', file: 'aGVsbG8=' }],
    signature: `0x${'11'.repeat(65)}`,
  },
  [FUNDING]: {
    vaultId: aVault.vaultId,
    managerAddress: requester.address,
    grossAmount: '1000',
    reward: '5000000',
    duration: 24,
    tags: ['poem'],
    mode: 'bounty',
    taskVisibility: 'public',
    stakeRequired: false,
    stakeBps: 0,
    pitchDeadline: 60,
    bidDeadline: 1,
    maxPrice: '5000000',
    auctionType: 'dutch',
    auctionStartPrice: '1000',
    auctionFloorPrice: '1000',
    hookContracts: [alice.address],
    evaluator: alice.address,
    evaluatorFeeBps: 0,
    evaluationWindowHours: 24,
    appealWindowHours: 24,
    disputeResolver: `0x${'77'.repeat(20)}`,
  },
}

/** What is parsed of an operation: the fields of its body, and a body that passes the parser. */
interface Parsed {
  schema: ZodType
  fields: string[]
  body: Record<string, unknown>
  /** The least that it takes: answered by a challenge or by a rule, never by the parser. */
  least: Record<string, unknown>
}

const examples: Readonly<Record<string, object>> = Object.fromEntries(
  Object.entries(catalogue).map(([operation, { example }]) => [operation, example]),
)

function parsedOf(operation: string): Parsed {
  const { path, body: schema = z.object({}) } =
    [...writes, { ...buildFundingHookData, operation: FUNDING }].find(
      (candidate) => candidate.operation === operation,
    ) ?? expect.fail(operation)
  const { properties = {}, required = [] } = z.toJSONSchema(schema, {
    io: 'input',
    unrepresentable: 'any',
  })
  const isOfPath = (name: string) => path.includes(`{${name}}`)
  const fields = Object.entries(bodies[operation] ?? examples[operation] ?? {})
    .filter(([name]) => !isOfPath(name) || required.includes(name))
    // A body that repeats an id of the path names the same thing.
    .map(([name, value]) => [name, isOfPath(name) ? known[name] : value])
  const body = Object.fromEntries(fields)
  const names = required.length > 0 ? required : Object.keys(body)
  const least = Object.fromEntries(names.map((name) => [name, body[name]]))
  return { schema, fields: Object.keys(properties), body, least }
}

/** Everything whose body is parsed: relayed writes, and the read that has one. */
const posts = [
  ...writes.map(({ operation, path }) => [operation as string, path] as const),
  [FUNDING, buildFundingHookData.path] as const,
]

const hostileValues: unknown[] = [
  ...hostileTexts,
  ...hostileNumbers,
  '9'.repeat(5000),
  '🦀'.repeat(10_001),
  'x'.repeat(200_000),
  null,
  true,
  false,
  [],
  [[]],
  [null],
  [{}],
  {},
  { toString: 1 },
  { length: 5 },
  { toJSON: 'x', valueOf: null },
  Array(1000).fill('x'),
]

/** Takes the part of a list that is sent: in `npm test` every `part`th, others at each place. */
function deal<Value>(values: readonly Value[], place: number, part: number): Value[] {
  return values.filter((_, index) => byDepth((index + place) % part, 0) === 0)
}

/**
 * Of inputs, all of which are parsed here, those to send: one of each meaning that the parser admits, and the first that
 * it refuses, with an error for the caller.
 */
function toSend<Input>(schema: ZodType, inputs: readonly Input[], read: (input: Input) => unknown): Input[] {
  const meanings = new Map<string, Input>()
  for (const input of inputs) {
    const meaning = meaningOf(schema, read(input))
    if (!meanings.has(meaning)) meanings.set(meaning, input)
  }
  return [...meanings.values()]
}

function meaningOf(schema: ZodType, input: unknown): string {
  try {
    return JSON.stringify(parseWith(schema, input), (_, value) => (typeof value === 'bigint' ? `${value}n` : value))
  } catch (error) {
    expect(error).toBeInstanceOf(ServiceError)
    expect(error).toMatchObject({ status: 400, message: expect.stringMatching(/\S/) })
    return 'refused'
  }
}

/** JSON text as a client would write it: `JSON.stringify` escapes lone surrogates, and knows no 1e999. */
const hostileBodies = [
  '',
  'null',
  '[]',
  '"x"',
  '1',
  '{',
  '{"a":}',
  '1e999',
  '\u0000',
  '{"__proto__":{"a":1}}',
  '[[[[',
  'undefined',
]

function expectNoFailure(answer: Answer, what: string): void {
  expect(answer.status, what).toBeLessThan(500)
  if (answer.status < 400 || answer.status === 402) return
  const { error, code, service } = answer.body
  expect(error, what).toMatch(/\S/)
  expect(code, what).toBe(errorCodes[answer.status as ErrorStatus])
  expect(reasons[service.reason as Reason] as readonly number[], what).toContain(answer.status)
  expect(JSON.stringify(answer.body), what).not.toMatch(
    /node_modules|\.ts:|select .* from |insert into |PostgresError|at async/,
  )
}

const fill = (path: string, values: Record<string, string>) =>
  path.replace(/\{(\w+)\}/g, (_, name: string) => values[name] ?? '')

const send = (path: string, body: unknown, headers: Record<string, string> = {}) =>
  api.post(path, body, { 'X-Service-Idempotency-Key': randomUUID(), ...headers })

test.each(posts)('%s: the least it takes passes the parser', async (operation, template) => {
  const answer = await send(fill(`/api${template}`, known), parsedOf(operation).least)
  expectNoFailure(answer, operation)
  // A refusal that names fields is the parser's; what a rule refuses names none or one it decided on.
  expect(answer.status === 400 ? answer.body : null, operation).toBeNull()
})

test.each(posts)('%s: every field, at every hostile value', async (operation, template) => {
  const { schema, fields, least } = parsedOf(operation)
  const without = fields.map((field) => Object.fromEntries(Object.entries(least).filter(([name]) => name !== field)))
  const changed = [...fields, 'taskId', 'constructor', 'surplus'].flatMap((field) =>
    hostileValues.map((value) => ({ ...least, [field]: value })),
  )
  const bodies = toSend(schema, [...without, ...changed], (body) => JSON.parse(JSON.stringify(body)))
  for (const body of deal(bodies, 0, 4)) {
    const answer = await send(fill(`/api${template}`, known), body)
    expectNoFailure(answer, `${operation} ${JSON.stringify(body).slice(0, 300)}`)
  }
})

const hostileKeys = ['', 'x', '00000000-0000-0000-0000-00000000000g', 'x'.repeat(5000)]
const hostilePayments = [
  'x',
  btoa('x'),
  btoa('{}'),
  btoa('null'),
  btoa('{"x402Version":2,"payload":{}}'),
  'A'.repeat(10_000),
]

test.each(writes.map((write, index) => [write.operation, write, index] as const))(
  '%s: bodies, keys and payments of any kind',
  async (operation, write, index) => {
    const path = fill(`/api${write.path}`, known)
    const { body, least } = parsedOf(operation)
    for (const text of deal(hostileBodies, index, 6)) expectNoFailure(await send(path, text), `${operation} ${text}`)
    for (const key of deal(hostileKeys, index, 4)) {
      const answer = await send(path, body, { 'X-Service-Idempotency-Key': key })
      expect([answer.status, answer.body.service.reason], key).toEqual([400, 'idempotency_key_required'])
    }
    for (const payment of deal(hostilePayments, index, 6)) {
      expectNoFailure(await send(path, least, { 'PAYMENT-SIGNATURE': payment }), `${operation} ${payment.slice(0, 40)}`)
    }
  },
)

const hostileParts = [
  '%00',
  '%ff',
  '%E0%A4',
  '%ed%a0%80',
  '..%2f..',
  '%2e%2e',
  "'%20or%201=1",
  '%25',
  '0x',
  'null',
  '-1',
  '🦀',
  'x'.repeat(5000),
  `0x${'0'.repeat(64)}`,
  `0x${'g'.repeat(64)}`,
  '00000000-0000-0000-0000-000000000000',
  '__proto__',
]

test.each(routes.map((route, index) => [route.operationId, route, index] as const))(
  '%s: every path parameter, hostile',
  async (_, route, index) => {
    const names = [...route.path.matchAll(/\{(\w+)\}/g)].map(([, name]) => name ?? '')
    for (const name of names) {
      for (const part of deal(hostileParts, index, 6)) {
        const path = fill(fullPath(route), { ...known, [name]: part })
        expectNoFailure(toReadable(await api.get(path)), path.slice(0, 120))
      }
    }
  },
)

const hostileQueryValues = [...hostileTexts, '1e308', 'a,b', '🦀'.repeat(1_000), 'x'.repeat(2_000)]
/** As they stand in a URL. */
const rawQueryValues = ['%ff', '%', '%u0041', '&&==', '%00']

test.each(routes.map((route, index) => [route.operationId, route, index] as const))(
  '%s: every query parameter, hostile',
  async (_, route, index) => {
    const names = route.query instanceof z.ZodObject ? Object.keys(route.query.shape) : []
    const path = fill(fullPath(route), known)
    const queries = [...names, 'surplus', '__proto__', 'constructor'].flatMap((name) => [
      ...hostileQueryValues.flatMap((value) => {
        const query = `${name}=${encodeURIComponent(value.replace(/\p{Cs}/gu, '\ufffd'))}`
        // A repeated parameter is refused, or its last value counts, whatever the values are.
        return [query, `${query}&${query}&${name}[]=1`]
      }),
      ...rawQueryValues.map((value) => `${name}=${value}`),
    ])
    const sent = toSend(route.query ?? z.object({}), queries, (query) => readQuery(`http://service/?${query}`))
    for (const query of deal(sent, index, 4)) {
      expectNoFailure(toReadable(await api.get(`${path}?${query}`)), `${path}?${query.slice(0, 120)}`)
    }
  },
)

/** A 304 or a null answer says nothing: only errors are looked at. */
function toReadable(answer: Answer): Answer {
  return { ...answer, body: answer.body ?? {} }
}
