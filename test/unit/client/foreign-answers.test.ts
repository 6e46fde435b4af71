import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import fc from 'fast-check'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { Account } from '../../../client/src/account/account.ts'
import { writeNames } from '../../../client/src/api/write-names.ts'
import { nodeOfUrl } from '../../../client/src/chain/node.ts'
import { openChain } from '../../../client/src/chain/rpc.ts'
import { examine } from '../../../client/src/cli/doctor.ts'
import { type Client, type ClientOptions, createClient } from '../../../client/src/create-client.ts'
import { MOST_BYTES } from '../../../client/src/http/bounded-text.ts'
import { listActions } from '../../../client/src/mcp/actions.ts'
import { readTaskRow } from '../../../client/src/mcp/row-version.ts'
import { emptyState, type Store, type WalletState } from '../../../client/src/store/store.ts'
import { readWalletConfig } from '../../../client/src/store/wallet-config.ts'
import { catalogue } from '../../../protocol/catalogue.ts'
import { devAccount } from '../../../scripts/chain/dev-accounts.ts'
import { runTool, wordsOf } from '../../support/client/silent-io.ts'
import { byDepth, isDeep } from '../../support/depth.ts'
import { listen } from './listen.ts'
import { challengeHeader, testDeployment } from './paid-service.ts'

const URL_OF = 'https://market.example'
const taskId = `0x${'ab'.repeat(32)}`
const address = `0x${'cd'.repeat(20)}` as const
const account: Account = {
  address,
  signMessage: async () => `0x${'11'.repeat(65)}`,
  signTypedData: async () => `0x${'11'.repeat(65)}`,
}
/** Matches an error of the program within a sentence. */
const programError = /TypeError|SyntaxError|undefined|Cannot |not a function|not iterable|\[object|NaN|Unexpected/

/** Arguments that every write finds its own among: those of all examples, and of what the client fills in itself. */
const input = {
  ...Object.assign({}, ...Object.values(catalogue).map(({ example }) => example)),
  taskId,
  vaultId: taskId,
  artifacts: [],
  // An expiry that is far from now has to be confirmed.
  expiryTime: undefined,
  to: address,
  amountBaseUnits: '1000',
}

const task = { id: taskId, title: 't', description: 'd', reward: '1000', status: 'open', pendingActions: [] }
const foreign: readonly unknown[] = [
  null,
  [],
  {},
  [null],
  'text',
  5,
  true,
  { tasks: null, items: [null], nextCursor: 5 },
  { items: [{ task: null, actions: [null] }], asWorker: [null] },
  { ...task, pendingActions: [null] },
  { ...task, reward: 5 },
  { ...task, reward: {} },
  { withdrawalAddress: 5, vaultAddress: null, nonce: {} },
  { status: 5, txHash: {}, refund: 'x' },
  { error: 5, service: null },
  { error: {}, service: 'x' },
  { error: null, service: { reason: 5 } },
  { success: 'yes', txHash: 5, id: null },
  { timestamp: 5, environment: {}, chainId: [], balanceBaseUnits: 5 },
]
const texts = [...foreign.map((body) => JSON.stringify(body)), '<!doctype html><title>Sign in</title>', '', '{"a":']
const statuses = [200, 402, 404, 500]

/** Writes are dealt to the answers of the three places in turn: each gets every text, and a twelfth of all. */
const writesFor = (answer: number) => writeNames.filter((_, index) => isDeep || index % 12 === answer % 12)

function memoryStore(): Store {
  const states = new Map<string, WalletState>()
  return {
    owner: 'me',
    isAlive: () => true,
    config: async () => ({ ...readWalletConfig({}), withdrawalAddress: address }),
    update: async (wallet, change) => {
      const state = states.get(wallet) ?? emptyState()
      states.set(wallet, state)
      return change(state)
    },
  }
}

type Answer = { status: number; body: string; headers?: Record<string, string> }

function aClient(answer: (request: Request) => Answer, options: Partial<ClientOptions> = {}): Client {
  const fetching: typeof fetch = async (given, init) => {
    const request = new Request(given, init)
    const { status, body, headers } = answer(request)
    return new Response(body, { status, headers: { 'Content-Type': 'application/json', ...headers } })
  }
  const timing = { requestMs: 1_000, waitMs: 0, pauseMs: 1, maxPauseMs: 1 }
  const store = memoryStore()
  return createClient({ url: URL_OF, account, deployment: testDeployment, store, fetch: fetching, timing, ...options })
}

/** A sentence of a failure; it names where the answer came from. */
function checkSentence(message: string, what: string): void {
  expect([what, programError.test(message), message]).toEqual([what, false, message])
}

const challenge = { 'PAYMENT-REQUIRED': challengeHeader(`${URL_OF}/api/tasks`, 1_000n) }
const isPaid = ({ headers }: Request) => headers.has('payment-signature')

/** The places of a foreign answer in a write. */
const places: Record<string, (foreignAnswer: Answer) => (request: Request) => Answer> = {
  'every answer': (given) => () => given,
  'every answer to a request that acts': (given) => (request) =>
    request.method === 'GET' ? { status: 200, body: JSON.stringify(task) } : given,
  'the answer to the payment': (given) => (request) => {
    if (request.method === 'GET') return { status: 200, body: JSON.stringify(task) }
    return isPaid(request) ? given : { status: 402, body: '{"error": "Pay."}', headers: challenge }
  },
}

describe('A foreign answer to a write', () => {
  test.each(Object.keys(places))(
    'given %s, then no write is reported as done, and the reason is a sentence',
    async (place) => {
      for (const [index, body] of texts.entries()) {
        for (const [offset, status] of statuses.entries()) {
          const answer = (places[place] as (typeof places)[string])({ status, body })
          const clients = [
            aClient(answer),
            aClient(answer, { deployment: { ...testDeployment, bound: true } }),
          ] as const
          for (const name of writesFor(index + offset + 4 * Object.keys(places).indexOf(place))) {
            const what = `${name} ${status} ${body}`
            // The switch is one of deployments that take bound payments.
            const outcome = await clients[name === 'setBoundOnly' ? 1 : 0].write(name, input as never)
            expect([
              what,
              outcome.kind === 'refused' || outcome.kind === 'unknown' || outcome.kind === 'inFlight',
            ]).toEqual([what, true])
            if (outcome.kind === 'completed') continue
            checkSentence(outcome.message, what)
            if (place === 'every answer' && status === 200 && !body.startsWith('{"')) {
              expect([what, outcome.message]).toEqual([what, expect.stringContaining(`${URL_OF}/api/`)])
            }
          }
        }
      }
    },
  )

  test('given any JSON, then a write, its preview and its look-up end with a sentence', async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.jsonValue({ maxDepth: 3 }),
        fc.constantFrom(...statuses),
        fc.constantFrom(...writeNames),
        fc.constantFrom(...Object.keys(places)),
        async (value, status, name, place) => {
          const body = JSON.stringify(value)
          const client = aClient((places[place] as (typeof places)[string])({ status, body }))
          const outcome = await client.write(name, input as never)
          expect(outcome.kind).not.toBe('completed')
          const preview = await client.preview(name, input as never)
          for (const one of [outcome, preview]) if ('message' in one) checkSentence(one.message, `${name} ${body}`)
          const { key } = outcome as { key: string | null }
          if (key === null) return
          const found = await client.lookUp(key, { waitMs: 0 })
          if ('message' in found) checkSentence(found.message, `${name} ${body}`)
        },
      ),
      { numRuns: byDepth(100, 300) },
    )
  })
})

