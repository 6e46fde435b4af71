import type { Context } from 'hono'
import type { paths } from '../../client/src/index.ts'
import type { WebOptions } from '../options.ts'

/** A path of the API for which a GET request returns JSON. */
export type ReadPath = {
  [Path in keyof paths]: AnswerTo<Path> extends never ? never : Path
}[keyof paths]

type AnswerTo<Path extends keyof paths> = paths[Path] extends {
  get: { responses: { 200: { content: { 'application/json': infer Answer } } } }
}
  ? Answer
  : never

/** The JSON that a path returns. Example: `AnswerOf<'/api/tasks'>` has `tasks` and `nextCursor`. */
export type AnswerOf<Path extends ReadPath> = AnswerTo<Path>

type QueryOf<Path extends ReadPath> = paths[Path] extends { get: { parameters: { query?: infer Query } } }
  ? Query
  : never

/** The latest block in the API's newest answer, and the time of the chain. */
export interface Head {
  /** Height of the block; null if the API does not return the height. */
  block: number | null
  /** The time of the chain, in Unix milliseconds. */
  now: number
  /** Age of the block, in milliseconds; null if the API reports no age, because the block is new. */
  age: number | null
}

/** The functions with which one page reads the API. */
export interface Reads {
  /**
   * Reads one path of the API.
   * Example: `reads.get('/api/tasks', { query: { status: 'open' } })`.
   * @throws ReadProblem if the API refuses the request or does not answer
   */
  get<Path extends ReadPath>(
    path: Path,
    options?: { path?: Record<string, string>; query?: QueryOf<Path> },
  ): Promise<AnswerOf<Path>>
  head(): Head
}

/** Thrown when the API refuses a request or cannot be reached. */
export class ReadProblem extends Error {
  override name = 'ReadProblem'
  /** HTTP status of the answer; null if there was no answer. */
  readonly status: number | null
  /** Number of seconds after which the API accepts the next request; null if the API does not say. */
  readonly retryAfter: number | null
  /** The parameters that the API refused, each with the reason. */
  readonly issues: readonly { path: string; message: string }[]

  constructor(
    message: string,
    { status, retryAfter = null, issues = [] }: { status: number | null; retryAfter?: number | null; issues?: Issues },
  ) {
    super(message)
    this.status = status
    this.retryAfter = retryAfter
    this.issues = issues
  }
}

type Issues = readonly { path: string; message: string }[]

/**
 * Creates the functions with which one page reads the API.
 * @param visitor the visitor's request. The API counts the reads against the rate limits of this visitor's client. Null
 * for reads that are cached for all visitors
 */
export function openReads({ fetch, serviceName }: Pick<WebOptions, 'fetch' | 'serviceName'>, visitor: Context | null) {
  let head: Head = { block: null, now: Date.now(), age: null }
  const names = headNames(serviceName)

  const send = async (target: string): Promise<unknown> => {
    let response: Response
    let text: string
    try {
      response = await fetch(new Request(`http://localhost${target}`), visitor)
      text = await response.text()
    } catch {
      throw new ReadProblem('The service does not answer now.', { status: null })
    }
    head = readHead(response.headers, names) ?? head
    if (response.ok) return JSON.parse(text)
    throw toProblem(response, text)
  }

  const reads: Reads = {
    get: async (path, { path: parameters = {}, query } = {}) => {
      const target = path.replace(/\{(\w+)\}/g, (_, name: string) => encodeURIComponent(parameters[name] ?? ''))
      return (await send(target + toSearch(query))) as AnswerOf<typeof path>
    },
    head: () => head,
  }
  return reads
}

function toSearch(query: unknown): string {
  const search = new URLSearchParams()
  for (const [name, values] of Object.entries(query ?? {})) {
    for (const value of [values].flat()) if (value !== undefined) search.append(name, String(value))
  }
  const text = search.toString()
  return text === '' ? '' : `?${text}`
}

/** Returns the names of the response headers that contain the latest block, its time and its age. */
function headNames(serviceName: string) {
  const prefix = `X-${serviceName.charAt(0).toUpperCase()}${serviceName.slice(1)}`
  return { number: `${prefix}-Block-Number`, timestamp: `${prefix}-Block-Timestamp`, age: `${prefix}-Head-Age` }
}

/**
 * Reads the latest block and the chain's time from the headers of an answer. Returns null if the header with the
 * block's time is missing. The chain's time is the block's time plus the age that the API reports.
 */
function readHead(headers: Headers, names: ReturnType<typeof headNames>): Head | null {
  const timestamp = headers.get(names.timestamp)
  if (timestamp === null) return null
  const age = Number(headers.get(names.age) ?? 0) * 1000
  return { block: Number(headers.get(names.number)), now: Number(timestamp) * 1000 + age, age: age === 0 ? null : age }
}

function toProblem({ status, headers }: Response, text: string): ReadProblem {
  const wait = Number(headers.get('Retry-After') ?? Number.NaN)
  const facts = { status, retryAfter: Number.isFinite(wait) ? wait : null }
  try {
    const { error, issues } = JSON.parse(text) as { error?: unknown; issues?: Issues }
    if (typeof error === 'string') return new ReadProblem(error, { ...facts, ...(issues !== undefined && { issues }) })
  } catch {
    // The answer of a proxy has no JSON.
  }
  return new ReadProblem(`The service answered ${status}.`, facts)
}

/** Awaits a read that a page can omit. Returns null if the API refuses the read or cannot be reached. */
export async function orNull<Value>(reading: Promise<Value>): Promise<Value | null> {
  try {
    return await reading
  } catch (error) {
    if (error instanceof ReadProblem) return null
    throw error
  }
}
