import { once } from 'node:events'
import { createServer, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { getRequestListener } from '@hono/node-server'
import type { Page } from 'playwright-core'
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { createWeb } from '../../../web/create-web.ts'
import type { Submission, TaskDetail } from '../../../web/http/rows.ts'
import { aTask, hours, NOW } from '../../unit/web/a-task.ts'
import { openBrowser } from './open-browser.ts'
import { beginTyping, connect, openField, readParagraph, readTyping, selectParagraph, setHidden } from './reader.mjs'

const worker = (digit: string) => `0x${digit.repeat(40)}`
const requester = '0x976EA74026E726554dB657fA54763abd0C3a0aa9'

/** The service that the pages show: a task, the block that it stands at, and the streams that are open. */
const service = { task: aTask(), submissions: [] as Submission[], block: 7, reads: 0, refusal: null as number | null }
let streams: { url: URL; out: ServerResponse }[] = []
let opened: URL[] = []

const web = createWeb({
  fetch: ({ url }) => {
    const headers = { 'X-Service-Block-Number': String(service.block), 'X-Service-Block-Timestamp': String(NOW / 1000) }
    if (!new URL(url).pathname.startsWith('/api/tasks/')) return Response.json({}, { status: 503, headers })
    service.reads += 1
    const requesterStats = { totalTasksCreated: 1, completedCount: 0, selfAwardCount: 0 }
    return Response.json({ ...service.task, parts: { submissions: service.submissions, requesterStats } }, { headers })
  },
  publicUrl: 'https://market.example',
  serviceName: 'service',
  scripts: {
    deployment: { local: false, chainId: 8453 },
    apiUrl: null,
    rpcUrl: 'https://node.example',
    explorerUrl: null,
    hasDemoWallets: false,
  },
})
const showPage = getRequestListener(web.fetch)
const server = createServer((request, response) => {
  if (!request.url?.startsWith('/api/events')) return void showPage(request, response)
  const stream = { url: new URL(request.url, 'http://market'), out: response }
  opened.push(stream.url)
  if (service.refusal !== null) return void response.writeHead(service.refusal).end('{"error": "No stream."}')
  streams.push(stream)
  response.on('close', () => {
    streams = streams.filter((one) => one !== stream)
  })
  response.writeHead(200, { 'Content-Type': 'text/event-stream' }).write(':\n\n')
})
const browser = openBrowser()
let url = ''
beforeAll(async () => {
  await once(server.listen(0, '127.0.0.1'), 'listening')
  url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/tasks/TSK-MVSFMM75`
})
afterAll(() => {
  server.closeAllConnections()
  server.close()
})
beforeEach(() => {
  const description = `Summarise the contract\n\n${'A long paragraph of what is asked for.\n\n'.repeat(40)}`
  const pendingActions = [offer('accept', worker('a')), offer('accept', worker('b'))]
  Object.assign(service, { task: aTask({ description, pendingActions }), block: 7, refusal: null })
  service.submissions = [submission('a'), submission('b')]
  service.task.submissionCount = 2
  opened = []
})

function offer(action: string, targetWorker: string): TaskDetail['pendingActions'][number] {
  return { action, role: 'requester', eligibleAddress: requester, targetWorker } as never
}

function submission(digit: string): Submission {
  return {
    id: `0x${digit.repeat(64)}`,
    referenceCode: `SUB-${digit}`,
    workerAddress: worker(digit),
    workerAgentId: null,
    submittedAt: hours(-1),
    rejectedAt: null,
    artifacts: [],
    submitTxHash: null,
  } as never
}

/** Something happens to the task, in the next block. */
function happen(change: () => void, taskId = service.task.id): void {
  service.block += 1
  change()
  const entry = { id: `e-${service.block}`, kind: 'submission.created', taskId, block: { number: service.block } }
  for (const { out } of streams) out.write(`id: ${entry.id}\nevent: ${entry.kind}\ndata: ${JSON.stringify(entry)}\n\n`)
}

const addEntry = (digit: string) => () => {
  // Above those that are there.
  service.submissions = [submission(digit), ...service.submissions]
  service.task = { ...service.task, submissionCount: service.submissions.length }
}

async function openPage(before?: Page): Promise<Page> {
  const page = await (before === undefined ? browser.open() : before.context().newPage())
  await page.goto(url)
  await page.locator('article.entry').first().waitFor()
  return page
}

const openStreams = () => expect.poll(() => streams.length)
const countEntries = (page: Page) => expect.poll(() => page.locator('article.entry').count())

test('given an entry of the task, then its page shows it, and the stream began behind the block of the page', async () => {
  const page = await openPage()
  await openStreams().toBe(1)
  expect(opened.map(({ search }) => search)).toEqual(['?fromBlock=8'])
  const reads = service.reads
  happen(() => {}, `0x${'99'.repeat(32)}`)
  happen(addEntry('c'))
  await countEntries(page).toBe(3)
  expect(await page.locator('article.entry').first().getAttribute('id')).toBe('SUB-c')
  happen(() => {
    service.task = { ...service.task, status: 'cancelled', phase: 'resolved', pendingActions: [] }
  })
  await page.getByText('Cancelled').first().waitFor()
  expect(service.reads).toBe(reads + 2)
})

test('given a reader, then scroll, focus, selection, what is typed and an open dialog stay as they are', async () => {
  const page = await openPage()
  await openStreams().toBe(1)
  await page.evaluate(beginTyping)
  const before = await page.evaluate(readTyping)
  expect(await page.evaluate('scrollY')).toBeGreaterThan(500)
  happen(() => {
    addEntry('c')()
    const pendingActions = [offer('accept', worker('c')), ...service.task.pendingActions]
    service.task = { ...service.task, tags: ['writing', 'law'], pendingActions }
  })
  await countEntries(page).toBe(3)
  expect(await page.evaluate(readTyping)).toEqual(before)

  await page.evaluate(openField)
  happen(addEntry('d'))
  await countEntries(page).toBe(4)
  expect(await page.evaluate("document.activeElement === document.querySelector('dialog[open] input')")).toBe(true)
  expect(await page.evaluate(readTyping)).toMatchObject({ value: before.value, selected: before.selected })
})

test('given a text that is selected, then it stays where it is when more comes above it', async () => {
  const page = await openPage()
  await openStreams().toBe(1)
  await page.evaluate(selectParagraph)
  const before = await page.evaluate(readParagraph)
  happen(() => {
    service.task = { ...service.task, tags: Array.from({ length: 40 }, (_, index) => `tag number ${index}`) }
  })
  await expect.poll(() => page.locator('.head a[href*="tags"]').count()).toBe(40)
  expect(await page.evaluate(readParagraph)).toEqual(before)
})

test('given a button with the focus and one that comes before it, then the focus stays on what it was for', async () => {
  const page = await openPage()
  await openStreams().toBe(1)
  await page.evaluate(connect, requester)
  await page.locator(`[data-worker="${worker('b')}"]`).focus()
  happen(() => {
    service.task = { ...service.task, pendingActions: [offer('accept', worker('c')), ...service.task.pendingActions] }
  })
  await expect.poll(() => page.locator('[data-act=accept]').count()).toBe(3)
  expect(await page.evaluate('document.activeElement.dataset.worker')).toBe(worker('b'))
  expect(
    await page.locator('[data-act=accept]').evaluateAll((all) => all.map(({ dataset }) => dataset.worker?.at(-1))),
  ).toEqual(['c', 'a', 'b'])
})

test('given two tabs, then they share one stream, and the second has it when the first is closed', async () => {
  const first = await openPage()
  await openStreams().toBe(1)
  const second = await openPage(first)
  happen(addEntry('c'))
  await countEntries(first).toBe(3)
  await countEntries(second).toBe(3)
  expect(streams).toHaveLength(1)
  await first.close()
  await expect.poll(() => opened.length).toBe(2)
  // It goes on behind what the first tab had told it.
  expect(opened[1]?.search).toBe('?after=e-8')
  await openStreams().toBe(1)
  happen(addEntry('d'))
  await countEntries(second).toBe(4)
})

test('given a tab that is hidden, then it has no stream, and shows what happened when it is visible again', async () => {
  const page = await openPage()
  await openStreams().toBe(1)
  await page.evaluate(setHidden, true)
  await openStreams().toBe(0)
  const reads = service.reads
  happen(addEntry('c'))
  await page.evaluate(setHidden, false)
  await countEntries(page).toBe(3)
  await openStreams().toBe(1)
  expect(opened.at(-1)?.search).toBe('?fromBlock=9')
  expect(service.reads).toBe(reads + 1)
  happen(addEntry('d'))
  await countEntries(page).toBe(4)
})

test('given a stream that is cut, then the next one goes on where it was', async () => {
  const page = await openPage()
  await openStreams().toBe(1)
  happen(addEntry('c'))
  await countEntries(page).toBe(3)
  for (const { out } of streams) out.destroy()
  await expect.poll(() => opened.length).toBe(2)
  expect(opened.at(-1)?.search).toBe('?after=e-8')
  happen(addEntry('d'))
  await countEntries(page).toBe(4)
})

test('given a place that is gone, then the page is read again when the next stream is open', async () => {
  const page = await openPage()
  await openStreams().toBe(1)
  service.refusal = 410
  for (const { out } of streams) out.destroy()
  await expect.poll(() => opened.length).toBe(2)
  happen(addEntry('c'))
  service.refusal = null
  await countEntries(page).toBe(3)
  expect(opened.at(-1)?.search).toBe('')
})

test('given a service without streams, then the page is read in pauses', async () => {
  service.refusal = 503
  const page = await openPage()
  happen(addEntry('c'))
  await countEntries(page).toBe(3)
})

test('given an unlisted task, then its page asks for its entries alone', async () => {
  service.task = { ...service.task, taskVisibility: 'unlisted' }
  const page = await openPage()
  await openStreams().toBe(1)
  expect(opened[0]?.search).toBe(`?taskId=${service.task.id}&fromBlock=8`)
  happen(addEntry('c'))
  await countEntries(page).toBe(3)
})

test('given a page from a cache that is older than what happened, then it is read until it is not', async () => {
  const page = await openPage()
  await openStreams().toBe(1)
  const { task, submissions } = service
  happen(addEntry('c'))
  const changed = { task: service.task, submissions: service.submissions }
  Object.assign(service, { task, submissions, block: 7 })
  await expect.poll(() => service.reads).toBeGreaterThan(1)
  Object.assign(service, changed, { block: 8 })
  await countEntries(page).toBe(3)
})
