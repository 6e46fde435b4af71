import type { Hex } from 'viem'
import type { ContractCall } from '../../../protocol/relay.ts'
import { paymentsOf } from '../store/ledger.ts'
import type { JournalEntry, SignedPayment, WalletState } from '../store/store.ts'
import { changeEntry, type Run } from './run.ts'

/** A payment of another write of the wallet that carries escrow for the same purpose. */
export interface EarlierEscrow {
  key: string
  payment: SignedPayment
  /** It is for the same purpose, not only for the same task. */
  isEqual: boolean
}

/** A payment of another write that keeps the payment of a run back. `isUsed`: it has acted, by the chain. */
export interface Obstacle extends Pick<EarlierEscrow, 'key' | 'payment'> {
  isUsed: boolean
}

/** Nonces of earlier payments that are no obstacle, and the first one that acted although its write was refused. */
interface Examined {
  void: readonly Hex[]
  used: Obstacle | null
}

/**
 * Lists the bound payments with escrow of other writes that are for the same purpose or the same task: each might still act,
 * whatever the service says became of it. Of a completed write no payment is listed, unless the service said that it took none.
 *
 * Example: a creation that the service refused after it was paid, while an equal one is made under a fresh key.
 */
export function listEarlierEscrow(state: WalletState, entry: JournalEntry): EarlierEscrow[] {
  const { key, taskId } = entry
  return Object.values(state.entries)
    .filter((other) => other.key !== key && (other.state !== 'completed' || other.isUnpaid === true))
    .flatMap((other) => {
      const isEqual = purposeOf(other) === purposeOf(entry)
      const isRelated = isEqual || (taskId !== null && other.taskId === taskId)
      const payments = isRelated ? paymentsOf(other).filter(({ escrow = '0' }) => escrow !== '0') : []
      return payments.map((payment) => ({ key: other.key, payment, isEqual }))
    })
}

function purposeOf({ purposeHash, requestHash }: JournalEntry): string {
  return purposeHash ?? requestHash
}

/**
 * Asks the chain what became of them. Without a node an end is what is known; a node that does not answer keeps the payment
 * back. A used payment of an equal write has acted: a second write is made only on purpose.
 * @param passed a time that is over for certain, Unix seconds
 * @throws StoreError
 */
export async function examineEarlierEscrow(
  run: Run,
  { call, passed }: { call: ContractCall | null; passed: number },
): Promise<Examined> {
  if (!hasEscrow(call)) return { void: [], used: null }
  const earlier = await changeEntry(run, (kept, state) => structuredClone(listEarlierEscrow(state, kept)))
  const fates = await Promise.all(earlier.map(({ payment }) => readFate(run.context, payment, passed)))
  const of = (fate: Fate) => earlier.filter((_, at) => fates[at] === fate)
  const [acted] = run.isAgain ? [] : of('used').filter(({ isEqual }) => isEqual)
  return {
    void: [...of('void'), ...of('used')].map(({ payment }) => payment.nonce),
    used: acted === undefined ? null : { ...acted, isUsed: true },
  }
}

/** Finds a payment that the one of a run must wait for, under the lock of the journal. */
export function findObstacle(
  state: WalletState,
  kept: JournalEntry,
  { call, examined }: { call: ContractCall | null; examined: Examined },
): Obstacle | null {
  if (!hasEscrow(call)) return null
  if (examined.used !== null) return examined.used
  const open = listEarlierEscrow(state, kept).find(({ payment }) => !examined.void.includes(payment.nonce))
  return open === undefined ? null : { ...open, isUsed: false }
}

type Fate = 'void' | 'used' | 'open'

/** The end is compared first: what has ended by then and is unused afterwards is never used. */
async function readFate(
  { chain, account }: Pick<Run['context'], 'chain' | 'account'>,
  { nonce, validBefore }: SignedPayment,
  passed: number,
): Promise<Fate> {
  const unused = validBefore < passed ? 'void' : 'open'
  if (chain === null) return unused
  try {
    if (!(await chain.isAuthorizationUsed(account.address, nonce))) return unused
    return (await chain.isAuthorizationCancelled(account.address, nonce)) ? 'void' : 'used'
  } catch {
    return 'open'
  }
}

function hasEscrow(call: ContractCall | null): boolean {
  return call !== null && call.escrowAmount > 0n
}
