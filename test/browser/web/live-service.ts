import type { IncomingMessage, ServerResponse } from 'node:http'
import { beforeAll, beforeEach, expect } from 'vitest'
import type { Submission, TaskDetail } from '../../../web/http/rows.ts'
import { aTask, hours, NOW } from '../../unit/web/a-task.ts'
import { serveFile, showPages } from './served-pages.ts'

export const requester = '0x976EA74026E726554dB657fA54763abd0C3a0aa9'

/** An account by a digit. Example: `0xaaaa…`. */
export const worker = (digit: string) => `0x${digit.repeat(40)}`

/** A stream that is open. */
interface Stream {
  url: URL
  /** Who reads it, as it says; undefined: anyone. */
  reader: string | undefined
  out: ServerResponse
}

/** Opens, for a test file, a service with one task: what it says of it, the block that it stands at, and the streams that are open. */
export function openLiveService() {
  const service = {
    url: '',
    task: aTask(),
    submissions: [] as Submission[],
    /** What the wallet with a read identity sees alone. */
    ownSubmissions: [] as Submission[],
    isPrivate: false,
    /** Whether the service takes read identities. */
    takesReaders: true,
    /** Whether the wallet may see a private task. */
    isInvited: true,
    block: 7,
    reads: 0,
    ownReads: 0,
    refusal: null as number | null,
    streams: [] as Stream[],
    opened: [] as URL[],
  }
  const readerOf = ({ headers }: IncomingMessage) => headers['x-service-caller-address'] as string | undefined

  const showPage = showPages(({ url }) => {
    const headers = {
      'X-Service-Block-Number': String(service.block),
      'X-Service-Block-Timestamp': String(NOW / 1000),
    }
    if (!new URL(url).pathname.startsWith('/api/tasks/')) return Response.json({}, { status: 503, headers })
    service.reads += 1
    if (service.isPrivate) return Response.json(null, { headers })
    const requesterStats = { totalTasksCreated: 1, completedCount: 0, selfAwardCount: 0 }
    return Response.json({ ...service.task, parts: { submissions: service.submissions, requesterStats } }, { headers })
  })
  const openStream = (request: IncomingMessage, out: ServerResponse) => {
    const stream = { url: new URL(request.url ?? '', 'http://market'), reader: readerOf(request), out }
    service.opened.push(stream.url)
    const status = stream.reader !== undefined && !service.takesReaders ? 401 : service.refusal
    if (status !== null) return void out.writeHead(status).end('{"error": "No stream."}')
    service.streams.push(stream)
    out.on('close', () => {
      service.streams = service.streams.filter((one) => one !== stream)
    })
    out.writeHead(200, { 'Content-Type': 'text/event-stream' }).write(':\n\n')
  }
  /** What a script of the page reads as a wallet. */
  const readOwn = (request: IncomingMessage, path: string, out: ServerResponse) => {
    service.ownReads += 1
    const isOwn = readerOf(request) !== undefined
    const submissions = isOwn ? [...service.submissions, ...service.ownSubmissions] : service.submissions
    const task = service.isInvited ? service.task : null
    const body = path.endsWith('/submissions') ? submissions : path.endsWith('/pitches') ? [] : task
    out.writeHead(isOwn && !service.takesReaders ? 401 : 200, { 'Content-Type': 'application/json' })
    out.end(JSON.stringify(body))
  }
  const rootUrl = serveFile((request, response) => {
    const { pathname } = new URL(request.url ?? '', 'http://market')
    if (pathname === '/api/events') openStream(request, response)
    else if (pathname.startsWith('/api/')) readOwn(request, pathname, response)
    else showPage(request, response)
  })
  beforeAll(() => {
    service.url = `${rootUrl()}/tasks/TSK-MVSFMM75`
  })
  beforeEach(() => {
    const description = `Summarise the contract\n\n${'A long paragraph of what is asked for.\n\n'.repeat(40)}`
    const pendingActions = [offer('accept', worker('a')), offer('accept', worker('b'))]
    const task = aTask({ description, pendingActions, submissionCount: 2 })
    const submissions = [submission('a'), submission('b')]
    Object.assign(service, { task, submissions, ownSubmissions: [], block: 7, refusal: null, opened: [] })
    Object.assign(service, { isPrivate: false, takesReaders: true, isInvited: true, ownReads: 0 })
  })
  return {
    service,
    openStreams: () => expect.poll(() => service.streams.length),
    /** Something happens to the task, in the next block. @param isTold which streams are told of it */
    happen: (change: () => void, taskId = service.task.id, isTold = (_: Stream) => true) => {
      service.block += 1
      change()
      const entry = { id: `e-${service.block}`, kind: 'submission.created', taskId, block: { number: service.block } }
      for (const { out } of service.streams.filter(isTold))
        out.write(`id: ${entry.id}\nevent: ${entry.kind}\ndata: ${JSON.stringify(entry)}\n\n`)
    },
    /** A change: a delivery that everyone sees, above those that are there. */
    addEntry: (digit: string) => () => {
      service.submissions = [submission(digit), ...service.submissions]
      service.task = { ...service.task, submissionCount: service.task.submissionCount + 1 }
    },
    /** A change: a delivery that the requester alone sees. */
    addOwnEntry: (digit: string) => () => {
      service.ownSubmissions = [submission(digit), ...service.ownSubmissions]
      service.task = { ...service.task, submissionCount: service.task.submissionCount + 1 }
    },
  }
}

/** An act that the requester may take. */
export function offer(action: string, targetWorker: string): TaskDetail['pendingActions'][number] {
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
