import type { Hex } from 'viem'
import { beforeAll, describe, expect, inject, test } from 'vitest'
import type { WriteInput, WriteName } from '../../client/src/api/write-names.ts'
import { type AskNode, nodeOfUrl } from '../../client/src/chain/node.ts'
import { createClient } from '../../client/src/create-client.ts'
import type { Verification } from '../../client/src/verify/verify-task.ts'
import { verifyBy } from '../../client/src/verify/verify-task.ts'
import type { AuctionType } from '../../protocol/rules/selectors.ts'
import type { Actor } from '../support/actors.ts'
import { runTool } from '../support/client/silent-io.ts'
import { aClient } from '../support/client/wallets.ts'
import { openEnvironment } from '../support/conformance.ts'
import { aClaimTask, anAuctionTask } from '../support/conformance-fixtures.ts'
import { byDepth } from '../support/depth.ts'

const environment = openEnvironment()
let requester: Actor
let worker: Actor
let other: Actor
beforeAll(async () => {
  requester = await environment.aWallet()
  worker = await environment.aWallet()
  other = await environment.aWallet()
})

const differing = ({ findings }: Verification) => findings.filter(({ status }) => status === 'differs')
const pathsOf = (verification: Verification) => differing(verification).map(({ path }) => path)
/** Verifies a task as a stranger, who sees what all see. */
const expectVerified = async (taskId: Hex) => {
  const verification = await aClient(other).verify(taskId)
  expect(differing(verification)).toEqual([])
  expect(verification.findings.filter(({ status }) => status === 'verified').length).toBeGreaterThan(30)
  return verification
}
const write = async <Name extends WriteName>(who: Actor, name: Name, input: WriteInput<Name>) => {
  expect(await aClient(who).write(name, input)).toMatchObject({ kind: 'completed' })
}

/** A bounty with a rejected and an awarded worker, and a rating with a text. */
async function aRatedBounty(): Promise<Hex> {
  const taskId = await environment.createTask(requester, { tags: ['haiku', 'Escrow'] })
  await environment.submit(other, taskId)
  await environment.submit(worker, taskId)
  await environment.reject(requester, taskId, other)
  await environment.accept(requester, taskId, worker)
  await environment.rate(requester, taskId, { worker, rating: 90, feedbackText: 'Quick and exact' })
  return taskId
}

