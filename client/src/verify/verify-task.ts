import type { Hex } from 'viem'
import { toTaskMode } from '../../../protocol/rules/selectors.ts'
import { type AskNode, nodeOf } from '../chain/node.ts'
import { type ClientContext, readLimit } from '../context.ts'
import { readBoundedText } from '../http/bounded-text.ts'
import { reach } from '../http/reach.ts'
import { anyOrNullShape, taskOrNullShape } from '../http/shapes.ts'
import { type ListPath, listRows, nextOf, ReadError, type RowOf } from '../reads/pages.ts'
import { readJson } from '../reads/read-json.ts'
import type { TaskDetail } from '../reads/wait-for.ts'
import {
  type ExpectedRows,
  expectBids,
  expectClaim,
  expectFeedbacks,
  expectPitches,
  expectProofs,
  expectSubmissions,
  type ReadDocument,
} from './expect-rows.ts'
import { expectTask, type TaskOnChain } from './expect-task.ts'
import { compare, type Finding, invented, omitted, plain } from './expected.ts'
import {
  type Block,
  findBlock,
  insistOnAnswers,
  openMarketAt,
  readHead,
  readTaskLogs,
  type TaskLog,
  VerifyError,
} from './read-chain.ts'
import { readHistory } from './task-history.ts'

export interface VerifyOptions {
  /** The URL of the node with which the answers are compared. The default is the client's own node. */
  rpcUrl?: string
  /** The block at which to compare. The default is the block that the service's answer names. */
  block?: number
  /** Called while logs are read, with the number of blocks that are done and the number of all blocks. */
  onProgress?: (doneBlocks: number, of: number) => void
}

/** The result of comparing the service's answers about one task with the caller's own node. */
export interface Verification {
  taskId: string
  /** The block at which the answers were compared with the chain. */
  block: number
  /** True if the chain and the answers have the same rows, and no field differs. */
  isVerified: boolean
  /** One finding for each field of the task and of its rows. */
  findings: Finding[]
}

/** The lists that the service returns together with a task. */
const parts = ['submissions', 'pitches', 'bids', 'proofs', 'claim', 'feedbacks'] as const
type Part = (typeof parts)[number]
/** The rows of one list in the service's answer; null for an invalid row. */
type Rows = readonly ({ id: string } | null)[]

interface Answered {
  task: TaskDetail | null
  rows: Record<Exclude<Part, 'claim'>, Rows>
  claim: unknown
  block: number
}

/**
 * Compares the service's answers about a task with the chain and with the hashes of stored texts. The chain's data
 * comes from the caller's node. The comparison uses the block that the service's answer names. If the answer differs
 * from the chain at this block, the comparison is repeated at the next block. The contract addresses come from the
 * client's own deployment.
 * @throws ReadError when the service does not answer; VerifyError when the node fails
 */
export async function verifyTask(
  context: ClientContext,
  ofClient: Parameters<typeof nodeOf>[0],
  { taskId, rpcUrl, ...options }: { taskId: string } & VerifyOptions,
): Promise<Verification> {
  const ask = nodeOf(rpcUrl === undefined ? ofClient : { rpcUrl })
  if (ask === null) throw new VerifyError('A node of yours is needed: `rpcUrl`.')
  return await verifyBy(ask, context, { taskId, ...options })
}

/** Compares the service's answers with the chain as `verifyTask` does, but uses the given node. */
export async function verifyBy(
  node: AskNode,
  context: ClientContext,
  { taskId, block: blockOption, onProgress = () => {} }: { taskId: string } & Omit<VerifyOptions, 'rpcUrl'>,
): Promise<Verification> {
  const ask = insistOnAnswers(node)
  if (!/^0x[0-9a-fA-F]{64}$/.test(taskId)) throw new VerifyError('A task id has 64 hex digits behind 0x.')
  const id = taskId.toLowerCase() as Hex
  const chainId = Number(await ask('eth_chainId', []))
  if (chainId !== context.deployment.chainId) {
    throw new VerifyError(`The node is one of chain ${chainId}; the deployment is on ${context.deployment.chainId}.`)
  }
  const serviceAnswer = await readAnswer(context, id)
  const head = await readHead(ask)
  const number = blockOption ?? serviceAnswer.block
  const block = await findBlock(ask, number)
  if (block === null) {
    const where =
      number > head.number
        ? `is at block ${head.number} and does not have block ${number} yet: try again`
        : `does not have block ${number}`
    throw new VerifyError(`The node ${where}.`)
  }
  const source = { context, ask, id, head, onProgress }
  const logs = await readLogs(source)
  const first = await compareAt(source, { answered: serviceAnswer, block, logs })
  // The service names the block before that of its rows when that block arrives during the read.
  const next =
    first.isVerified || blockOption !== undefined || number >= head.number ? null : await findBlock(ask, number + 1)
  const second = next === null ? null : await compareAt(source, { answered: serviceAnswer, block: next, logs })
  return second?.isVerified === true ? second : first
}

