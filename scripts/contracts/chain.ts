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
  type PublicActions,
  publicActions,
  type Transport,
  type WalletActions,
  walletActions,
} from 'viem'
import { privateKeyToAccount } from 'viem/accounts'
import { decodeRevert } from '../../api/chain/revert.ts'

/** A read-only connection to a node. */
export type ReadClient = Client<Transport, Chain, Account | undefined> & PublicActions<Transport, Chain>

/** A connection to a node, for reads and for transactions of one account. */
export type DeployClient = Client<Transport, Chain, Account> &
  PublicActions<Transport, Chain, Account> &
  WalletActions<Chain, Account>

/**
 * Connects to a node with an account.
 * @param deployer private key, or an account of viem. An account that is only an address uses a key that the node holds
 */
export async function connect(rpcUrl: string, deployer: Hex | Account): Promise<DeployClient> {
  const isKey = typeof deployer === 'string'
  const account = isKey ? privateKeyToAccount(deployer) : deployer
  return createClient({ account, ...(await reach(rpcUrl)) })
    .extend(publicActions)
    .extend(walletActions)
}

/** Connects to a node without an account. */
export async function connectReader(rpcUrl: string): Promise<ReadClient> {
  return createClient(await reach(rpcUrl)).extend(publicActions)
}

async function reach(rpcUrl: string) {
  const transport = http(rpcUrl)
  const chainId = await createClient({ transport }).extend(publicActions).getChainId()
  const chain = defineChain({
    id: chainId,
    name: `chain ${chainId}`,
    nativeCurrency: { name: 'Ether', symbol: 'ETH', decimals: 18 },
    rpcUrls: { default: { http: [rpcUrl] } },
    // A block that comes while viem looks for a replacement is not looked at, and none may follow it.
    supportsTransactionReplacementDetection: false,
  })
  return { chain, transport, pollingInterval: isOnThisMachine(rpcUrl) ? 50 : 1000 }
}

/**
 * Returns true if the node runs on this machine. Other nodes may limit the number of requests, so they are polled less
 * often.
 */
function isOnThisMachine(rpcUrl: string): boolean {
  return ['127.0.0.1', 'localhost', '[::1]'].includes(new URL(rpcUrl).hostname)
}

/** A transaction to send; `what` names it in errors. */
export type Call = { what: string; to: Hex; data: Hex }

/** A call whose transaction was mined. */
export type Sent<C extends Call> = { call: C; hash: Hex; gasUsed: bigint }

export interface SendOptions {
  /** Gets a line for each transaction that is sent, and for each that is mined. */
  say?: (line: string) => void
  /** Gas prices in wei. Default: viem requests the prices from the node. */
  fees?: { maxFeePerGas: bigint; maxPriorityFeePerGas: bigint }
  /** True to replace the account's pending transactions: the new transactions get the nonces of the pending ones. */
  replace?: boolean
  /**
   * Maximum number of transactions that may be pending at the same time. Default: all. Nodes keep only about sixteen
   * pending transactions of an account.
   */
  atOnce?: number
  /** Number of blocks that confirm a transaction, including the block of the transaction itself. Default 1. */
  confirmations?: number
  /** Time limit for the mining of a transaction, milliseconds. Default 180,000. */
  timeout?: number
}

/**
 * Sends all calls one after the other, then waits for every receipt.
 * @returns the transactions, in the order of the calls
 * @throws if a transaction reverts; the error contains the name of the contract's error if the node already refused to
 * send the transaction. Also throws, before anything is sent, if the target of a call has no code: such a call would
 * succeed without effect
 */
export async function sendAll<C extends Call>(
  client: DeployClient,
  calls: C[],
  options: SendOptions = {},
): Promise<Sent<C>[]> {
  const { atOnce = calls.length } = options
  for (const address of new Set(calls.map(({ to }) => to))) await requireContract(client, address)
  const sentCalls: Sent<C>[] = []
  while (sentCalls.length < calls.length) {
    sentCalls.push(...(await sendTogether(client, calls.slice(sentCalls.length, sentCalls.length + atOnce), options)))
  }
  return sentCalls
}

