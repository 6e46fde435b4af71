import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { Webhook } from 'standardwebhooks'
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { readConfig } from '../../../api/config.ts'
import { operatorMessage } from '../../../api/events/operator/operator-message.ts'
import { holdIntent } from '../../../api/intents/held.queries.ts'
import { findBoundIntent } from '../../../api/intents/intents.queries.ts'
import { createLogger } from '../../../api/observability/logger.ts'
import { openOperatorWebhook } from '../../../api/open-operator-webhook.ts'
import { repositoryRoot } from '../../../ops/process/paths.ts'
import { startTestApi, type TestApi } from '../../support/api.ts'
import { captureLog } from '../../support/captured-log.ts'
import { START } from '../../support/rows/insert-row.ts'
import { accept, type Receiver, refuseBy, startReceiver } from '../../support/webhooks/receiver.ts'
import { fundRelayers, indexUpTo, storeRounds } from '../observability/operator-api.ts'
import { aPaidCreate } from '../writes/fake-payments.ts'

const secret = `whsec_${Buffer.alloc(32, 7).toString('base64')}`
const stopping = new AbortController().signal
let api: TestApi
let receiver: Receiver
const lines = captureLog()

beforeAll(async () => {
  api = await startTestApi({ WRITE_ANSWER_MS: '150' })
  receiver = await startReceiver()
  await indexUpTo(api, 1n, START)
})
afterAll(async () => {
  await receiver.stop()
  await api.stop()
})
let readBalance = async (): Promise<bigint> => 10n ** 18n
const setBalance = (balance: bigint) => {
  readBalance = async () => balance
}
beforeEach(() => {
  fundRelayers(api)
  setBalance(10n ** 18n)
})
afterEach(async () => {
  receiver.answerBy(accept)
  receiver.forget()
  lines.clear()
  await api.sql`truncate service.operator_states, service.operator_messages`
  await api.sql`update service.operator_webhook set lease_until = now()`
  await api.sql`truncate intents cascade`
  await storeRounds(api, { sums: [], tasks: [] })
})

/** A process that tells. */
function aProcess() {
  const config = {
    ...api.deps.config,
    LOG_LEVEL: 'info' as const,
    OPERATOR_WEBHOOK_URL: receiver.url,
    OPERATOR_WEBHOOK_SECRET: secret,
  }
  const { accounts, balances } = api.deps.relayer
  const read = () =>
    Promise.all(accounts.map(async ({ address }) => ({ address, balanceWei: await readBalance(), isFunded: true })))
  const relayer = { ...api.deps.relayer, balances: { ...balances, read } }
  const log = createLogger({ config, destination: lines })
  const webhook = openOperatorWebhook({ ...api.deps, config, relayer, log })
  if (webhook === null) throw new Error('the settings open it')
  return webhook
}

/** Holds a write. @returns its id */
async function hold(untilBlock: bigint | null): Promise<string> {
  const create = aPaidCreate(api)
  Object.assign(api.chain, { readContract: async () => false })
  await create.roundTwo()
  const [row] = await api.sql<{ id: string }[]>`select id from intents where idempotency_key = ${create.key}`
  const intent = await findBoundIntent(api.sql, row?.id ?? '')
  if (intent === null) throw new Error('the write was not recorded')
  await holdIntent(api.sql, intent, { finding: 'unknown', restSeconds: 1, untilBlock })
  return intent.id
}

const told = () => receiver.received.map(({ message }) => `${message.kind} ${message.state}`)

