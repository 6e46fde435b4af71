import type { Hex } from 'viem'
import type { ContractCall } from '../../../protocol/relay.ts'
import { paymentsOf } from '../store/ledger.ts'
import type { JournalEntry, SignedPayment, WalletState } from '../store/store.ts'
import { changeEntry, type Run } from './run.ts'

/** A payment with escrow of another write of the wallet, for the same purpose or task. */
export interface EarlierEscrow {
  key: string
  payment: SignedPayment
  /** True for the same purpose; false when only the task is the same. */
  isEqual: boolean
}

/** A payment of another write that blocks the payment of a run. `isUsed`: the chain reports it as used. */
export interface Obstacle extends Pick<EarlierEscrow, 'key' | 'payment'> {
  isUsed: boolean
}

/** Nonces of earlier payments that do not block, and the first one that acted although its write was refused. */
interface Examined {
  void: readonly Hex[]
  used: Obstacle | null
}

/**
 * Lists the bound payments with escrow of other writes for the same purpose or task. Each might still act, whatever the service
 * reported. Excludes payments of completed writes, unless the service reported that it took none.
 *
 * Example: a creation that the service refused after payment, while an equal one is made under a fresh key.
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
 * Reads the state of those payments from the chain. Without a node, only the end of a payment counts; a node that does not answer
 * blocks. A used payment of an equal write has acted: a second write needs `again`.
 * @param passed a time that has certainly passed, Unix seconds
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

/** Finds a payment that a run's payment must wait for, under the lock of the journal. */
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

/** Compares the end first: a payment that has ended, and is unused afterwards, can never be used. */
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
