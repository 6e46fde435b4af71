import { mnemonicToAccount } from 'viem/accounts'
import type { DemoWallet } from './wallet/demo-wallet.ts'

/**
 * Mnemonic of the test accounts of anvil and hardhat. The keys are publicly known. A service serves this file only for
 * a local deployment. No other file imports this file.
 */
const MNEMONIC = 'test test test test test test test test test test test junk'

/**
 * The demo wallets of a local stack, which have USDC. The number is the address index in the mnemonic's derivation
 * path.
 */
const places = { requester: 6, alice: 7, bob: 8, carol: 9, evaluator: 10, resolver: 11 }

const wallets: readonly DemoWallet[] = Object.entries(places).map(([role, addressIndex]) => {
  const account = mnemonicToAccount(MNEMONIC, { addressIndex })
  return { role, address: account.address, account }
})

export default wallets