describe('a state', () => {
  it('given little ether, then it is told once, and once more when there is enough, signed, with the same occurrence', async () => {
    setBalance(4n * 10n ** 15n)
    const { run } = aProcess()
    await run(stopping)
    await run(stopping)
    const count = api.deps.relayer.accounts.length
    expect(told()).toEqual(Array(count).fill('relayer.balance_low began'))
    const [{ headers, body }] = receiver.received as [(typeof receiver.received)[number]]
    expect(operatorMessage.parse(new Webhook(secret).verify(body, headers as Record<string, string>))).toMatchObject({
      kind: 'relayer.balance_low',
      network: { chainId: api.deps.deployment.chainId, url: api.deps.config.PUBLIC_BASE_URL },
      data: { relayer: api.deps.relayer.accounts[0]?.address, balanceWei: '4000000000000000', runwayDays: null },
    })
    // Between the two bounds it is as it was.
    setBalance(55n * 10n ** 14n)
    await run(stopping)
    expect(told()).toHaveLength(count)
    setBalance(10n ** 18n)
    await run(stopping)
    await run(stopping)
    expect(told().slice(count)).toEqual(Array(count).fill('relayer.balance_low over'))
    const occurrences = receiver.received.map(({ message }) => message.id.replace(/-(began|over)$/, ''))
    expect(new Set(occurrences).size).toBe(count)
  })

  it('given a held write, then it is told until it is decided, and one that is settling is not', async () => {
    const { run } = aProcess()
    await hold(9n)
    const intentId = await hold(null)
    await run(stopping)
    expect(told()).toEqual(['intent.held began'])
    const { data } = operatorMessage.parse(receiver.received[0]?.message)
    expect(data).toEqual({ intentId, operation: 'tasks.create', heldAt: expect.stringMatching(/Z$/) })
    await api.sql`update intents set status = 'failed' where id = ${intentId}`
    await run(stopping)
    expect(told()).toEqual(['intent.held began', 'intent.held over'])
  })

  it('given a difference of the books, then it is told with its sum, and again when it comes back', async () => {
    const { run } = aProcess()
    const differ = { sum: 'vault_totals' as const, of: '0x1', amount: '-70' }
    for (const sums of [[differ], [], [differ]]) {
      await storeRounds(api, { sums, tasks: [] })
      await run(stopping)
    }
    expect(told()).toEqual(['books.differ began', 'books.differ over', 'books.differ began'])
    expect(receiver.received[0]?.message.data).toEqual({
      sum: 'vault_totals',
      differences: [{ of: '0x1', amount: '-70' }],
    })
    expect(new Set(receiver.received.map(({ message }) => message.id)).size).toBe(3)
  })

  it('given a source without an answer, then its states stay, the others are told, and the run has failed', async () => {
    const { run } = aProcess()
    setBalance(1n)
    await run(stopping)
    receiver.forget()
    readBalance = () => Promise.reject(new Error('no node'))
    await storeRounds(api, { sums: [{ sum: 'credits', of: '0x1', amount: '1' }], tasks: [] })
    await expect(run(stopping)).rejects.toThrow('no node')
    expect(told()).toEqual(['books.differ began'])
  })
})

describe('a delivery', () => {
  it('given a receiver that fails, then the message comes again with its id, and the next ones wait for it', async () => {
    receiver.answerBy(refuseBy(500))
    const { run } = aProcess()
    await storeRounds(api, { sums: [{ sum: 'credits', of: '0x1', amount: '1' }], tasks: [] })
    await run(stopping)
    await run(stopping)
    expect(receiver.received).toHaveLength(1)
    expect(lines.lines('operator webhook delivery failed')).toMatchObject([{ status: 500 }])
    await storeRounds(api, { sums: [], tasks: [] })
    await api.sql`update service.operator_messages set next_attempt_at = now()`
    receiver.answerBy(accept)
    await run(stopping)
    expect(told()).toEqual(['books.differ began', 'books.differ began', 'books.differ over'])
    expect(receiver.received[1]?.headers['webhook-id']).toBe(receiver.received[0]?.headers['webhook-id'])
    expect(lines.text()).not.toContain(secret)
  })

  it('given a receiver that has failed for a day, then the message is given up, and the next one is sent', async () => {
    receiver.answerBy(refuseBy(500))
    const { run } = aProcess()
    await storeRounds(api, { sums: [{ sum: 'credits', of: '0x1', amount: '1' }], tasks: [] })
    await run(stopping)
    await api.sql`
      update service.operator_messages set next_attempt_at = now(), failing_since = now() - interval '25 hours'`
    await run(stopping)
    receiver.answerBy(accept)
    await storeRounds(api, { sums: [], tasks: [] })
    await run(stopping)
    expect(told()).toEqual(['books.differ began', 'books.differ began', 'books.differ over'])
  })

  it('given two processes, then one tells, and the other goes on when it has ended', async () => {
    const [first, second] = [aProcess(), aProcess()]
    await storeRounds(api, { sums: [{ sum: 'credits', of: '0x1', amount: '1' }], tasks: [] })
    await first.run(stopping)
    await storeRounds(api, { sums: [], tasks: [] })
    await second.run(stopping)
    expect(told()).toEqual(['books.differ began'])
    await first.stop()
    await second.run(stopping)
    expect(told()).toEqual(['books.differ began', 'books.differ over'])
  })
})

describe('its settings and its page', () => {
  it('given a URL without a secret, then the process does not start; given neither, then nothing is told', () => {
    const start = () => readConfig({ ...process.env, OPERATOR_WEBHOOK_URL: 'http://127.0.0.1:1/' })
    expect(start).toThrow('OPERATOR_WEBHOOK_SECRET: is needed with OPERATOR_WEBHOOK_URL')
    expect(openOperatorWebhook(api.deps)).toBeNull()
  })

  it('has an example of each kind that the schema admits', () => {
    const page = readFileSync(join(repositoryRoot, 'docs', 'operate', 'operator-webhooks.md'), 'utf8')
    const examples = [...page.matchAll(/^```json\n(.*?)^```/gms)].map(([, text = '']) => JSON.parse(text))
    expect(examples.map((example) => operatorMessage.parse(example).kind)).toEqual([
      'relayer.balance_low',
      'intent.held',
      'books.differ',
    ])
  })
})