describe('A foreign answer to a read', () => {
  /** Every read of the SDK and of the tools of a model. */
  const reads: Record<string, (client: Client) => Promise<unknown>> = {
    'a list': async (client) => {
      for await (const row of client.list('/api/tasks')) void row
    },
    submissions: async (client) => {
      for await (const row of client.list('/api/tasks/{taskId}/submissions', { path: { taskId } })) void row
    },
    'a wait': (client) => client.waitFor(taskId, 'completed', { timeoutMs: 0, pauseMs: 1 }),
    'a call': (client) => client.http.GET('/api/wallet/balance', { params: { query: { address } } }),
    'the actions of a wallet': ({ context }) => listActions(context),
    'the actions of a task': ({ context }) => listActions(context, taskId),
    'the row of a task': ({ context }) => readTaskRow(context, taskId, { worker: address }),
    doctor: (client) => examine(client),
  }

  test.each(Object.keys(reads))(
    'given %s, then it fails with a sentence that names the URL, or finds nothing',
    async (name) => {
      for (const body of texts) {
        for (const status of statuses) {
          const what = `${name} ${status} ${body}`
          const ended = await (reads[name] as (typeof reads)[string])(aClient(() => ({ status, body }))).then(
            (value) => ({ value: JSON.stringify(value) ?? '' }),
            (error: Error) => ({ error }),
          )
          if ('value' in ended) expect([what, programError.test(ended.value)]).toEqual([what, false])
          else {
            checkSentence(ended.error.message, what)
            expect(ended.error).not.toBeInstanceOf(TypeError)
            if (status === 200) expect(ended.error.message).toContain(`${URL_OF}/api/`)
          }
        }
      }
    },
  )

  test('given anything but rows of tasks where those are expected, then a list is no empty one', async () => {
    for (const body of ['null', '"text"', '5', '{}', '[]', '{"tasks": null}', '{"tasks": [null]}', '{"tasks": [{}]}']) {
      const client = aClient(() => ({ status: 200, body }))
      const rows = (async () => {
        for await (const row of client.list('/api/tasks')) void row
      })()
      await expect(rows).rejects.toThrow(/https:\/\/market\.example\/api\/tasks answered .*; a list of tasks/)
    }
  })

  test('given a page that is its own next one, then the list ends', async () => {
    const client = aClient(() => ({ status: 200, body: JSON.stringify({ tasks: [task], nextCursor: 'a' }) }))
    const rows: unknown[] = []
    const read = (async () => {
      for await (const row of client.list('/api/tasks')) rows.push(row)
    })()
    await expect(read).rejects.toThrow(/same next page twice/)
    expect(rows).toHaveLength(2)
  })

  test.each([
    ['above 8 MiB', JSON.stringify({ tasks: ['x'.repeat(MOST_BYTES)] }), /larger than 8 MiB/],
    [
      'of a hundred thousand levels',
      `{"tasks":${'['.repeat(100_000)}${']'.repeat(100_000)}}`,
      /deeper than 100 levels/,
    ],
  ])('given an answer %s, then it is not read, by no way of the client', async (_, body, reason) => {
    const client = aClient(() => ({ status: 200, body }))
    const list = async () => {
      for await (const row of client.list('/api/tasks')) void row
    }
    await expect(list()).rejects.toThrow(/https:\/\/market\.example\/api\/tasks/)
    await expect(list()).rejects.toThrow(reason)
    await expect(client.http.GET('/api/tasks')).rejects.toThrow(reason)
    expect(await client.write('cancelTask', { taskId })).toMatchObject({ message: expect.stringMatching(reason) })
    const node = openChain(
      nodeOfUrl('http://node', async () => new Response(body)),
      { ...testDeployment, local: false },
    )
    await expect(node.now()).rejects.toThrow(reason)
  })

  test('given brackets in texts, then they are no levels', async () => {
    const description = '[{"\\'.repeat(1_000)
    const client = aClient(() => ({ status: 200, body: JSON.stringify({ tasks: [{ description }] }) }))
    expect((await client.http.GET('/api/tasks')).data).toEqual({ tasks: [{ description }] })
  })

  test('given any answer of a node, then its functions answer a fact or fail with an error', async () => {
    const hash = `0x${'01'.repeat(32)}` as const
    await fc.assert(
      fc.asyncProperty(
        fc.oneof(
          fc.jsonValue({ maxDepth: 3 }),
          fc.jsonValue({ maxDepth: 2 }).map((result) => ({ result })),
          fc.jsonValue({ maxDepth: 2 }).map((timestamp) => ({ result: { timestamp } })),
          fc.jsonValue({ maxDepth: 2 }).map((calls) => ({ result: [{ calls }] })),
        ),
        async (answer) => {
          const node = openChain(
            nodeOfUrl('http://node', async () => Response.json(answer)),
            { ...testDeployment, local: false },
          )
          const seconds = await node.now().catch((error: Error) => error)
          expect(seconds instanceof Error || (Number.isSafeInteger(seconds) && seconds > 0)).toBe(true)
          const used = await node.isAuthorizationUsed(address, hash).catch((error: Error) => error)
          expect(used instanceof Error || typeof used === 'boolean').toBe(true)
          const act = { from: address, to: address, data: hash, takesUsdc: true }
          const simulated = await node.simulate(act).catch((error: Error) => error)
          expect(simulated instanceof TypeError).toBe(false)
        },
      ),
      { numRuns: byDepth(60, 200) },
    )
  })
})

