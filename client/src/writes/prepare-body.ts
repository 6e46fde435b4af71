import { callTailOf } from '../../../protocol/bound-call.ts'
import { moments } from '../../../protocol/windows.ts'
import { SigningError } from '../account/account.ts'
import { sha256Hex } from '../payments/payment-text.ts'
import { readJson } from '../reads/read-json.ts'
import { countWrite, findTokenExcess, isOutstanding } from '../store/ledger.ts'
import type { JournalEntry } from '../store/store.ts'
import { agreeTo, encodeRun } from './bound-payment.ts'
import { chooseValues } from './choose-values.ts'
import { findOtherAssets, personNeeded } from './other-assets.ts'
import { changeEntry, type Run } from './run.ts'
import { isAtWork } from './run-records.ts'
import { readTaskFacts } from './task-facts.ts'
import { decidedBy, type PlannedRequest, planBuilt, planRequest, signRequest } from './write-request.ts'
import { type BuildContext, type Fields, Refused } from './write-spec.ts'

/**
 * The maximum age in seconds of the values that the client chose. The age is one minute below the service's maximum,
 * which leaves time for the request.
 */
const MOST_AGE_SECONDS = Number(moments.createdAt.back) - 60

/**
 * Builds the request body that all requests of the run contain. Before that, records in the journal the amount that the
 * write commits or pays out in addition to its price, if the amount is within the limits.
 * @throws Refused, StoreError, SigningError
 */
export async function prepareBody(run: Run): Promise<void> {
  const { spec, entry } = run
  if (spec.needsTask) run.task = await findTask(run)
  const plan = await planRun(run, await choose(run))
  run.normalised = plan.input
  run.decided = decidedOf(run)
  if (!run.isResumed) await countOtherAssets(run)
  if (run.decided > 0n) await count(run, run.decided)
  const body = await signPlan(run, plan)
  const { validBefore } = plan
  run.bodyText = body === null ? null : JSON.stringify(body)
  run.bodySha256 = await sha256Hex(run.bodyText ?? '')
  run.bodyValidBefore = validBefore
  if (validBefore !== null && validBefore !== entry.payment?.validBefore) {
    await changeEntry(run, (keptEntry) => {
      keptEntry.payment = { nonce: '0x', value: run.decided.toString(), validBefore }
    })
  }
}

/**
 * Reads the facts of the task again. Then computes from these facts the amount that the write would now commit or pay
 * out in addition to its price. Does nothing if the write needs no facts of a task.
 * @throws Refused, StoreError
 */
export async function readStanding(run: Run): Promise<void> {
  if (!run.spec.needsTask) return
  run.task = await findTask(run)
  run.decided = decidedOf(run)
}

function decidedOf({ spec, normalised, task, context }: Run): bigint {
  return decidedBy(spec.operation, normalised, { task, wallet: context.account.address })
}

/**
 * Records in the journal how much of each token other than USDC the write takes.
 * @throws Refused when the write needs a user's agreement that was not given, or when a token limit is exceeded
 */
async function countOtherAssets(run: Run): Promise<void> {
  const { context, name, input, key } = run
  const config = await context.store.config(context.account.address)
  const walletState = await changeEntry(run, (_, state) => structuredClone(state))
  const assets = await findOtherAssets({ context, config, state: walletState }, { name, input })
  if (assets.needsPerson && !run.isConfirmed) throw personNeeded(assets)
  if (assets.amounts.length === 0) return
  const excess = await changeEntry(run, (entry, state) => {
    const bounds = { tokenLimits: config.tokenLimits, now: Date.now(), key }
    // Another call may have used the remaining limit since.
    const excess = run.isConfirmed ? null : findTokenExcess(state, assets.amounts, bounds)
    if (excess === null) entry.tokens = assets.amounts
    return excess
  })
  if (excess !== null) throw new Refused('limit_exceeded', `Of the vault’s token ${excess}. Nothing was signed.`)
}

async function findTask(run: Run) {
  const { taskId } = run.input as { taskId: string }
  const id = taskId.toLowerCase()
  const ownReward = await changeEntry(run, (_, state) => BigInt(state.tasks[id]?.reward ?? '0'))
  return await readTaskFacts(run.context, { taskId: id, ownReward })
}

