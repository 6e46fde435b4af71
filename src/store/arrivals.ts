import type { Address } from 'viem'
import { arrival, arrivalCount } from '../schema/arrival.ts'
import { vaultAddress } from '../schema/vault.ts'
import { type PositionedEvent, positionOf } from './event-position.ts'
import { getMarketConfig } from './market.ts'
import { traceEscrow } from './relays.ts'
import type { Store } from './store.ts'

type ArrivalRow = typeof arrival.$inferSelect

/** A `Transfer` event of USDC or the reward token whose recipient is a contract of the deployment. */
export interface TransferLog extends PositionedEvent {
  args: { from: Address; to: Address; value: bigint }
  log: PositionedEvent['log'] & { address: Address }
}

/**
 * Stores a transfer as an arrival. If a later event shows that a call of the contract made the transfer, `takeArrival`
 * removes the arrival. Transfers of 0, and transfers from contracts of the deployment, are not stored.
 */
export async function recordArrival(
  store: Store,
  event: TransferLog,
  { bonusHook }: { bonusHook: Address },
): Promise<void> {
  const amount = event.args.value
  // Any account can make a token log a transfer of 0 in the name of another account.
  if (amount === 0n) return
  const [from, contract, token] = [lower(event.args.from), lower(event.args.to), lower(event.log.address)]
  const { market, forwarder, usdc } = await getMarketConfig(store)
  if (from === forwarder && contract === market && token === usdc) await traceEscrow(store, event, amount)
  const isOurs = from === market || from === forwarder || from === lower(bonusHook)
  if (isOurs || (await store.find(vaultAddress, { vault: from })) !== null) return

  const { next } = await store
    .insert(arrivalCount)
    .values({ contract, next: 1 })
    .onConflictDoUpdate((row) => ({ next: row.next + 1 }))
  const values = { token, contract, sender: from, amount, ...positionOf(event) }
  await store
    .insert(arrival)
    .values({ id: toArrivalId(contract, next - 1), ...values })
    .onConflictDoUpdate(values)
}

/**
 * Removes the latest arrival in the event's transaction for which `isOfCall` returns true. Returns true if an arrival
 * was removed, false if no arrival matches.
 * @param contract the contract that received the tokens
 * @param isOfCall returns whether an arrival is the payment of the call
 */
export async function takeArrival(
  store: Store,
  { contract, event }: { contract: Address; event: PositionedEvent },
  isOfCall: (row: ArrivalRow) => boolean,
): Promise<boolean> {
  const count = await store.find(arrivalCount, { contract: lower(contract) })
  const last = (count?.next ?? 0) - 1
  for (let ordinal = last; ordinal >= 0; ordinal -= 1) {
    const id = toArrivalId(contract, ordinal)
    const row = await store.find(arrival, { id })
    if (row === null || row.transactionHash !== event.transaction.hash) return false
    if (row.amount === 0n || !isOfCall(row)) continue
    await store.update(arrival, { id }).set({ amount: 0n })
    if (ordinal === last) await store.update(arrivalCount, { contract: lower(contract) }).set({ next: ordinal })
    return true
  }
  return false
}

/**
 * Removes the arrival of the tokens that a call moved into a contract. The arrival is the transfer whose log is
 * directly before the call's event.
 * @param amount base units of the token that the call moved; 0n if the call moved no tokens
 */
export async function takeCollected(
  store: Store,
  event: PositionedEvent & { log: { address: Address } },
  amount: bigint,
): Promise<void> {
  if (amount === 0n) return
  const isRightBefore = ({ logIndex }: ArrivalRow) => logIndex === event.log.logIndex - 1
  await takeArrival(store, { contract: event.log.address, event }, isRightBefore)
}

function toArrivalId(contract: Address, ordinal: number): string {
  return `${lower(contract)}:${ordinal}`
}

/** Returns an address in lower case, the form in which rows store addresses. */
function lower(address: Address): Address {
  return address.toLowerCase() as Address
}
