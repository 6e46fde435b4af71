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
  /** The account that signs reads and writes. Without an account, all reads are anonymous and no write is possible. */
  account?: Account
  /**
   * Stores the wallet's journal and limits: `fileStore` on a machine, `webStore` in a browser. Without a store, no
   * write is made.
   */
  store?: Store
  /**
   * The deployment whose contracts receive payments. The value is a name (`base`, the default, or `base-sepolia`), a
   * deployment file's content, or `addresses` of a stack.json.
   */
  deployment?: unknown
  /**
   * The URL of a node. With a node, the client reads the time, used authorizations and rewards from the chain. A
   * preview of a write then also simulates the contract call.
   */
  rpcUrl?: string
  /** A browser wallet whose node is used if `rpcUrl` is absent. */
  provider?: Provider
  /** Limits that are lower than those in the wallet's configuration. Higher values have no effect. */
  limits?: Partial<Limits>
  /** The receipt for accepting the legal policies, for a service that requires acceptance. */
  legalReceipt?: string
  /**
   * Stores the signed read identity of `account` until it expires. Without this cache, each new client asks the account
   * for a new signature.
   */
  identityCache?: IdentityCache
  fetch?: typeof globalThis.fetch
  /**
   * Receives warnings for the user, such as a warning that a real key signs on a local chain. The default is
   * `console.warn`.
   */
  onWarning?: (message: string) => void
  timing?: Partial<Timing>
}

/** A client of one service, for one wallet. */
export interface Client {
  /**
   * Typed access to every operation of the OpenAPI document. Example:
   * `client.http.GET('/api/tasks', { params: { query } })`.
   */
  http: FetchClient<paths>
  /**
   * Makes a write. Returns failures of the network, the server or the wallet as outcomes, and never throws for them.
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
   * Returns the cost of a write, and the amounts that the write would commit or pay out now. Checks the wallet's
   * limits, its balance and the contracts' rules. Moves no money.
   */
  preview<Name extends WriteName>(
    name: Name,
    input: WriteInput<Name>,
    options?: PreviewOptions,
  ): Promise<Preview | Outcome<never>>
  /**
   * Returns the outcome of an earlier write in this wallet's journal. `key` is the idempotency key of the write. The
   * function makes no write and moves no money.
   */
  lookUp(key: string, options?: { waitMs?: number }): Promise<Outcome<Record<string, unknown>>>
  /**
   * Yields all rows of a list, page by page. The iterator throws a ReadError when a page cannot be read.
   * @example for await (const task of client.list('/api/tasks', { query: { status: 'open' } })) console.log(task.id)
   */
  list<Path extends ListPath>(path: Path, options?: ListOptions): AsyncGenerator<RowOf<Path>, void, undefined>
  /**
   * Waits until the task has one of the statuses, and returns the task; null at the timeout. Reads the task again after
   * each change.
   * @example const task = await client.waitFor(taskId, ['completed', 'expired'], { timeoutMs: 60_000 })
   */
  waitFor(
    taskId: string,
    statuses: TaskStatus | readonly TaskStatus[],
    options?: WaitOptions,
  ): Promise<TaskDetail | null>
  /**
   * Yields each entry of the log of changes once and in order, until the caller stops. The iterator throws a ReadError
   * when the log cannot be read.
   * @example for await (const event of client.events({ kinds: ['task.created'] })) console.log(event.taskId)
   */
  events(options?: EventsOptions): AsyncGenerator<MarketEvent, void, undefined>
  /**
   * Yields whenever the caller should read again: at each matching log entry, and at intervals while no stream is
   * available. Never throws.
   * @example for await (const _ of client.changes({ kinds: ['task.created'] })) await lookForWork()
   */
  changes(options?: ChangesOptions): AsyncGenerator<void, void, undefined>
  /**
   * Yields the actions that the wallet can take in one role. Each action is yielded once. If its run does not complete,
   * it is yielded again. The iterator throws a ReadError for a permanent error: a retry would fail with the same error.
   * @example
   * for await (const action of client.actions({ role: 'requester' })) {
   *   if (action.name === 'rate') await action.run({ rating: 90 })
   * }
   */
  actions(options: ActionsOptions): AsyncGenerator<Action, void, undefined>
  /**
   * Checks the service's answers about a task: the fields against the data that the caller's own node reads from the
   * chain, and the texts against their hashes on the chain. Throws a ReadError if the service does not answer, and a
   * VerifyError if the node fails.
   * @example const { isVerified, findings } = await client.verify(taskId, { rpcUrl: 'http://127.0.0.1:8545' })
   */
  verify(taskId: string, options?: VerifyOptions): Promise<Verification>
  context: ClientContext
}

/**
 * Creates a client of one service, for one wallet.
 * @throws Error when the URL is not https, or when the deployment is unknown
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
    verify: async (taskId, verifyOptions) =>
      (await import('./verify/verify-task.ts')).verifyTask(context, options, { taskId, ...verifyOptions }),
  }
}

/**
 * Waits for a dynamic import (`codePromise`) and passes the loaded module to `call`. Returns a refusal if the module
 * cannot be loaded, for example after a failed download in a browser.
 */
async function withCode<Code, Result>(
  codePromise: Promise<Code>,
  call: (code: Code) => Promise<Result>,
): Promise<Result | Outcome<never>> {
  let code: Code
  try {
    code = await codePromise
  } catch (error) {
    const message = `The code of writes could not be loaded: ${String(error)}. Nothing was sent.`
    return { kind: 'refused', key: null, isKeyUsable: true, reason: 'unreachable', message, status: null }
  }
  return await call(code)
}

/**
 * Returns a signal that aborts when the caller aborts the request, or when the timeout for the complete answer has
 * passed.
 */
function endOf({ method, signal }: Request, timing: Timing): AbortSignal {
  return AbortSignal.any([signal, AbortSignal.timeout(method === 'GET' ? readLimit(timing) : timing.requestMs)])
}

/**
 * Reads the whole body within the size limit, and returns the response with this body. Returns undefined for a response
 * without a body.
 * @throws ReadError when the body is too large or is not JSON, or when the body has not arrived completely before the
 * request's timeout
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
    const foreignClause = "something that is no JSON, as the service's answers are"
    const what = error instanceof AnswerTooLarge ? error.message : foreignClause
    throw new ReadError(`${url} answered ${status}: ${what}.`, { status: response.ok ? null : status, body: null })
  }
  return new Response(text, { status, headers })
}

function createContext(options: ClientOptions): ClientContext {
  const {
    fetch: callerFetch = globalThis.fetch,
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
  const clock = createServiceClock(callerFetch, { url, isLocal: deployment.local })
  const { fetch } = clock
  // Without an answer of the node, the time of the service's answers counts.
  const timeBy = (read: 'now' | 'signingTime') => async () => (await chain?.[read]().catch(() => null)) ?? clock.now()
  const signingTime = timeBy('signingTime')
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
      now: signingTime,
      cache: options.identityCache ?? null,
    }),
    now: timeBy('now'),
    signingTime,
    limits,
    legalReceipt,
    timing: { ...defaultTiming, ...options.timing },
  }
}
