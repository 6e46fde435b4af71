import {
  type Account,
  BaseError,
  type Chain,
  type Client,
  createClient,
  defineChain,
  type Hex,
  http,
  isHex,
  type LocalAccount,
  type PublicActions,
  publicActions,
  type Transport,
  type WalletActions,
  walletActions,
} from 'viem'
import { privateKeyToAccount } from 'viem/accounts'
import { decodeRevert } from '../../api/chain/revert.ts'

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
 * @throws when one of them reverted, with the error's name where the node refuses to send it for that; and before anything
 * is sent when a step has no contract, which would succeed and do nothing
 */
export async function sendAll(client: DeployClient, steps: Step[]): Promise<Hex[]> {
  for (const address of new Set(steps.map(({ to }) => to))) await requireContract(client, address)
  let nonce = await client.getTransactionCount({ address: client.account.address, blockTag: 'pending' })
  const sent: { what: string; hash: Hex }[] = []
  for (const step of steps) {
    sent.push({ what: step.what, hash: await send(client, step, nonce++) })
  }
  for (const { what, hash } of sent) {
    const receipt = await client.waitForTransactionReceipt({ hash })
    if (receipt.status !== 'success') throw new Error(`${what} reverted in transaction ${hash}`)
  }
  return sent.map(({ hash }) => hash)
}

async function requireContract(client: DeployClient, address: Hex): Promise<void> {
  if ((await client.getCode({ address })) !== undefined) return
  throw new Error(`there is no contract at ${address} on chain ${client.chain.id}`)
}

async function send(client: DeployClient, { what, to, data }: Step, nonce: number): Promise<Hex> {
  try {
    return await client.sendTransaction({ to, data, nonce })
  } catch (error) {
    const revert = error instanceof BaseError ? revertDataOf(error) : null
    if (revert === null) throw error
    // Without its cause, in which some nodes have the bytes of a contract as they are.
    throw new Error(`${what} would revert: ${decodeRevert(revert).message}`)
  }
}

/** What a node answered to a call that reverts; null: the error is another one. */
function revertDataOf(error: BaseError): Hex | null {
  const found = error.walk((cause) => 'data' in (cause as object) && isHex((cause as { data: unknown }).data))
  return found === null ? null : (found as unknown as { data: Hex }).data
}
