import type { ContractCall } from '../../../protocol/relay.ts'
import type { WriteAnswer, WriteInput, WriteName } from '../api/write-names.ts'
import type { ClientContext } from '../context.ts'
import { type Limits, lowerLimits } from '../store/limits.ts'
import type { JournalEntry } from '../store/store.ts'
import { attemptWrite } from './attempt.ts'
import { beginEntry, fillPath } from './begin.ts'
import { followUp } from './follow-up.ts'
import { hashPurpose, hashRequest } from './hash-request.ts'
import type { Judgement } from './judge.ts'
import type { Outcome, Preview } from './outcome.ts'
import { prepareBody } from './prepare-body.ts'
import { readIntent } from './read-intent.ts'
import { releaseEnded } from './release-ended.ts'
import type { Run } from './run.ts'
import { leaveOpen, settleRefused } from './settle.ts'
import { checkLength } from './task-length.ts'
import { toRefusal } from './to-refusal.ts'
import { Refused } from './write-spec.ts'
import { writes } from './write-table.ts'

/** The options of one write. */
export interface WriteOptions {
  /**
   * The idempotency key, a UUID; by default, the client creates one. A call with the same key continues the same write.
   */
  key?: string
  /**
   * True to make a second write even if an equal write has an open outcome. False to join the equal write. A second
   * payment with escrow is signed only after the first one was used or can no longer be used.
   */
  again?: boolean
  /** Limits for this write that are lower than those in the wallet's configuration. */
  limits?: Partial<Limits>
  /** The longest time in milliseconds to wait for the outcome of the write. */
  waitMs?: number
  /**
   * True if a user has agreed to the movements of assets other than USDC. If false, a write whose movements need a
   * user's agreement is refused with the reason `person_needed`. The message of the refusal contains the question.
   */
  isConfirmed?: boolean
  /**
   * True to allow a task that stays open for more than a year. If false, a write that keeps a task open for longer is
   * refused with the reason `long_task`.
   */
  long?: boolean
  /**
   * True if no user has confirmed the write. The write then also counts toward `askAbove` in the wallet's
   * configuration: the maximum amount that all unconfirmed writes of 24 hours together may commit or pay out.
   */
  isUnattended?: boolean
  /**
   * The time at which the call started, in Unix milliseconds; by default, the current time. If an equal write completed
   * after this time, the call returns the outcome of that write and makes no second write.
   */
  calledAt?: number
  /**
   * The dry run to which the user agreed. If the contract call has changed since then, the client calls `decideAgain`.
   */
  agreed?: Pick<Preview, 'call' | 'choices'>
  /**
   * Shows the user a contract call that differs from the agreed call, and returns true if the user agrees. If the user
   * does not agree, or without this function, the write is refused with the reason `facts_changed`.
   */
  decideAgain?: (call: ContractCall) => Promise<boolean>
}

/**
 * Makes a write: records it in the journal, checks the limits, signs and sends. For each key, money moves at most once,
 * even after a crash of this process. Throws only for programming errors.
 */
export async function runWrite<Name extends WriteName>(
  context: ClientContext,
  name: Name,
  input: WriteInput<Name>,
  options: WriteOptions = {},
): Promise<Outcome<WriteAnswer<Name>>> {
  let run: Run
  try {
    run = await beginRun(context, name, input, options)
  } catch (error) {
    return { kind: 'refused', key: null, isKeyUsable: true, ...toRefusal(error) }
  }
  const outcome = await finishRun(run)
  return { ...outcome, ...(run.isJoined && { joined: true }) } as Outcome<WriteAnswer<Name>>
}

async function finishRun(run: Run): Promise<Outcome<Record<string, unknown>>> {
  try {
    return await followUp(run, () => prepareAndAttempt(run))
  } catch (error) {
    const refusal = toRefusal(error)
    const mayStillAct = (run.isResumed || run.hasSent) && run.lastStatus !== 'failed'
    return mayStillAct ? await leaveOpen(run, refusal.message) : await settleRefused(run, refusal)
  }
}

/**
 * Builds the request body if it is not built yet, and sends the write.
 * @throws Refused, StoreError, SigningError
 */
async function prepareAndAttempt(run: Run): Promise<Judgement> {
  try {
    if (run.bodySha256 === '') await prepareBody(run)
  } catch (error) {
    if (error instanceof Refused && run.isResumed) return await judgeUnprepared(run, error)
    throw error
  }
  return await attemptWrite(run)
}

/**
 * Judges a write whose request body could not be built. An earlier run may have sent the write. If the service has a
 * record of the write, the record decides. If there is no record, and the cause of `refusal` is temporary, the outcome
 * stays open. The outcome also stays open if the record cannot be read.
 * @throws Refused when the service has no record, and the cause of `refusal` is permanent
 */
