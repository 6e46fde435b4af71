import type { Hex } from 'viem'
import { type HDKey, mnemonicToAccount, type PrivateKeyAccount, privateKeyToAccount } from 'viem/accounts'

/**
 * The public test mnemonic of anvil and hardhat. Everybody knows its keys, so its accounts must not get money on a real
 * chain.
 */
export const devMnemonic = 'test test test test test test test test test test test junk'

/** Number of accounts that anvil funds with ether. Each account of `devAccountIndexes` is one of them. */
export const devAccountCount = 20

/** The index of each role's account in the mnemonic's derivation path. The roles are those of the local stack. */
export const devAccountIndexes = {
  deployer: 0,
  owner: 0,
  feeRecipient: 1,
  relayer1: 2,
  relayer2: 3,
  relayer3: 4,
  relayer4: 5,
  requester: 6,
  alice: 7,
  bob: 8,
  carol: 9,
  evaluator: 10,
  resolver: 11,
  curator: 12,
  sponsor1: 13,
  sponsor2: 14,
  sponsor3: 15,
} as const

export type DevRole = keyof typeof devAccountIndexes

export interface DevAccount {
  role: DevRole
  account: PrivateKeyAccount
  privateKey: Hex
}

/** Returns the account of a role. Example: `devAccount('requester')`. */
export function devAccount(role: DevRole): DevAccount {
  const { privateKey } = parentKey().deriveChild(devAccountIndexes[role])
  if (privateKey === null) throw new Error(`no private key for ${role}`)
  const hex: Hex = `0x${Buffer.from(privateKey).toString('hex')}`
  return { role, account: privateKeyToAccount(hex), privateKey: hex }
}

let parent: HDKey | undefined

/**
 * Returns the parent node of all accounts in the derivation path. The derivation of this node from the mnemonic takes
 * 50 ms, so the result is stored.
 */
function parentKey(): HDKey {
  parent ??= mnemonicToAccount(devMnemonic, { path: "m/44'/60'/0'/0" }).getHdKey()
  return parent
}

/** Returns the relayer accounts of the local stack. Each relayer has its own sequence of nonces. */
export function devRelayers(): DevAccount[] {
  return (['relayer1', 'relayer2', 'relayer3', 'relayer4'] as const).map(devAccount)
}

/** Returns the wallets to which the stack gives USDC for demonstrations and tests. */
export function devActors(): DevAccount[] {
  return (['requester', 'alice', 'bob', 'carol', 'evaluator', 'resolver'] as const).map(devAccount)
}