describe('An honest answer', () => {
  test('given a bounty in each phase, then nothing differs', async () => {
    const taskId = await environment.createTask(requester)
    await expectVerified(taskId)
    await environment.submit(worker, taskId)
    await expectVerified(taskId)
    const { findings } = await expectVerified(await aRatedBounty())
    const statusOf = (pattern: RegExp) => findings.filter(({ path }) => pattern.test(path)).map(({ status }) => status)
    expect(statusOf(/^feedbacks\[.*feedbackText$/)).toEqual(['verified'])
    expect(statusOf(/^submissions\[.*sha256Hash$/)).toEqual(['verified', 'verified'])
    expect(statusOf(/^tags$/)).toEqual(['verified'])
  })

  test('given a claim with a stake, a pitch and a benchmark, then nothing differs', async () => {
    const claim = await environment.createTask(requester, aClaimTask({ stakeBps: 500 }))
    await write(worker, 'createClaim', { taskId: claim })
    await expectVerified(claim)
    await environment.submit(worker, claim)
    await environment.accept(requester, claim, worker)
    await expectVerified(claim)

    const pitch = await environment.createTask(requester, { mode: 'pitch', pitchDeadline: 3_600 })
    await write(worker, 'createPitch', { taskId: pitch, pitchText: 'I count' })
    const { findings } = await expectVerified(pitch)
    expect(findings.find(({ path }) => path.endsWith('.pitchText'))).toMatchObject({
      status: 'verified',
      service: 'I count',
    })
    const [{ id: pitchId }] = (await environment.get(`/tasks/${pitch}/pitches`)).body
    const selection = { taskId: pitch, pitchId, workerAddress: worker.account.address }
    expect((await environment.pay(requester, `/tasks/${pitch}/pitches/select`, selection)).status).toBe(200)
    await expectVerified(pitch)

    const benchmark = await environment.createTask(requester, {
      mode: 'benchmark',
      metricDescription: 'Syllables',
      metricTarget: '17',
    })
    const proof = {
      taskId: benchmark,
      proofData: 'https://example.org/run/1',
      proofType: 'url',
      metricValue: '17',
    } as const
    await write(worker, 'createProof', proof)
    await expectVerified(benchmark)
    await environment.accept(requester, benchmark, worker)
    await expectVerified(benchmark)
  })

  test.each(
    byDepth<AuctionType[]>(['dutch', 'reverse_english'], ['dutch', 'reverse_dutch', 'english', 'reverse_english']),
  )('given an auction %s, then nothing differs', async (auctionType) => {
    const taskId = await environment.createTask(requester, anAuctionTask(auctionType, { bidDeadline: 1 }))
    if (auctionType.endsWith('dutch')) {
      await write(worker, 'acceptAuction', { taskId })
    } else {
      await write(other, 'createBid', { taskId, price: '1500000' })
      await write(worker, 'createBid', { taskId, price: '1400000' })
      await expectVerified(taskId)
      await environment.chain.passTime(3_600)
      await write(worker, 'selectWinner', { taskId })
    }
    await expectVerified(taskId)
  })

  test('given an evaluator whose verdict is appealed and resolved, then nothing differs', async () => {
    const [evaluator, resolver] = [await environment.aWallet(), await environment.aWallet()]
    const terms = {
      evaluator: evaluator.account.address,
      disputeResolver: resolver.account.address,
      evaluatorFeeBps: 200,
      evaluationWindowHours: 24,
      appealWindowHours: 24,
    }
    const taskId = await environment.createTask(requester, aClaimTask(terms))
    await write(worker, 'createClaim', { taskId })
    await environment.submit(worker, taskId)
    await expectVerified(taskId)
    const verdict = { taskId, verdict: 'reject', score: 100, confidence: 900 } as const
    await write(evaluator, 'evaluateTask', verdict)
    await expectVerified(taskId)
    await write(worker, 'appealVerdict', { taskId })
    const awards = [{ worker: worker.address, amount: '1000000', rank: 1 }]
    await write(resolver, 'resolveDispute', { taskId, verdict: 'partial', awards })
    await expectVerified(taskId)
  })
})

/** Answers of the service and the node, each read once; `change` may alter the task's answer. */
function aRecordedTask(taskId: Hex) {
  const answers = new Map<string, Promise<{ status: number; headers: [string, string][]; text: string }>>()
  const record = async (url: string, init?: RequestInit) => {
    const response = await fetch(url, init)
    return { status: response.status, headers: [...response.headers], text: await response.text() }
  }
  const nodeAnswers = new Map<string, Promise<unknown>>()
  const node = nodeOfUrl(inject('conformanceStack').rpcUrl)
  const ask: AskNode = (method, params) => {
    const name = JSON.stringify([method, params])
    const answer = nodeAnswers.get(name) ?? node(method, params)
    nodeAnswers.set(name, answer)
    return answer
  }
  // biome-ignore lint/suspicious/noExplicitAny: a test changes any field.
  return async (change: (body: any) => void) => {
    const changing: typeof fetch = async (given, init) => {
      const url = given instanceof Request ? given.url : String(given)
      const recorded = answers.get(url) ?? record(url, init)
      answers.set(url, recorded)
      const { status, headers, text } = await recorded
      if (!url.includes(`/api/tasks/${taskId}?`)) return new Response(text, { status, headers })
      const body = JSON.parse(text)
      change(body)
      return new Response(JSON.stringify(body), { status, headers })
    }
    const { context } = aClient(other, { fetch: changing })
    return await verifyBy(ask, context, { taskId })
  }
}

/** Finds the object of a field and its name. Example: `submissions[0x12].rejectedAt`. */
// biome-ignore lint/suspicious/noExplicitAny: a test changes any field.
function placeOf(body: any, path: string): { object: any; name: string | number } {
  const names = path.split(/[.[\]]+/).filter((name) => name !== '')
  const last = names.pop() ?? ''
  if (path === 'claim') return { object: body.parts, name: last }
  const { feedbacks, ...lists } = body.parts
  // biome-ignore lint/suspicious/noExplicitAny: a test changes any field.
  let object: any = names.length === 0 ? body : { ...body, ...lists, feedbacks: feedbacks.feedbacks }
  for (const name of names) {
    object =
      Array.isArray(object) && !/^\d+$/.test(name) ? object.find(({ id }: { id: string }) => id === name) : object[name]
  }
  return { object, name: last }
}

function otherValue(value: unknown): unknown {
  if (typeof value === 'number') return value + 1
  if (typeof value === 'boolean') return !value
  if (Array.isArray(value)) return [...value, 'other']
  if (typeof value !== 'string') return 'other'
  if (value.startsWith('0x')) return `${value.slice(0, -1)}${value.endsWith('0') ? '1' : '0'}`
  return /^\d/.test(value) ? `${(Number(value[0]) % 9) + 1}${value.slice(1)}` : `${value}x`
}

describe('A changed answer', () => {
  test('given another value of any field that the chain tells, then exactly that field differs', async () => {
    const ids = [await aRatedBounty()]
    const claim = await environment.createTask(requester, aClaimTask({ stakeBps: 500 }))
    await write(worker, 'createClaim', { taskId: claim })
    ids.push(claim)
    for (const taskId of ids) {
      const verify = aRecordedTask(taskId)
      const { findings } = await verify(() => {})
      const known = findings.filter(({ status, path }) => status === 'verified' && !/\]\.id$/.test(path))
      const paths = known.map(({ path }) => path)
      const change = (changed: readonly string[]) =>
        verify((body) => {
          for (const { object, name } of changed.map((path) => placeOf(body, path)))
            object[name] = otherValue(object[name])
        })
      expect(pathsOf(await change(paths)).sort()).toEqual(paths.toSorted())
      // Each alone is a tenth of a second.
      const alone = paths.filter((_, at) => at % byDepth(12, 1) === 0)
      for (const path of alone) expect(pathsOf(await change([path])), path).toEqual([path])
    }
  })

  test('given a row that is left out, and one that is invented, then each is told', async () => {
    const verify = aRecordedTask(await aRatedBounty())
    for (const part of ['submissions', 'feedbacks'] as const) {
      // biome-ignore lint/suspicious/noExplicitAny: a test changes any field.
      const listIn = (body: any) => (part === 'feedbacks' ? body.parts.feedbacks.feedbacks : body.parts[part])
      let id = ''
      const without = await verify((body) => {
        id = listIn(body).shift().id
      })
      expect(differing(without)).toMatchObject([{ path: `${part}[${id}]`, service: null }])
      const unknownId = `0x${'ab'.repeat(32)}`
      const more = await verify((body) => listIn(body).push({ ...listIn(body)[0], id: unknownId }))
      expect(differing(more)).toMatchObject([{ path: `${part}[${unknownId}]`, chain: null }])
      const twice = await verify((body) => listIn(body).push(listIn(body)[0], null))
      expect(pathsOf(twice)).toEqual([`${part}[${id}]`, `${part}[undefined]`])
    }
    const noAward = await verify((body) => body.awards.pop())
    expect(pathsOf(noAward)).toEqual(['awards[0]'])
  })

  test('given a task that the service denies or invents, then it differs', async () => {
    const taskId = await environment.createTask(requester)
    const headers = { 'content-type': 'application/json', 'x-service-block-number': String(await blockNumber()) }
    const denying: typeof fetch = async () => new Response('null', { headers })
    expect(pathsOf(await aClient(other, { fetch: denying }).verify(taskId))).toEqual([''])
    const unknown = await aClient(other, { fetch: denying }).verify(`0x${'ef'.repeat(32)}`)
    expect(unknown.findings).toMatchObject([{ path: '', status: 'verified', service: null }])
    const { body } = await environment.get(`/tasks/${taskId}`)
    const invented = { ...body, id: `0x${'cd'.repeat(32)}` }
    const inventing: typeof fetch = async () => new Response(JSON.stringify(invented), { headers })
    expect(pathsOf(await aClient(other, { fetch: inventing }).verify(invented.id))).toEqual([''])
  })
})

async function blockNumber(): Promise<number> {
  return Number(await nodeOfUrl(inject('conformanceStack').rpcUrl)('eth_blockNumber', []))
}

test('given no node, another chain or a block that is not there yet, then the check says so', async () => {
  const taskId = await environment.createTask(requester)
  const { rpcUrl, baseUrl, deployment, deploymentFile } = inject('conformanceStack')
  const withoutNode = createClient({ url: baseUrl, deployment })
  await expect(withoutNode.verify(taskId)).rejects.toThrow('A node of yours is needed')
  expect((await withoutNode.verify(taskId, { rpcUrl })).isVerified).toBe(true)
  await expect(aClient(other).verify(taskId, { block: 99_999_999 })).rejects.toThrow('does not have block 99999999 yet')

  const env = { TASK_MARKET_URL: baseUrl, TASK_MARKET_DEPLOYMENT: deploymentFile }
  const { exit, out } = await runTool(['verify', taskId, '--rpc', rpcUrl], { env })
  expect([exit, JSON.parse(out.split('\n')[0] ?? '')]).toMatchObject([0, { taskId, isVerified: true, differs: 0 }])
})
