import type { Address, Hex, PrivateKeyAccount, PublicClient } from 'viem'
import { generatePrivateKey, privateKeyToAccount } from 'viem/accounts'
import { usdcAbi } from '../../../abis/usdc.ts'
import type { Anvil } from '../../../scripts/chain/anvil.ts'
import { type Deployment, mintLocalUsdc } from '../../../scripts/contracts/deploy.ts'
import { untilMined } from '../../../scripts/contracts/until-mined.ts'

/** Wallets on a test chain. */
export interface Wallets {
  /** A new one with USDC and without ether: payers need no gas. */
  funded(baseUnits?: bigint): Promise<PrivateKeyAccount>
  balanceOf(account: Address): Promise<bigint>
  /** Sends a transaction from an account whose key the node has; resolves when it is mined. */
  sendAs(from: Address, call: { to: Address; data: Hex }): Promise<void>
}

export function createWallets(chain: { anvil: Anvil; client: PublicClient; deployment: Deployment }): Wallets {
  const { anvil, client, deployment } = chain
  return {
    funded: async (baseUnits = 100_000_000n) => {
      const account = privateKeyToAccount(generatePrivateKey())
      await mintLocalUsdc(anvil.url, account.address, baseUnits)
      return account
    },
    balanceOf: (account) =>
      client.readContract({ address: deployment.usdc, abi: usdcAbi, functionName: 'balanceOf', args: [account] }),
    sendAs: async (from, { to, data }) => {
      const hash = (await anvil.request('eth_sendTransaction', [{ from, to, data }])) as Hex
      await untilMined(anvil.request, hash)
    },
  }
}
