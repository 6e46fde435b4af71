import type { Abi, Address, Hex } from 'viem'
import { sponsoredVaultAbi } from '../../abis/sponsored-vault.ts'
import { getEventAbi, toEventArgsJson } from '../../protocol/rules/event-args.ts'
import { sponsoredVault, vaultAddress, vaultCharge, vaultEvent, vaultManager } from '../schema/vault.ts'
import { type PositionedEvent, positionOf } from './event-position.ts'
import type { Store } from './store.ts'

export type VaultRow = typeof sponsoredVault.$inferSelect
type VaultPatch = Partial<Omit<VaultRow, 'vaultId' | 'eventCount'>>
export type ChargeRow = typeof vaultCharge.$inferSelect

/** An event that a sponsor's vault logged. */
export interface VaultLog extends PositionedEvent {
  args: Readonly<Record<string, unknown>>
  log: PositionedEvent['log'] & { address: Address }
}

/**
 * The totals of a vault in base units of the vault's token. An event that changes one total contains all five totals.
 */
interface Totals {
  available: bigint
  reserved: bigint
  owed: bigint
  fees: bigint
  feeCredit: bigint
}

/** Returns the id of the vault whose contract logged the event. @throws if the factory has not logged this contract */
export async function getVaultId(store: Store, { log }: VaultLog): Promise<Hex> {
  const row = await store.find(vaultAddress, { vault: log.address })
  if (row === null) throw new Error(`no vault has the address ${log.address}`)
  return row.vaultId
}

/** Changes columns of a vault's row. Returns the row after the change. */
export function updateVault(
  store: Store,
  vaultId: Hex,
  change: VaultPatch | ((row: VaultRow) => VaultPatch),
): Promise<VaultRow> {
  return store.update(sponsoredVault, { vaultId }).set(change)
}

/**
 * Stores an event in `vault_event`, and changes the vault's row. The event must not be about a single charge. Returns
 * the vault's row after the change.
 */
export async function recordVaultEvent(
  store: Store,
  { event, name, change = () => ({}) }: { event: VaultLog; name: string; change?: (row: VaultRow) => VaultPatch },
): Promise<VaultRow> {
  const vaultId = await getVaultId(store, event)
  const row = await store
    .update(sponsoredVault, { vaultId })
    .set((vault) => ({ ...change(vault), eventCount: vault.eventCount + 1 }))
  const ordinal = row.eventCount - 1
  // The many events are looked up by name at run time.
  const abi: Abi = sponsoredVaultAbi
  await store.insert(vaultEvent).values({
    id: toVaultEventId(vaultId, ordinal),
    vaultId,
    ordinal,
    name,
    args: toEventArgsJson(getEventAbi(abi, name), event.args, ['totals']),
    ...positionOf(event),
  })
  return row
}

/** Changes columns of a charge's row. Returns the row after the change. */
export function updateCharge(
  store: Store,
  key: { vaultId: Hex; taskId: Hex },
  change: (row: ChargeRow) => Partial<Omit<ChargeRow, 'id' | 'vaultId' | 'taskId'>>,
): Promise<ChargeRow> {
  return store.update(vaultCharge, { id: toChargeId(key.vaultId, key.taskId) }).set(change)
}

/** Stores the amount that a manager has spent. The manager must already have a row. */
export async function setSpent(
  store: Store,
  { vaultId, manager, spent }: { vaultId: Hex; manager: Address; spent: bigint },
): Promise<void> {
  await store.update(vaultManager, { id: toVaultAccountId(vaultId, manager) }).set({ spent })
}

/** Returns the vault's totals that an event contains, as columns of the vault's row. */
export function totalsOf({ available, reserved, owed, fees, feeCredit }: Totals): Totals {
  return { available, reserved, owed, fees, feeCredit }
}

/** Returns the key of a charge, `<vaultId>:<taskId>`. A task can charge a vault only once. */
export function toChargeId(vaultId: Hex, taskId: Hex): string {
  return `${vaultId.toLowerCase()}:${taskId.toLowerCase()}`
}

/** Returns the key of a worker's claim (a leaf of a settlement's Merkle tree), `<vaultId>:<taskId>:<index>`. */
export function toLeafId(vaultId: Hex, { taskId, index }: { taskId: Hex; index: number }): string {
  return `${toChargeId(vaultId, taskId)}:${index}`
}

/** Returns the key of a row of `vault_manager` or `vault_charger`, `<vaultId>:<account>`. */
export function toVaultAccountId(vaultId: Hex, account: Address): string {
  return `${vaultId.toLowerCase()}:${account.toLowerCase()}`
}

/** Returns the key of an epoch, `<vaultId>:<epoch>`. */
export function toVaultEpochId(vaultId: Hex, epoch: number): string {
  return `${vaultId.toLowerCase()}:${epoch}`
}

function toVaultEventId(vaultId: Hex, ordinal: number): string {
  return `${vaultId.toLowerCase()}:${ordinal}`
}