async function count(run: Run, amount: bigint): Promise<void> {
  const { limits, unattendedLimit } = run
  const excess = await changeEntry(run, (entry, state) =>
    countWrite(state, entry, { amount, limits, unattendedLimit, now: Date.now() }),
  )
  if (excess !== null) throw new Refused('limit_exceeded', `${excess} Nothing was signed.`)
}

/**
 * Adds the values that the client chooses, such as a document's salt, to the arguments. The journal records these
 * values before anything is signed, so that every call of the write sends the same values.
 */
async function choose(run: Run): Promise<Fields> {
  // An expired time or price is chosen again only if no earlier request can still have an effect.
  const { spec, input, context } = run
  const now = await context.signingTime()
  const agreedChoices = run.agreed?.choices
  // A user may take longer than the service allows between the document's time and its own.
  const isRecent = agreedChoices !== undefined && !isOver(now, secondsOf(agreedChoices.createdAt) ?? now)
  const newChoices = isRecent ? agreedChoices : await chooseValues(context, spec.operation, input)
  const choices = await changeEntry(run, (entry) => {
    const { choices: standingChoices, chosenAt = Math.floor(entry.createdAt / 1000) } = entry
    if (standingChoices === undefined || (isOver(now, chosenAt) && isUnsent(run, entry))) {
      const { documentSalt } = standingChoices ?? newChoices
      entry.choices = { ...newChoices, ...(documentSalt !== undefined && { documentSalt }) }
      entry.chosenAt = secondsOf(entry.choices.createdAt) ?? now
    }
    return { ...entry.choices }
  })
  return { ...input, ...choices }
}

function isOver(now: number, chosenAt: number): boolean {
  return now - chosenAt >= MOST_AGE_SECONDS
}

function secondsOf(moment: string | undefined): number | undefined {
  return moment === undefined ? undefined : Math.floor(Date.parse(moment) / 1000)
}

/**
 * Returns true if the journal shows two facts: the write has had no request that may still have an effect, and no other
 * call of the client is working on the write.
 */
function isUnsent({ id, context }: Run, entry: JournalEntry): boolean {
  const now = Date.now()
  const isOpen = entry.state !== 'reserved' || entry.isLeftOpen === true
  return !isOpen && !isOutstanding(entry, now) && !isAtWork(entry, { isAlive: context.store.isAlive, now, id })
}

async function planRun(run: Run, inputFields: Fields): Promise<PlannedRequest> {
  const { spec, context, key, task, entry, withdrawalAddress } = run
  const { operation, build } = spec
  const { account, deployment } = context
  if (build === undefined) {
    return planRequest(operation, inputFields, {
      account,
      task,
      ...(deployment.bound === true && { tailOf: (input) => tailOfCall(run, input) }),
    })
  }
  const read: BuildContext['read'] = async (path, query, shape) => {
    const answer = await readJson(context, path, query, shape)
    if (!answer.ok) throw new Refused('unreachable', `${answer.message} Nothing was signed.`)
    return answer.body as Record<string, unknown>
  }
  const validBefore = entry.payment?.validBefore ?? null
  const now = await context.signingTime()
  const buildContext = { account, deployment, key, now, validBefore, withdrawalAddress, read }
  return planBuilt(operation, await build(inputFields, buildContext), { account, deployment })
}

/**
 * Returns the suffix that binds a signed text to the contract call of the write.
 * @throws Refused
 */
async function tailOfCall(run: Run, input: Fields): Promise<string> {
  const call = await encodeRun({ ...run, normalised: input })
  const refusal = await agreeTo(run, call)
  if (refusal !== null) throw new Refused(refusal.reason, `${refusal.message} Nothing was signed.`)
  return callTailOf(call.data, run.context.deployment)
}

/**
 * Signs a planned request and returns its body; null if the write has no body.
 * @throws Refused, SigningError
 */
async function signPlan({ spec: { operation } }: Run, plan: PlannedRequest): Promise<Fields | null> {
  try {
    return await signRequest(operation, plan)
  } catch (error) {
    if (error instanceof Refused) throw error
    throw new SigningError(error instanceof Error ? error.message : 'The account did not sign.')
  }
}
