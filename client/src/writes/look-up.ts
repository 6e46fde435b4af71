import type { ClientContext } from '../context.ts'
import { paymentsOf } from '../store/ledger.ts'
import type { JournalEntry, Store } from '../store/store.ts'
import { followUp } from './follow-up.ts'
import type { Judgement } from './judge.ts'
import type { Outcome } from './outcome.ts'
import { describeHidden, readIntent } from './read-intent.ts'
import type { Run } from './run.ts'
import { endDeadRuns, enterRun } from './run-records.ts'
import { openRun } from './run-write.ts'
import { leaveOpen, toOutcome } from './settle.ts'
import { toRefusal } from './to-refusal.ts'
import { isAnyUsed } from './used-payment.ts'
import { Refused } from './write-spec.ts'

type AnyOutcome = Outcome<Record<string, unknown>>

/**
 * Determines the outcome of a write in this wallet's journal, and records the outcome. `key` is the write's idempotency
 * key. Never throws for a failure of the network, the server or the wallet.
 *
 * The write is not sent again, because the journal lacks the write's arguments. If the service shows no record of the
 * write, the client signs the journal's payment once more, to prove that this wallet paid. The client does so only if
 * the new signature cannot make the write: the payment has expired, or the service has confirmed that it has the write.
 * If the service has no record and no request can still arrive, the write was not made.
 */
export async function lookUpWrite(
  context: ClientContext,
  key: string,
  { waitMs = context.timing.waitMs }: { waitMs?: number } = {},
): Promise<AnyOutcome> {
  let outcomeOrRun: AnyOutcome | Run
  try {
    outcomeOrRun = await findRun(context, key.toLowerCase(), waitMs)
  } catch (error) {
    return { kind: 'refused', key: null, isKeyUsable: true, ...toRefusal(error) }
  }
  if ('kind' in outcomeOrRun) return outcomeOrRun
  const run = outcomeOrRun
  try {
    return await followUp(run, () => judgeRecord(run))
  } catch (error) {
    return await leaveOpen(run, toRefusal(error).message)
  }
}

/**
 * Returns the outcome of a write if the journal contains a final outcome. Otherwise returns a run that can look up the
 * outcome.
 * @throws Refused, StoreError
 */
async function findRun(context: ClientContext, key: string, waitMs: number): Promise<AnyOutcome | Run> {
  const { account, store } = context
  if (account === null) throw new Refused('no_account', 'A write belongs to an account.')
  if (store === null) throw new Refused('no_store', 'The journal of writes needs a store.')
  const now = Date.now()
  const { entry, runId } = await store.update(account.address, (state) => {
    const entry = Object.hasOwn(state.entries, key) ? state.entries[key] : undefined
    return enter(entry, { store, now, waitMs })
  })
  if (runId === null) return toOutcome(entry)
  return await openRun({ ...context, account, store }, { entry, runId, waitMs })
}

/**
 * Records in a write's journal entry that this call is looking up the write, if the outcome of the write is open. Other
 * processes can then see the call.
 * @returns `runId`: the id of this call; null if the outcome of the write is not open
 * @throws Refused when the journal has no entry
 */
function enter(
  entry: JournalEntry | undefined,
  { store: { owner, isAlive }, now, waitMs }: { store: Store; now: number; waitMs: number },
): { entry: JournalEntry; runId: string | null } {
  if (entry === undefined) throw new Refused('unknown_key', 'The journal of this wallet has no write under this key.')
  if (entry.state !== 'sent') return { entry: structuredClone(entry), runId: null }
  endDeadRuns(entry, { isAlive, now })
  const runId = enterRun(entry, { owner, now, waitMs })
  return { entry: structuredClone(entry), runId }
}

/** Judges a write by the service's record of it, instead of sending the write again. */
async function judgeRecord(run: Run): Promise<Judgement> {
  const intentReading = await readIntent(run)
  if (intentReading.kind === 'unreadable') {
    return { kind: 'open', isAnswered: false, problem: 'The record of the write cannot be read.' }
  }
  if (intentReading.kind === 'intent') {
    const { status, txHash } = intentReading.intent
    return { kind: 'status', status, txHash, message: `The write is ${status}.` }
  }
  const { context, entry } = run
  if (!intentReading.isProven && intentReading.serviceHost !== null) {
    return { kind: 'open', isAnswered: false, problem: describeHidden(run, intentReading.serviceHost) }
  }
  const payments = paymentsOf(entry)
  const until = Math.max(run.lostUntil ?? 0, ...payments.map(({ validBefore }) => validBefore))
  if (until < (await context.now()) && !(await isAnyUsed(run.context, payments))) {
    const message = 'The service has no write under this key, and nothing of it can arrive any more.'
    return { kind: 'refused', refusal: { reason: 'never_arrived', message, status: null } }
  }
  const problem =
    `The service has no write under this key yet; what was sent may arrive until ${until} (Unix seconds). ` +
    'The same call with the same arguments sends it again, under this key.'
  return { kind: 'open', isAnswered: false, problem }
}