interface Source {
  context: ClientContext
  ask: AskNode
  id: Hex
  head: Block
  onProgress: (doneBlocks: number, of: number) => void
}

/**
 * Reads the logs of a task up to the node's latest block. The logs after the block of the service's answer are needed,
 * because the answer may contain rows from later blocks.
 */
async function readLogs({ context, ask, id, head, onProgress }: Source): Promise<TaskLog[]> {
  const { market } = context.deployment
  // A task created in the block after the answer's is not in the state of the answer's block.
  const task = await openMarketAt(ask, { market, taskId: id, block: head.number }).task()
  if (task === null) return []
  const logs = await readTaskLogs(ask, { market, taskId: id, from: BigInt(task.createdAt), to: head, onProgress })
  if (logs.some(({ eventName }) => eventName === 'TaskCreated')) return logs
  throw new VerifyError(
    'The node does not have the log of the creation of the task: one that keeps older logs is needed.',
  )
}

async function compareAt(
  source: Source,
  { answered, block, logs }: { answered: Answered; block: Block; logs: readonly TaskLog[] },
): Promise<Verification> {
  const { context, ask, id, head } = source
  const { market } = context.deployment
  const at = openMarketAt(ask, { market, taskId: id, block: block.number })
  const view = await at.task()
  const { task } = answered
  const verification = (findings: Finding[]): Verification => ({
    taskId: id,
    block: block.number,
    isVerified: findings.every(({ status }) => status !== 'differs'),
    findings,
  })
  if (view === null) {
    const none = { path: '', status: 'verified', service: null, chain: null, why: 'there is no such task' } as const
    return verification([task === null ? none : invented('', { id: task.id })])
  }
  const mode = toTaskMode(view.mode)
  const historyUpTo = (last: number) =>
    readHistory(
      logs.filter((log) => log.block.number <= last),
      { taskId: id, mode },
    )
  const [hooks, termsHash] = [await at.hooks(), await at.termsHash()]
  const chain: TaskOnChain = { id, block, head, view, hooks, termsHash, history: historyUpTo(block.number) }
  if (task === null) {
    const why = 'the task is not listed: the service shows it to no caller who is not invited'
    const finding = { path: '', status: 'unknowable', service: null, chain: { id }, why } as const
    return verification([chain.history.created?.listed === true ? omitted('', { id }) : finding])
  }
  const { parts: _, ...fields } = task as TaskDetail & { parts?: unknown }
  const read: ReadDocument = (path) => readDocument(context, path)
  const { submissionVisibility } = task
  const laterRows = await listRowsOf(
    { ...chain, history: historyUpTo(head.number) },
    { submissionVisibility, read: async () => null },
  )
  const expectedRows = await listRowsOf(chain, { submissionVisibility, read })
  return verification([
    ...compare('', fields, expectTask(chain, task)),
    ...compare('claim', answered.claim, expectClaim(chain)),
    ...Object.entries(answered.rows).flatMap(([name, rows]) => {
      const part = name as keyof typeof expectedRows
      if (part === 'bids' && expectedRows.bids.isSealed) return compareSealed(rows, expectedRows.bids.rows)
      return compareRows(part, { rows, expected: expectedRows[part], later: laterRows[part].rows })
    }),
  ])
}

async function listRowsOf(
  chain: TaskOnChain,
  { submissionVisibility, read }: { submissionVisibility: string; read: ReadDocument },
) {
  return {
    submissions: await expectSubmissions(chain, { submissionVisibility, read }),
    pitches: expectPitches(chain),
    bids: expectBids(chain),
    proofs: expectProofs(chain, submissionVisibility),
    feedbacks: await expectFeedbacks(chain, read),
  }
}

