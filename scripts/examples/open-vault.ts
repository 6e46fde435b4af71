import { type Abi, type Address, encodeFunctionData, type Hex, type PublicClient } from 'viem'
import { sponsoredVaultAbi } from '../../abis/sponsored-vault.ts'
import { sponsoredVaultFactoryAbi } from '../../abis/sponsored-vault-factory.ts'
import { readArtifact } from '../contracts/artifacts.ts'
import type { Deployment } from '../contracts/deploy.ts'

/** A vault with tokens, whose managers can create tasks that charge it. */
export interface VaultSetup {
  /** Owner of the vault. */
  sponsor: Address
  /** Address of the vault's token, a `LocalRewardToken`. `minter` is the account that may mint this token. */
  token: Address
  minter: Address
  salt: Hex
  /** Amount that funds the vault, and also the cap of each manager, base units of the token. */
  amount: bigint
  managers: readonly Address[]
}

export interface OpenedVault {
  vaultId: Hex
  vault: Address
}

export interface VaultCall {
  from: Address
  to: Address
  data: Hex
}

/**
 * Opens a vault on a local chain, funds it and adds its managers. The chain's node must hold the keys of the accounts.
 * @param send sends a call, and resolves when the call is mined
 * @throws if the deployment has no vaults
 */
export async function openVault(
  { client, deployment, send }: { client: PublicClient; deployment: Deployment; send(call: VaultCall): Promise<void> },
  { sponsor, token, minter, salt, amount, managers }: VaultSetup,
): Promise<OpenedVault> {
  const { sponsoredTasksHook: hook, sponsoredVaultFactory: factory } = deployment
  if (hook === undefined || factory === undefined) throw new Error('the deployment has no sponsored vaults')
  const call = async (from: Address, to: Address, [abi, functionName, args]: [Abi, string, unknown[]]) =>
    await send({ from, to, data: encodeFunctionData({ abi, functionName, args }) })
  await call(sponsor, factory, [sponsoredVaultFactoryAbi, 'createVault', [token, salt]])
  const views = { address: factory, abi: sponsoredVaultFactoryAbi } as const
  const vaultId = await client.readContract({ ...views, functionName: 'vaultIdOf', args: [sponsor, token, salt] })
  const vault = await client.readContract({ ...views, functionName: 'vaultOf', args: [vaultId] })
  const tokenAbi = readArtifact('LocalRewardToken').abi
  await call(minter, token, [tokenAbi, 'mint', [sponsor, amount]])
  await call(sponsor, token, [tokenAbi, 'approve', [vault, amount]])
  await call(sponsor, vault, [sponsoredVaultAbi, 'fund', [amount]])
  await call(sponsor, vault, [sponsoredVaultAbi, 'setCharger', [hook, true]])
  await call(sponsor, vault, [sponsoredVaultAbi, 'setFeeCredit', [amount]])
  for (const manager of managers) {
    await call(sponsor, vault, [sponsoredVaultAbi, 'setManager', [manager, amount, true]])
  }
  return { vaultId, vault }
}
