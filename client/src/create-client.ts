import createFetchClient, { type Client as FetchClient } from 'openapi-fetch'
import { type Account, checkedAccount, type Provider } from './account/account.ts'
import type { Action } from './actions/action.ts'
import type { ActionsOptions } from './actions/follow-actions.ts'
import type { paths } from './api/openapi.ts'
import type { WriteAnswer, WriteInput, WriteName } from './api/write-names.ts'
import { nodeOf } from './chain/node.ts'
import { openChain } from './chain/rpc.ts'
import { type ClientContext, checkUrl, defaultTiming, readLimit, type Timing } from './context.ts'
import { chooseDeployment } from './deployment/deployment.ts'
import { warnOnce } from './deployment/real-key.ts'
import { AnswerTooLarge, readBoundedText } from './http/bounded-text.ts'
import { describeFailure, reach, Unreachable } from './http/reach.ts'
import { createServiceClock } from './http/service-clock.ts'
import { createReadIdentity, type IdentityCache } from './identity/read-identity.ts'
import type { ChangesOptions } from './reads/changes.ts'
import type { EventsOptions, MarketEvent } from './reads/events.ts'
import { type ListOptions, type ListPath, listRows, ReadError, type RowOf } from './reads/pages.ts'
import type { TaskDetail, TaskStatus, WaitOptions } from './reads/wait-for.ts'
import type { Limits } from './store/limits.ts'
import type { Store } from './store/store.ts'
import type { Verification, VerifyOptions } from './verify/verify-task.ts'
import type { Outcome, Preview } from './writes/outcome.ts'
import type { PreviewOptions } from './writes/preview.ts'
import type { WriteOptions } from './writes/run-write.ts'

export interface ClientOptions {
  /** The service's root URL, such as https://market.example. */
  url: string
  /** The account that reads and writes; without one, all reads are anonymous. */
  account?: Account
  /** Journal and limits of the wallet (`fileStore` on a machine, `webStore` in a browser); without one no write is made. */
  store?: Store
  /**
   * The deployment that receives payments. A name of a deployment file in the package (`base` by default, `base-sepolia`), the
   * content of another deployment file, or `addresses` of a local stack's stack.json.
   */
  deployment?: unknown
  /** URL of a node. With one, time, used authorizations and rewards come from the chain itself, and previews simulate. */
  rpcUrl?: string
  /** A browser wallet that serves as the node in place of `rpcUrl`. */
  provider?: Provider
  /** Lowers the limits of the wallet's configuration. */
  limits?: Partial<Limits>
  /** The answer of a legal acceptance, for a service that requires one. */
  legalReceipt?: string
  /** Stores the signed read identity of `account` while it is valid. Without it, each client asks for a new signature. */
  identityCache?: IdentityCache
  fetch?: typeof globalThis.fetch
  /** Receives warnings for a user, such as a real key that signs on a local chain; `console.warn` by default. */
  onWarning?: (message: string) => void
  timing?: Partial<Timing>
}

/** A client of one service, for one wallet. */
export interface Client {
  /** Typed access to every operation of the OpenAPI document: `client.http.GET('/api/tasks', { params: { query } })`. */
  http: FetchClient<paths>
  /**
   * Makes a write. Never throws for a failure of network, server or wallet. The first call of `write`, `preview` or `lookUp`
   * loads their code.
   * @example
   * const task = { description: 'Haiku', tags: ['haiku'], reward: '2000000', duration: 24 }
   * const outcome = await client.write('createTask', task)
   */
  write<Name extends WriteName>(
    name: Name,
    input: WriteInput<Name>,
    options?: WriteOptions,
  ): Promise<Outcome<WriteAnswer<Name>>>
  /**
   * Returns what a write would cost and decide now, and checks limits, balance and the contracts' rules. Signs nothing that can
   * act, and moves nothing.
   */
  preview<Name extends WriteName>(
    name: Name,
    input: WriteInput<Name>,
    options?: PreviewOptions,
  ): Promise<Preview | Outcome<never>>
  /** Returns the outcome of a write of this wallet's journal by its key. Signs and sends nothing that can act. */
  lookUp(key: string, options?: { waitMs?: number }): Promise<Outcome<Record<string, unknown>>>
  /**
   * Yields all rows of a list, page after page. The iterator throws a ReadError.
   * @example for await (const task of client.list('/api/tasks', { query: { status: 'open' } })) console.log(task.id)
   */
  list<Path extends ListPath>(path: Path, options?: ListOptions): AsyncGenerator<RowOf<Path>, void, undefined>
  /**
   * Reads a task again with each change until it has one of the statuses; null at the timeout.
   * @example const task = await client.waitFor(taskId, ['completed', 'expired'], { timeoutMs: 60_000 })
   */
  waitFor(
    taskId: string,
    statuses: TaskStatus | readonly TaskStatus[],
    options?: WaitOptions,
  ): Promise<TaskDetail | null>
  /**
   * Yields each entry of the log of changes once and in order, until the caller stops. The iterator throws a ReadError.
   * @example for await (const event of client.events({ kinds: ['task.created'] })) console.log(event.taskId)
   */
  events(options?: EventsOptions): AsyncGenerator<MarketEvent, void, undefined>
  /**
   * Yields when it is time to read again: at each matching entry, and in pauses while no stream is available. Never throws.
   * @example for await (const _ of client.changes({ kinds: ['task.created'] })) await lookForWork()
   */
  changes(options?: ChangesOptions): AsyncGenerator<void, void, undefined>
  /**
   * Yields what the wallet can do in one role: items of its action queue and, for a worker, offers of open tasks. Each action
   * comes once while it is offered. The iterator throws a ReadError.
   * @example
   * for await (const action of client.actions({ role: 'requester' })) {
   *   if (action.name === 'rate') await action.run({ rating: 90 })
   * }
   */
  actions(options: ActionsOptions): AsyncGenerator<Action, void, undefined>
  /**
   * Compares the service's answers about a task with the caller's own node and with the hashes of stored texts, field by field.
   * Throws a ReadError when the service does not answer, and a VerifyError when the node fails.
   * @example const { isVerified, findings } = await client.verify(taskId, { rpcUrl: 'http://127.0.0.1:8545' })
   */
  verify(taskId: string, options?: VerifyOptions): Promise<Verification>
  context: ClientContext
}

