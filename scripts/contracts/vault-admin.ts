import { type Address, encodeFunctionData, erc20Abi, type Hex, isAddressEqual, parseEventLogs } from 'viem'
import { sponsoredVaultAbi } from '../../abis/sponsored-vault.ts'
import { sponsoredVaultFactoryAbi } from '../../abis/sponsored-vault-factory.ts'
import { type DeployClient, sendAll } from './chain.ts'

/** A vault that `createVault` created. */
export interface CreatedVault {
  vaultId: Hex
  vault: Address
}

/**
 * Creates a vault whose owner is the client's account. A vault is identified by its owner, its token and a salt.
 * @throws with the next step if there is no token at the address, or if the vault already exists
 */
export async function createVault(
  client: DeployClient,
  { factory, token, salt }: { factory: Address; token: Address; salt: Hex },
): Promise<CreatedVault> {
  if ((await client.getCode({ address: token })) === undefined) throw new Error(`there is no token at ${token}`)
  const views = { address: factory, abi: sponsoredVaultFactoryAbi } as const
  const args = [client.account.address, token, salt] as const
  const vaultId = await client.readContract({ ...views, functionName: 'vaultIdOf', args })
  const existingVault = await client.readContract({ ...views, functionName: 'vaultOf', args: [vaultId] })
  if (BigInt(existingVault) !== 0n)
    throw new Error(`the vault exists: ${existingVault}; another --salt makes another one`)
  const data = encodeFunctionData({
    abi: sponsoredVaultFactoryAbi,
    functionName: 'createVault',
    args: [token, salt],
  })
  await sendAll(client, [{ what: 'creating the vault', to: factory, data }])
  return { vaultId, vault: await client.readContract({ ...views, functionName: 'vaultOf', args: [vaultId] }) }
}

/** Moves tokens from the client's account into a vault. @returns the amount that the vault received, base units */
export async function fundVault(client: DeployClient, vault: Address, amount: bigint): Promise<bigint> {
  const token = await client.readContract({ address: vault, abi: sponsoredVaultAbi, functionName: 'token' })
  const approve = encodeFunctionData({ abi: erc20Abi, functionName: 'approve', args: [vault, amount] })
  await sendAll(client, [{ what: 'approving the tokens', to: token, data: approve }])
  const data = encodeFunctionData({ abi: sponsoredVaultAbi, functionName: 'fund', args: [amount] })
  const [sentCall] = await sendAll(client, [{ what: 'funding the vault', to: vault, data }])
  if (sentCall === undefined) throw new Error('nothing was sent')
  const { logs } = await client.getTransactionReceipt({ hash: sentCall.hash })
  const [fundedEvent] = parseEventLogs({ abi: sponsoredVaultAbi, eventName: 'Funded', logs })
  return fundedEvent?.args.amount ?? 0n
}

/** A change of a vault. The vault's owner makes it; any account may make the change `collect-fees`. */
export type VaultChange =
  | { change: 'manager'; manager: Address; spendCap: bigint; active: boolean }
  | { change: 'charger'; hook: Address; allowed: boolean }
  | { change: 'fee-credit'; amount: bigint }
  | { change: 'withdraw'; to: Address; amount: bigint }
  | { change: 'announce-exit' }
  | { change: 'exit'; to: Address }
  | { change: 'collect-fees' }

/**
 * Makes a change of a vault.
 * @param options.isConfirmed true to also make irreversible changes, and changes that trust a hook other than the
 * market's own
 * @throws with the next step if the change needs a confirmation, or if it is an exit before its time
 */
export async function changeVault(
  client: DeployClient,
  vault: Address,
  change: VaultChange,
  { isConfirmed = false }: { isConfirmed?: boolean } = {},
): Promise<void> {
  const doubt = isConfirmed ? null : await findDoubt(client, vault, change)
  if (doubt !== null) throw new Error(`${doubt}; add --confirm if that is meant`)
  if (change.change === 'exit') await requireDueExit(client, vault)
  await sendAll(client, [{ what: change.change, to: vault, data: encodeChange(change) }])
}

async function findDoubt(client: DeployClient, vault: Address, change: VaultChange): Promise<string | null> {
  if (change.change === 'announce-exit') return 'an announced exit ends new charges for good'
  if (change.change !== 'charger' || !change.allowed) return null
  const hook = await client.readContract({ address: vault, abi: sponsoredVaultAbi, functionName: 'hook' })
  if (isAddressEqual(hook, change.hook)) return null
  return `${change.hook} is not the market's hook (${hook}): it could charge the vault for anything`
}

async function requireDueExit(client: DeployClient, vault: Address): Promise<void> {
  const [exitAt, { timestamp }] = await Promise.all([
    client.readContract({ address: vault, abi: sponsoredVaultAbi, functionName: 'exitAt' }),
    client.getBlock(),
  ])
  if (exitAt === 0n) throw new Error('the exit was not announced: announce-exit comes first, seven days before')
  if (timestamp < exitAt) throw new Error(`the exit is due at ${new Date(Number(exitAt) * 1000).toISOString()}`)
}

function encodeChange(change: VaultChange): Hex {
  const abi = sponsoredVaultAbi
  switch (change.change) {
    case 'manager': {
      const args = [change.manager, change.spendCap, change.active] as const
      return encodeFunctionData({ abi, functionName: 'setManager', args })
    }
    case 'charger':
      return encodeFunctionData({ abi, functionName: 'setCharger', args: [change.hook, change.allowed] })
    case 'fee-credit':
      return encodeFunctionData({ abi, functionName: 'setFeeCredit', args: [change.amount] })
    case 'withdraw':
      return encodeFunctionData({ abi, functionName: 'withdrawAvailable', args: [change.to, change.amount] })
    case 'announce-exit':
      return encodeFunctionData({ abi, functionName: 'announceExit' })
    case 'exit':
      return encodeFunctionData({ abi, functionName: 'exit', args: [change.to] })
    case 'collect-fees':
      return encodeFunctionData({ abi, functionName: 'collectFees' })
  }
}
