import {
  type Account,
  type Chain,
  type Client,
  createClient,
  defineChain,
  type Hex,
  http,
  type LocalAccount,
  type PublicActions,
  publicActions,
  type Transport,
  type WalletActions,
  walletActions,
} from 'viem'
import { privateKeyToAccount } from 'viem/accounts'

/** A connection that reads, and writes as one account. */
export type DeployClient = Client<Transport, Chain, Account> &
  PublicActions<Transport, Chain, Account> &
  WalletActions<Chain, Account>

/** @param deployer private key, or an account of viem */
export async function connect(rpcUrl: string, deployer: Hex | LocalAccount): Promise<DeployClient> {
  const account = typeof deployer === 'string' ? privateKeyToAccount(deployer) : deployer
  const transport = http(rpcUrl)
  const chainId = await createClient({ transport }).extend(publicActions).getChainId()
  const chain = defineChain({
    id: chainId,
    name: `chain ${chainId}`,
    nativeCurrency: { name: 'Ether', symbol: 'ETH', decimals: 18 },
    rpcUrls: { default: { http: [rpcUrl] } },
  })
  return createClient({ account, chain, transport, pollingInterval: 50 }).extend(publicActions).extend(walletActions)
}

/** A transaction to make; `what` names it when it fails. */
export type Step = { what: string; to: Hex; data: Hex }

/**
 * Sends all steps one after the other without waiting, then waits for every receipt.
 * @returns the transactions, in their order
 * @throws when one of them reverted
 */
export async function sendAll(client: DeployClient, steps: Step[]): Promise<Hex[]> {
  let nonce = await client.getTransactionCount({ address: client.account.address, blockTag: 'pending' })
  const sent: { what: string; hash: Hex }[] = []
  for (const { what, to, data } of steps) {
    sent.push({ what, hash: await client.sendTransaction({ to, data, nonce: nonce++ }) })
  }
  for (const { what, hash } of sent) {
    const receipt = await client.waitForTransactionReceipt({ hash })
    if (receipt.status !== 'success') throw new Error(`${what} reverted in transaction ${hash}`)
  }
  return sent.map(({ hash }) => hash)
}
