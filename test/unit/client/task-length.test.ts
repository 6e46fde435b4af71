import { describe, expect, test } from 'vitest'
import { createClient } from '../../../client/src/create-client.ts'
import { createWriteFlow } from '../../../client/src/mcp/write-flow.ts'
import { fileStore } from '../../../client/src/store/file-store.ts'
import { challengeHeader } from './paid-service.ts'
import { account, aToolService, deployment } from './tool-service.ts'

const DAY = 24
/** Writes that reached the service: round one and round two of each. */
let sent: string[] = []

const service = aToolService(({ method, headers }) => {
  const isPaid = headers['payment-signature'] !== undefined
  if (method === 'POST') sent.push(isPaid ? 'paid' : 'asked')
  return {
    status: isPaid ? 409 : method === 'POST' ? 402 : 404,
    body: { error: 'Not now.', service: { reason: 'payment_preflight_rejected' } },
    headers: { 'PAYMENT-REQUIRED': challengeHeader(service.url, 500_000n) },
  }
})

function aHome() {
  sent = []
  return service.aHome()
}

/** `task create` for so many hours. */
async function create(hours: number, { options = '', answer }: { options?: string; answer?: string } = {}) {
  sent = []
  const questions: string[] = []
  const ask = async (question: string) => {
    questions.push(question)
    return answer ?? null
  }
  const line = `task create --description x --reward 0.5 --hours ${hours} ${options}`
  const run = await service.run(line, { ask, isTerminal: answer !== undefined })
  return { ...run, questions, isPaid: sent.includes('paid') }
}

const aClient = () =>
  createClient({
    url: service.url,
    deployment,
    account,
    store: fileStore({ directory: aHome() }),
    onWarning: () => {},
  })
const body = (duration: number) => ({ description: 'x', reward: '500000', duration, tags: [] })

describe('A task that stays open for long', () => {
  test('given a day in seconds as its hours, then command line, SDK and MCP refuse it, and nothing is sent', async () => {
    const refusal = { reason: 'long_task', message: expect.stringMatching(/9\.9 years.*hours, not seconds/) }
    for (const given of [{}, { answer: 'y' }, { options: '--yes' }, { options: '--dry-run' }]) {
      const run = await create(86_400, given)
      expect(run).toMatchObject({ exit: 2, questions: [] })
      expect(run.err).toContain('long_task')
      expect(run.err).toContain('hours, not seconds')
    }
    const client = aClient()
    expect(await client.write('createTask', body(86_400))).toMatchObject({ kind: 'refused', ...refusal })
    const flow = createWriteFlow(client.context)
    const asked = { name: 'createTask' as const, input: body(86_400) }
    await expect(flow.preview(asked)).rejects.toMatchObject({ refusal })
    expect(sent).toEqual([])
  })

  test('given a year and more that is meant, then it is made', async () => {
    expect((await create(366 * DAY, { options: '--long' })).isPaid).toBe(true)
    const client = aClient()
    await client.write('createTask', body(366 * DAY), { long: true })
    expect(sent).toContain('paid')
    const input = body(366 * DAY)
    const preview = await createWriteFlow(client.context).preview({ name: 'createTask', input, long: true })
    expect(preview).toMatchObject({ needsPerson: true, summary: expect.stringContaining('open for 366 days') })
  })

  test.each([
    [90 * DAY, false],
    [91 * DAY, true],
    [365 * DAY, true],
  ])('given %i hours, then a person is asked about the length: %s', async (hours, isAsked) => {
    const told = await create(hours, { answer: 'y' })
    expect(told.questions.join('').includes('the task stays open for')).toBe(isAsked)
    expect(told.isPaid).toBe(true)
    expect((await create(hours, { answer: 'n' })).isPaid).toBe(false)
    // Without a person the command says that it is meant.
    expect((await create(hours)).isPaid).toBe(!isAsked)
    expect((await create(hours, { options: '--yes' })).isPaid).toBe(true)
    const preview = createWriteFlow(aClient().context).preview({ name: 'createTask', input: body(hours) })
    expect(await preview).toMatchObject({ needsPerson: isAsked })
  })

  test.each([
    [2_161, '90 days and 1 hour'],
    [2_160.5, '90 days and 0.5 hours'],
    [2_400, '100 days'],
    [2_399.999, '100 days'],
    [2_159.999, null],
    [2_160.001, '90 days and 0.01 hours'],
  ])('given %d hours, then the question says %s', async (hours, said) => {
    const { questions } = await create(hours, { answer: 'n' })
    if (said === null) expect(questions.join('')).not.toContain('stays open')
    else expect(questions.join('')).toContain(`the task stays open for ${said}.`)
  })

  test('given less than a second, then command line and SDK refuse it, and nothing is sent', async () => {
    expect(await create(0.0001)).toMatchObject({ exit: 2, err: expect.stringContaining('less than a second') })
    expect(await aClient().write('createTask', body(1e-9))).toMatchObject({ kind: 'refused', reason: 'invalid_input' })
    expect(await aClient().preview('createTask', body(0))).toMatchObject({ kind: 'refused', reason: 'invalid_input' })
    expect(sent).toEqual([])
    await aClient().write('createTask', body(1 / 3_600))
    expect(sent).toContain('paid')
  })

  test('given an update to an expiry in milliseconds, then it is refused as well', async () => {
    const expiryTime = Math.floor(Date.now() / 1000) + 366 * DAY * 3_600
    const update = await aClient().write('updateTask', { taskId: `0x${'ab'.repeat(32)}`, expiryTime })
    expect(update).toMatchObject({ kind: 'refused', reason: 'long_task' })
  })
})
