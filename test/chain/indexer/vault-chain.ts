import { type Address, getContract, type Hex, parseEventLogs } from 'viem'
import { sponsoredVaultAbi } from '../../../abis/sponsored-vault.ts'
import { sponsoredVaultFactoryAbi } from '../../../abis/sponsored-vault-factory.ts'
import { createLogReader } from './kept-logs.ts'
import type { MarketChain } from './market-chain.ts'

/** The chain's hook of sponsored vaults, and their factory. @throws on a chain without them */
export function vaultsOf({ deployment }: MarketChain): { hook: Address; factory: Address } {
  const { sponsoredTasksHook: hook, sponsoredVaultFactory: factory } = deployment
  if (hook === undefined || factory === undefined) throw new Error('this chain has no sponsored vaults')
  return { hook, factory }
}

/** A vault as its factory logged it. */
export type CreatedVault = Awaited<ReturnType<typeof readCreatedVaults>>[number]
/** An event of a vault, as the node has it. */
export type VaultLog = ReturnType<typeof parseEventLogs<typeof sponsoredVaultAbi, true>>[number]
export type VaultLogOf<Name extends VaultLog['eventName']> = Extract<VaultLog, { eventName: Name }>

/** Every vault, in the order of their creation. */
export async function readCreatedVaults(chain: MarketChain) {
  return (await readFactoryLogs(chain)).map(({ args }) => args)
}

const readFactoryLogs = createLogReader(async (chain, range) => {
  const logs = await chain.client.getLogs({ address: vaultsOf(chain).factory, ...range })
  return parseEventLogs({ abi: sponsoredVaultFactoryAbi, logs })
})

/** The logs of one vault, in order. */
export async function readVaultLogs(chain: MarketChain, vault: Address): Promise<VaultLog[]> {
  const isOfVault = ({ address }: VaultLog) => address === vault.toLowerCase()
  return (await readLogsOfVaults(chain)).filter(isOfVault)
}

/** Of every contract that has events of a vault: one that is created in these blocks has logs in them. */
const readLogsOfVaults = createLogReader(async ({ client }, range) =>
  parseEventLogs({ abi: sponsoredVaultAbi, logs: await client.getLogs(range) }),
)

/** The logs of these names, in order. */
export function pickLogs<Name extends VaultLog['eventName']>(logs: readonly VaultLog[], name: Name) {
  return logs.filter((log): log is VaultLogOf<Name> => log.eventName === name)
}

/** The views of a vault. */
export function viewsOfVault({ client }: MarketChain, vault: Address) {
  return getContract({ address: vault, abi: sponsoredVaultAbi, client }).read
}

/** The leaf of a settlement, as StandardMerkleTree takes it. */
export function toTreeLeaf(
  leaf: { vaultId: Hex; epoch: bigint; taskId: Hex },
  { index, worker, amount }: { index: number; worker: Address; amount: bigint },
): [Hex, bigint, Hex, Hex, bigint, Address, bigint] {
  return [leaf.vaultId, leaf.epoch, leaf.taskId, leaf.taskId, BigInt(index), worker, amount]
}

/** The types of `toTreeLeaf`. */
export const treeLeafTypes = ['bytes32', 'uint64', 'bytes32', 'bytes32', 'uint256', 'address', 'uint256']