describe('A service that cannot be reached', () => {
  const answers: [string, typeof fetch, RegExp][] = [
    [
      'a refused connection',
      async () => {
        throw new TypeError('fetch failed', { cause: Object.assign(new Error('connect'), { code: 'ECONNREFUSED' }) })
      },
      /api\/\S+ could not be reached: the connection was refused \(ECONNREFUSED\)/,
    ],
    [
      'each address of its host',
      async () => {
        const refused = Object.assign(new Error('connect'), { code: 'EHOSTUNREACH' })
        throw new TypeError('fetch failed', { cause: new AggregateError([refused]) })
      },
      /could not be reached: .* \(EHOSTUNREACH\)/,
    ],
    [
      'a redirect',
      async () => new Response('', { status: 302, headers: { location: 'https://login.example/' } }),
      /api\/\S+ redirects to https:\/\/login\.example\/; no redirect is followed/,
    ],
    [
      'a time that is up',
      async () => {
        throw new DOMException('aborted', 'TimeoutError')
      },
      /api\/\S+ gave no whole answer in time/,
    ],
  ]

  test.each(answers)(
    'given %s, then each way of the client names the URL and the reason',
    async (_, fetching, reason) => {
      const client = aClient(() => ({ status: 200, body: '' }), { fetch: fetching })
      const list = async () => {
        for await (const row of client.list('/api/tasks')) void row
      }
      await expect(list()).rejects.toThrow(reason)
      const call = client.http.GET('/api/tasks').catch((error: Error) => error)
      expect(await call).toMatchObject({ name: 'ReadError', message: expect.stringMatching(reason) })
      const outcome = await client.write('cancelTask', { taskId })
      expect(outcome).toMatchObject({ kind: 'refused', message: expect.stringMatching(reason) })
      const preview = await client.preview('createTask', input as never)
      expect(preview).toMatchObject({ kind: 'refused', message: expect.stringMatching(reason) })
    },
  )
})

