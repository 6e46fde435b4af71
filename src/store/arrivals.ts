import type { Address } from 'viem'
import { arrival, arrivalCount } from '../schema/arrival.ts'
import { vaultAddress } from '../schema/vault.ts'
import { type PositionedEvent, positionOf } from './event-position.ts'
import { getMarketConfig } from './market.ts'
import { traceEscrow } from './relays.ts'
import type { Store } from './store.ts'

type ArrivalRow = typeof arrival.$inferSelect

/** A transfer of a token to a contract of the deployment. */
export interface TransferLog extends PositionedEvent {
  args: { from: Address; to: Address; value: bigint }
  log: PositionedEvent['log'] & { address: Address }
}

/**
 * Stores a transfer as an arrival. The event of a call that accounts for the transfer removes it again (`takeArrival`).
 * Any account can log a transfer of 0 from any other.
 */
export async function recordArrival(
  store: Store,
  event: TransferLog,
  { bonusHook }: { bonusHook: Address },
): Promise<void> {
  const amount = event.args.value
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
 * Removes the last arrival of the transaction that belongs to a call, if there is one.
 * @param isOfCall returns true for the arrival of the call
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

/** Removes the arrival that a call of a contract collects: the log right before its event. */
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

/** Returns an address in lower case, as rows have it. */
function lower(address: Address): Address {
  return address.toLowerCase() as Address
}
