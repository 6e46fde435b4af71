import type { Hex } from 'viem'
import { type HDKey, mnemonicToAccount, type PrivateKeyAccount, privateKeyToAccount } from 'viem/accounts'

/** The public test mnemonic of anvil and hardhat. Its keys are public: never fund them on a real chain. */
export const devMnemonic = 'test test test test test test test test test test test junk'

/** Number of accounts that anvil funds with ether. Every role below is one of them. */
export const devAccountCount = 20

/** Role of each account of the local stack: its index in the mnemonic's derivation path. */
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
 * The node of the derivation path that all accounts are children of. Stretching the mnemonic costs 50 ms: done once.
 */
function parentKey(): HDKey {
  parent ??= mnemonicToAccount(devMnemonic, { path: "m/44'/60'/0'/0" }).getHdKey()
  return parent
}

/** Returns the relayers of the local stack, each with its own nonce sequence. */
export function devRelayers(): DevAccount[] {
  return (['relayer1', 'relayer2', 'relayer3', 'relayer4'] as const).map(devAccount)
}

/** Returns the wallets that the stack funds with USDC for demonstrations and tests. */
export function devActors(): DevAccount[] {
  return (['requester', 'alice', 'bob', 'carol', 'evaluator', 'resolver'] as const).map(devAccount)
}