async function judgeUnprepared(run: Run, refusal: Refused): Promise<Judgement> {
  const intentReading = await readIntent(run)
  if (intentReading.kind === 'intent') {
    const { status, txHash } = intentReading.intent
    return { kind: 'status', status, txHash, message: `The write is ${status}.` }
  }
  const isForNow =
    intentReading.kind === 'unreadable' || ['task_unreadable', 'unreachable'].includes(refusal.refusal.reason)
  if (isForNow) return { kind: 'open', isAnswered: false, problem: refusal.message }
  throw refusal
}

async function beginRun<Name extends WriteName>(
  context: ClientContext,
  name: Name,
  input: WriteInput<Name>,
  {
    key,
    again = false,
    limits,
    waitMs = context.timing.waitMs,
    isUnattended = false,
    isConfirmed = false,
    long = false,
    calledAt = Date.now(),
    agreed,
    decideAgain,
  }: WriteOptions,
): Promise<Run> {
  const { account, store } = context
  if (account === null) throw new Refused('no_account', 'A write needs an account.')
  if (store === null) throw new Refused('no_store', 'A write needs a store: without a journal nothing is sent.')
  checkLength(name, input, { now: Math.floor(Date.now() / 1000), isLong: long })
  const spec = writes[name]
  const path = fillPath(spec.path, input)
  const { taskId = null } = input as { taskId?: string }
  const requestHash = await hashRequest(name, path, { input, account })
  const purposeHash = await hashPurpose(name, path, { input, account })
  const { limits: configuredLimits, askAbove, withdrawalAddress } = await store.config(account.address)
  const now = Date.now()
  const { owner, isAlive } = store
  await releaseEnded({ ...context, account, store })
  const { entry, runId, isResumed, isJoined } = await store.update(account.address, (state) =>
    beginEntry(state, {
      name,
      path,
      requestHash,
      purposeHash,
      taskId: taskId?.toLowerCase() ?? null,
      key,
      again,
      owner,
      isAlive,
      isUnattended,
      waitMs,
      calledAt,
      now,
    }),
  )
  return {
    ...emptyRun(entry, spec),
    context: { ...context, account, store },
    name,
    input: { ...input },
    reward: rewardIn(input),
    id: runId,
    isResumed,
    isJoined,
    isAgain: again,
    limits: lowerLimits(configuredLimits, context.limits, limits),
    unattendedLimit: isUnattended ? askAbove : null,
    agreed: agreed ?? null,
    decideAgain: decideAgain ?? null,
    isConfirmed: isConfirmed && !isUnattended,
    withdrawalAddress,
    path,
    deadline: performance.now() + waitMs,
  }
}

/**
 * Opens the run of a write whose outcome an earlier call left open. The run can only look up the write, because the
 * journal lacks the write's arguments.
 */
export async function openRun(
  context: Run['context'],
  { entry, runId, waitMs }: { entry: JournalEntry; runId: string; waitMs: number },
): Promise<Run> {
  const name = entry.operation as WriteName
  const { limits, withdrawalAddress } = await context.store.config(context.account.address)
  // The payment of a creation is its reward.
  const reward = name === 'createTask' && entry.payment !== null ? BigInt(entry.payment.value) : null
  return {
    ...emptyRun(entry, writes[name]),
    context,
    name,
    input: {},
    reward,
    id: runId,
    isResumed: true,
    isJoined: true,
    isAgain: false,
    limits,
    unattendedLimit: null,
    isConfirmed: true,
    withdrawalAddress,
    path: entry.path,
    deadline: performance.now() + waitMs,
  }
}

/** Returns the reward that a write sets for its task, in base units of USDC; null if the write sets no reward. */
function rewardIn(input: object): bigint | null {
  const { reward } = input as { reward?: unknown }
  return typeof reward === 'string' && /^[0-9]+$/.test(reward) ? BigInt(reward) : null
}

/**
 * Returns the initial values of those fields of a run that begin with the same values in a write and in a look-up of a
 * write.
 */
function emptyRun(entry: JournalEntry, spec: Run['spec']) {
  return {
    spec,
    key: entry.key,
    entry,
    task: null,
    normalised: {},
    decided: 0n,
    bodyText: null,
    bodySha256: '',
    payment: null,
    agreed: null,
    decideAgain: null,
    changed: null,
    isWaiting: false,
    callsSigned: 0,
    proof: null,
    bodyValidBefore: null,
    hasSent: false,
    lostUntil: entry.unansweredUntil,
    lastStatus: null,
  }
}