describe('A foreign answer to a command', () => {
  const home = mkdtempSync(join(tmpdir(), 'task-market-foreign-'))
  const deploymentFile = join(home, 'deployment.json')
  let given: Answer = { status: 200, body: '' }
  let service: Awaited<ReturnType<typeof listen>>
  beforeAll(async () => {
    writeFileSync(deploymentFile, JSON.stringify(testDeployment))
    service = await listen((_, response) => {
      response.writeHead(given.status, { 'Content-Type': 'application/json' }).end(given.body)
    })
  })
  afterAll(() => {
    service.stop()
    rmSync(home, { recursive: true })
  })

  /** Answers that have the form that a command needs. */
  const accepted: Record<string, string[]> = {
    [`task submissions ${taskId}`]: ['[]'],
    [`task get ${taskId}`]: [JSON.stringify(task)],
    'agents list': ['[]'],
  }

  const commands = [
    'task list',
    `task get ${taskId}`,
    `task submissions ${taskId}`,
    `task submit ${taskId} --file ${deploymentFile} --wait 0`,
    'actions',
    'inbox',
    `agents get ${address}`,
    'agents list',
    'vault list',
    `vault get ${taskId}`,
    'wallet balance',
    `wallet set-withdrawal-address ${address} --yes`,
    'wallet withdraw 1 --wait 0',
    'devices register',
    'devices status d',
    'devices key d',
    'wallet consent show',
    'wallet consent on',
    'devices end d',
    'legal show',
    'legal status',
    'legal accept --bundle x',
    `intents ${crypto.randomUUID()}`,
    'doctor',
  ]
  test.each(commands)(
    'given %s, then it prints JSON and no error of the program, on a terminal and without one',
    async (line) => {
      const index = commands.indexOf(line)
      for (const [at, body] of [...texts, '<html>Bad gateway</html>'].entries()) {
        // Dealt as to the writes: each command gets every sixth answer, and each answer goes to a sixth of the commands.
        if (!isDeep && at % 6 !== index % 6) continue
        const status = at < texts.length ? 200 : 502
        const isTerminal = at % 2 === 1
        given = { status, body }
        const env = {
          TASK_MARKET_URL: service.url,
          TASK_MARKET_HOME: mkdtempSync(join(home, 'wallet-')),
          TASK_MARKET_DEPLOYMENT: deploymentFile,
          TASK_MARKET_PRIVATE_KEY: devAccount('alice').privateKey,
          TASK_MARKET_DEVICE_TOKEN: 'token',
        }
        const { exit, err } = await runTool(wordsOf(line), { env, isTerminal })
        const what = `${line} ${status} ${body}`
        checkSentence(err, what)
        if (exit === 0)
          expect([what, body]).toEqual([what, (accepted[line] ?? []).find((one) => one === body) ?? 'none'])
        if (exit === 0) continue
        const { error, message } = JSON.parse(err) as { error?: unknown; message?: unknown }
        expect([what, typeof (error ?? message)]).toEqual([what, 'string'])
      }
    },
  )
})