function compareRows(
  part: string,
  { rows, expected, later }: { rows: Rows; expected: ExpectedRows<unknown>; later: ReadonlyMap<string, unknown> },
): Finding[] {
  const ids = rows.map((row) => String(row?.id).toLowerCase())
  const answeredIds = new Set(ids)
  const presentFindings = rows.flatMap((row, at): Finding[] => {
    const id = ids[at] ?? ''
    const path = `${part}[${row?.id}]`
    const rule = expected.rows.get(id)
    // A repeated row is one row too many.
    if (ids.indexOf(id) !== at) return [invented(path, row)]
    if (rule !== undefined) return compare(path, row, rule)
    if (!later.has(id)) return [invented(path, row)]
    const why = 'the chain has it in a later block than the one that the answer names'
    return [{ path, status: 'unknowable', service: row, chain: null, why }]
  })
  const absentRows = [...expected.rows].filter(([id]) => !answeredIds.has(id))
  return [
    ...presentFindings,
    ...absentRows.map(([id, row]): Finding => {
      const finding = omitted(`${part}[${id}]`, plain(row))
      return expected.hidden === null ? finding : { ...finding, status: 'unknowable', why: expected.hidden }
    }),
  ]
}

/**
 * Compares a list of sealed bids with the chain: the number of bids, and each bid of the caller. The service replaces
 * the ids of other workers' sealed bids. Therefore those bids are only counted.
 */
function compareSealed(rows: Rows, expected: ReadonlyMap<string, unknown>): Finding[] {
  const ownRows = rows.filter((row) => row !== null && 'workerAddress' in row && row.workerAddress !== null)
  return [
    ...compare('bids.length', rows.length, expected.size),
    ...ownRows.flatMap((row) => compare(`bids[${row?.id}]`, row, expected.get(String(row?.id)) ?? null)),
  ]
}

async function readAnswer(context: ClientContext, taskId: Hex): Promise<Answered> {
  const path = `/api/tasks/${taskId}`
  const answer = await readJson(context, path, { include: parts }, anyOrNullShape)
  if (!answer.ok) throw new ReadError(answer.message, answer)
  const block = Number(answer.headers.get('x-service-block-number') ?? Number.NaN)
  if (!Number.isSafeInteger(block))
    throw new VerifyError('The answer names no block, so it cannot be compared with one.')
  if (!taskOrNullShape.accepts(answer.body)) {
    throw new ReadError(`${context.url}${path} answered something that is no task.`, { status: null, body: null })
  }
  const task = answer.body as (TaskDetail & { parts?: Partial<Record<Part, unknown>> }) | null
  const rowsOf = async (part: Exclude<Part, 'claim'>): Promise<Rows> => {
    const answeredRows =
      part === 'feedbacks'
        ? (task?.parts?.feedbacks as { feedbacks?: unknown } | undefined)?.feedbacks
        : task?.parts?.[part]
    const rows = (Array.isArray(answeredRows) ? answeredRows : []) as Rows
    return goesOn(answer.headers, part) ? await readAll(context, part, taskId) : rows
  }
  return {
    task,
    rows: {
      submissions: await rowsOf('submissions'),
      pitches: await rowsOf('pitches'),
      bids: await rowsOf('bids'),
      proofs: await rowsOf('proofs'),
      feedbacks: await rowsOf('feedbacks'),
    },
    claim: task?.parts?.claim ?? null,
    block,
  }
}

/**
 * Returns true if an answer contains only the first page of its list `part`. The answer's Link header then contains the
 * URL of the next page.
 */
function goesOn(headers: Headers, part: string): boolean {
  return nextOf(null, headers) !== null && (headers.get('link') ?? '').includes(`/${part}`)
}

async function readAll(context: ClientContext, part: Exclude<Part, 'claim'>, taskId: Hex): Promise<Rows> {
  const rows: RowOf<ListPath>[] = []
  const path = `/api/tasks/{taskId}/${part}` as ListPath
  for await (const row of listRows(context, path, { path: { taskId } })) rows.push(row)
  return rows as unknown as Rows
}

/**
 * Reads a stored document as text; null if the document does not exist, or if the caller may not read it.
 * @throws ReadError
 */
async function readDocument(context: ClientContext, path: string): Promise<string | null> {
  const url = `${context.url}${path}`
  const signal = AbortSignal.timeout(readLimit(context.timing))
  const response = await reach(context.fetch, url, { headers: await context.identity(), signal })
  const text = await readBoundedText(response)
  if (response.ok) return text
  if ([401, 403, 404, 409].includes(response.status)) return null
  throw new ReadError(`${url} answered ${response.status}.`, { status: response.status, body: null })
}