async function sendTogether<C extends Call>(
  client: DeployClient,
  calls: C[],
  options: SendOptions,
): Promise<Sent<C>[]> {
  const { say = () => {}, fees, confirmations = 1, timeout = 180_000 } = options
  const blockTag = options.replace === true ? 'latest' : 'pending'
  let nonce = await client.getTransactionCount({ address: client.account.address, blockTag })
  const pendingCalls: { call: C; hash: Hex }[] = []
  for (const call of calls) {
    // Nodes estimate on what waits too, in which the replaced transaction is.
    const { to, data } = call
    const gas =
      options.replace === true
        ? await client.estimateGas({ account: client.account.address, to, data, blockTag: 'latest' })
        : undefined
    const hash = await send(client, call, { nonce, ...fees, ...(gas !== undefined && { gas }) })
    say(`sent   ${call.what}: ${hash} (nonce ${nonce})`)
    pendingCalls.push({ call, hash })
    nonce += 1
  }
  const sentCalls: Sent<C>[] = []
  for (const { call, hash } of pendingCalls) {
    const receipt = await client
      .waitForTransactionReceipt({ hash, confirmations, timeout })
      .catch((cause) => Promise.reject(explainWait(call, { hash, cause, timeout })))
    if (receipt.status !== 'success') throw new Error(`${call.what} reverted in transaction ${hash}`)
    say(`mined  ${call.what}: block ${receipt.blockNumber}, ${receipt.gasUsed} gas`)
    sentCalls.push({ call, hash, gasUsed: receipt.gasUsed })
  }
  return sentCalls
}

async function requireContract(client: DeployClient, address: Hex): Promise<void> {
  if ((await client.getCode({ address })) !== undefined) return
  throw new Error(`there is no contract at ${address} on chain ${client.chain.id}`)
}

async function send(
  client: DeployClient,
  { what, to, data }: Call,
  terms: { nonce: number; gas?: bigint } & Partial<NonNullable<SendOptions['fees']>>,
): Promise<Hex> {
  try {
    return await client.sendTransaction({ to, data, ...terms })
  } catch (error) {
    const revert = error instanceof BaseError ? revertDataOf(error) : null
    // Without its cause, in which some nodes have the bytes of a contract as they are.
    if (revert !== null) throw new Error(`${what} would revert: ${decodeRevert(revert).message}`)
    const advice = error instanceof BaseError ? adviceOn(error, client.account.address) : null
    if (advice !== null) throw new Error(`${what} was not sent: ${advice}`)
    throw error
  }
}

/** Returns the revert data of a failed call; null if the error is no revert. */
function revertDataOf(error: BaseError): Hex | null {
  const revertError = error.walk((cause) => 'data' in (cause as object) && isHex((cause as { data: unknown }).data))
  return revertError === null ? null : (revertError as unknown as { data: Hex }).data
}

/** Returns advice for a person on a refusal of a node; null for a refusal without known advice. */
function adviceOn(error: BaseError, account: Hex): string | null {
  const text = error.message.toLowerCase()
  if (text.includes('insufficient funds') || text.includes('exceeds the balance')) {
    return `${account} has too little ETH. Send it some and run the same command again; what was sent stays.`
  }
  if (text.includes('underpriced')) {
    return 'its price is too low, or not a tenth above that of the transaction it replaces. Run the same command again with a higher --max-fee-gwei and --priority-fee-gwei.'
  }
  if (text.includes('nonce too low') || text.includes('lower than the current nonce')) {
    return `another transaction of ${account} took its nonce. End other uses of this account and run the same command again.`
  }
  return null
}

function explainWait(call: Call, { hash, cause, timeout }: { hash: Hex; cause: unknown; timeout: number }): Error {
  const isTimeout = cause instanceof BaseError && cause.name === 'WaitForTransactionReceiptTimeoutError'
  if (!isTimeout) return cause instanceof Error ? cause : new Error(String(cause))
  return new Error(
    `${call.what}: transaction ${hash} is not mined after ${timeout / 1000} s. Run the same command again: it waits for it, ` +
      'and with --replace sends the same at a higher price.',
    { cause },
  )
}
