import type { Hex } from 'viem'
import type { ContractCall } from '../../../protocol/relay.ts'
import { paymentsOf } from '../store/ledger.ts'
import type { JournalEntry, SignedPayment, WalletState } from '../store/store.ts'
import { changeEntry, type Run } from './run.ts'

/**
 * A payment that contains an escrow amount and that the wallet has already signed, for an earlier write. The earlier
 * write and the present write have the same purpose or are about the same task.
 */
export interface EarlierEscrow {
  key: string
  payment: SignedPayment
  /** True if the earlier write has the same purpose as the present write; false if both are only about the same task. */
  isEqual: boolean
}

/**
 * An earlier payment that prevents this run from signing its own payment. The earlier payment belongs to a different
 * write. `isUsed`: true if the earlier payment was used on the chain.
 */
export interface Obstacle extends Pick<EarlierEscrow, 'key' | 'payment'> {
  isUsed: boolean
}

/**
 * The result of checking earlier payments on the chain. `void`: the nonces of the payments that can no longer move
 * money, because each of them was used or cancelled, or has expired. `used`: the first used payment of a write with the
 * same purpose. `used` is null if there is no such payment, or if the caller set `again` to allow a second write.
 */
interface Examined {
  void: readonly Hex[]
  used: Obstacle | null
}

/**
 * Lists payments that contain an escrow amount and that the wallet signed for a write other than `entry`. The other
 * write has the same purpose as `entry`, or is about the same task. If the other write is completed and its payment was
 * taken, the payment is not listed.
 *
 * Example: the service refused a task creation after receiving its payment. The wallet now makes an equal creation
 * under a new key. The list contains the payment of the refused creation.
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
 * Checks on the chain whether the payments of `listEarlierEscrow` were used. If the client has no node, an expired
 * payment counts as unused, and each other payment as one that may still be used. If the node does not answer, each
 * payment counts as one that may still be used.
 * @param passed a time in Unix seconds that has certainly passed, even if the clock of the service or of this machine
 * is wrong
 * @throws StoreError
 */
export async function examineEarlierEscrow(
  run: Run,
  { call, passed }: { call: ContractCall | null; passed: number },
): Promise<Examined> {
  if (!hasEscrow(call)) return { void: [], used: null }
  const earlierEscrows = await changeEntry(run, (keptEntry, state) =>
    structuredClone(listEarlierEscrow(state, keptEntry)),
  )
  const fates = await Promise.all(earlierEscrows.map(({ payment }) => readFate(run.context, payment, passed)))
  const of = (fate: Fate) => earlierEscrows.filter((_, at) => fates[at] === fate)
  const [actedEscrow] = run.isAgain ? [] : of('used').filter(({ isEqual }) => isEqual)
  return {
    void: [...of('void'), ...of('used')].map(({ payment }) => payment.nonce),
    used: actedEscrow === undefined ? null : { ...actedEscrow, isUsed: true },
  }
}

/**
 * Finds the earlier payment that prevents a run from signing its own payment now. Returns null if there is no such
 * payment. The caller must hold the lock of the journal.
 */
export function findObstacle(
  state: WalletState,
  keptEntry: JournalEntry,
  { call, examined }: { call: ContractCall | null; examined: Examined },
): Obstacle | null {
  if (!hasEscrow(call)) return null
  if (examined.used !== null) return examined.used
  const openEscrow = listEarlierEscrow(state, keptEntry).find(({ payment }) => !examined.void.includes(payment.nonce))
  return openEscrow === undefined ? null : { ...openEscrow, isUsed: false }
}

type Fate = 'void' | 'used' | 'open'

/**
 * Reads from the chain whether a payment was used. Returns `used`, `void` (expired or cancelled unused) or `open` (may
 * still be used).
 */
async function readFate(
  { chain, account }: Pick<Run['context'], 'chain' | 'account'>,
  { nonce, validBefore }: SignedPayment,
  passedTime: number,
): Promise<Fate> {
  // The expiry is compared before the chain is read. A payment that is unused after its expiry can never be used.
  const unusedFate = validBefore < passedTime ? 'void' : 'open'
  if (chain === null) return unusedFate
  try {
    if (!(await chain.isAuthorizationUsed(account.address, nonce))) return unusedFate
    return (await chain.isAuthorizationCancelled(account.address, nonce)) ? 'void' : 'used'
  } catch {
    return 'open'
  }
}

function hasEscrow(call: ContractCall | null): boolean {
  return call !== null && call.escrowAmount > 0n
}
