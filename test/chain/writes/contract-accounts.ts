import {
  type Address,
  createWalletClient,
  type Hex,
  http,
  type PrivateKeyAccount,
  pad,
  serializeErc6492Signature,
} from 'viem'
import { generatePrivateKey, privateKeyToAccount } from 'viem/accounts'
import { expect } from 'vitest'
import { devAccount } from '../../../scripts/chain/dev-accounts.ts'
import { localNetwork } from '../../../scripts/contracts/network.ts'
import { untilMined } from '../../../scripts/contracts/until-mined.ts'
import type { TestStack } from '../../support/stack.ts'

/**
 * A wallet that takes 65 bytes of one key, and so no envelope: ecrecover of the hash must be the key that the code before
 * EQ puts on the stack.
 */
const walletOf = (key: Hex): Hex =>
  `0x6004355f5260a4355f1a6020526064356040526084356060526020608060805f60015afa50608051${key.slice(2)}1460443560411416631626ba7e60e01b025f5260205ff3`
/** The key in its first slot. */
const KEY_IN_STORAGE: Hex = '0x5f54'
/** The key of the account whose code it is: one that delegates. */
const OWN_KEY: Hex = '0x30'

/** The address of a contract that is not deployed yet. */
export const aContractAddress = (): Address => privateKeyToAccount(generatePrivateKey()).address

/** Wraps what an account signs as wallets do of which the chain may not know yet. */
export function inEnvelope(signature: Hex): Hex {
  return serializeErc6492Signature({ address: aContractAddress(), data: '0x1234', signature })
}

/** The account of a wallet at `address`, for which `signer` signs. */
export function accountAt(address: Address, signer: PrivateKeyAccount, wrap = inEnvelope): PrivateKeyAccount {
  return {
    ...signer,
    address,
    signMessage: async (message) => wrap(await signer.signMessage(message)),
    signTypedData: async (data) => wrap(await signer.signTypedData(data)),
  }
}

/** Deploys a wallet of ERC-1271 whose key is that of `signer`. */
export async function deployWallet({ anvil }: TestStack, address: Address, signer: PrivateKeyAccount): Promise<void> {
  await anvil.request('anvil_setCode', [address, walletOf(KEY_IN_STORAGE)])
  await anvil.request('anvil_setStorageAt', [address, pad('0x0'), pad(signer.address)])
}

/** Lets an account delegate to the code of such a wallet (EIP-7702), with its own key. */
export async function delegate({ anvil, client }: TestStack, account: PrivateKeyAccount): Promise<void> {
  const code = aContractAddress()
  await anvil.request('anvil_setCode', [code, walletOf(OWN_KEY)])
  const sender = createWalletClient({
    account: privateKeyToAccount(devAccount('resolver').privateKey),
    transport: http(anvil.url),
  })
  const authorization = await account.signAuthorization({ address: code, chainId: localNetwork.chainId, nonce: 0 })
  const hash = await sender.sendTransaction({ chain: null, to: account.address, authorizationList: [authorization] })
  await untilMined(anvil.request, hash)
  expect(await client.getCode({ address: account.address })).toMatch(/^0xef0100/)
}