/**
 * Creates a client of one service, for one wallet.
 * @throws Error for a URL without https, and without a known deployment
 * @example const client = createClient({ url: 'https://market.example', deployment: 'base' })
 */
export function createClient(options: ClientOptions): Client {
  const context = createContext(options)
  const http = createFetchClient<paths>({
    baseUrl: context.url,
    fetch: (request) => reach(context.fetch, request, { signal: endOf(request, context.timing) }),
    redirect: 'manual',
  })
  http.use({
    onRequest: async ({ request }) => {
      request.headers.set('Prefer', 'handling=strict')
      for (const [name, value] of Object.entries(await context.identity())) request.headers.set(name, value)
      return request
    },
    onError: ({ error }) =>
      error instanceof Unreachable ? new ReadError(error.message, { status: null, body: null }) : undefined,
    onResponse: ({ response, request, options }) =>
      options.parseAs === 'json' ? readWhole(response, request.url) : undefined,
  })
  return {
    http,
    context,
    write: (name, input, writeOptions) => {
      const options = { calledAt: Date.now(), ...writeOptions }
      return withCode(import('./writes/run-write.ts'), ({ runWrite }) => runWrite(context, name, input, options))
    },
    preview: (name, input, previewOptions) =>
      withCode(import('./writes/preview.ts'), ({ previewWrite }) => previewWrite(context, name, input, previewOptions)),
    lookUp: (key, lookOptions) =>
      withCode(import('./writes/look-up.ts'), ({ lookUpWrite }) => lookUpWrite(context, key, lookOptions)),
    list: (path, options) => listRows(context, path, options),
    waitFor: async (taskId, statuses, options) => {
      return (await import('./reads/wait-for.ts')).waitForTask(context, taskId, statuses, options)
    },
    events: async function* (eventsOptions) {
      const { readEvents } = await import('./reads/events.ts')
      yield* readEvents(context, eventsOptions)
    },
    changes: async function* (changesOptions) {
      const { readChanges } = await import('./reads/changes.ts')
      yield* readChanges(context, changesOptions)
    },
    actions: async function* (actionsOptions) {
      const { followActions } = await import('./actions/follow-actions.ts')
      yield* followActions(context, actionsOptions)
    },
    verify: async (taskId, given) =>
      (await import('./verify/verify-task.ts')).verifyTask(context, options, { taskId, ...given }),
  }
}

/** Calls code that is loaded on first use. In a browser the load can fail as any download. */
async function withCode<Code, Result>(
  loading: Promise<Code>,
  call: (code: Code) => Promise<Result>,
): Promise<Result | Outcome<never>> {
  let code: Code
  try {
    code = await loading
  } catch (error) {
    const message = `The code of writes could not be loaded: ${String(error)}. Nothing was sent.`
    return { kind: 'refused', key: null, isKeyUsable: true, reason: 'unreachable', message, status: null }
  }
  return await call(code)
}

/** Returns a signal that aborts when the caller aborts, or at the timeout of the whole answer. */
function endOf({ method, signal }: Request, timing: Timing): AbortSignal {
  return AbortSignal.any([signal, AbortSignal.timeout(method === 'GET' ? readLimit(timing) : timing.requestMs)])
}

/**
 * Returns the answer after its body was read within the bounds.
 * @throws ReadError for a body that is too large, no JSON, or incomplete at the timeout
 */
async function readWhole(response: Response, url: string): Promise<Response | undefined> {
  if (response.body === null) return undefined
  const { status, headers } = response
  let text: string
  try {
    text = await readBoundedText(response)
    if (text !== '') JSON.parse(text)
  } catch (error) {
    if (!(error instanceof AnswerTooLarge || error instanceof SyntaxError)) {
      throw new ReadError(describeFailure(url, error), { status: null, body: null })
    }
    const foreign = "something that is no JSON, as the service's answers are"
    const what = error instanceof AnswerTooLarge ? error.message : foreign
    throw new ReadError(`${url} answered ${status}: ${what}.`, { status: response.ok ? null : status, body: null })
  }
  return new Response(text, { status, headers })
}

function createContext(options: ClientOptions): ClientContext {
  const {
    fetch: given = globalThis.fetch,
    rpcUrl,
    limits = {},
    legalReceipt = null,
    onWarning = console.warn,
  } = options
  const url = checkUrl(options.url)
  const deployment = chooseDeployment(options.deployment, [url, rpcUrl])
  const account = options.account === undefined ? null : checkedAccount(options.account)
  const warning = account === null ? null : warnOnce(account.address, deployment)
  if (warning !== null) onWarning(warning)
  const node = nodeOf(options)
  const chain = node && openChain(node, deployment)
  const clock = createServiceClock(given, url)
  const { fetch } = clock
  // Without an answer of the node, the time of the service's answers counts.
  const now = async () => (await chain?.now().catch(() => null)) ?? clock.now()
  return {
    url,
    account,
    deployment,
    store: options.store ?? null,
    chain,
    fetch,
    identity: createReadIdentity(account, {
      host: new URL(url).host,
      deployment,
      now,
      cache: options.identityCache ?? null,
    }),
    now,
    limits,
    legalReceipt,
    timing: { ...defaultTiming, ...options.timing },
  }
}
