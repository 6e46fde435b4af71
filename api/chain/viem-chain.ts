import {
  type Address,
  BlockNotFoundError,
  createPublicClient,
  type Hex,
  type PublicClient,
  TransactionNotFoundError,
  TransactionReceiptNotFoundError,
} from 'viem'
import { usdcAbi } from '../../abis/usdc.ts'
import type { Clocks } from '../../protocol/windows.ts'
import type { NodeSet } from '../nodes/node-set.ts'
import { nodesTransport } from '../nodes/nodes-transport.ts'
import { isEmptyBloom, isInBloom } from './bloom.ts'
import {
  type BlockLogs,
  type Chain,
  type ChainHead,
  ChainUnavailable,
  type Fees,
  type MinedTransaction,
  type ReadHead,
} from './chain.ts'
import type { Deployment } from './deployment.ts'
import { createHeadCache } from './head.ts'
import { findTokenBalanceAt, readContractsAt } from './read-at-block.ts'
import { runCall } from './run-call.ts'
import { verifyMessage, verifyTypedData } from './signatures.ts'

export interface ChainOptions {
  nodes: NodeSet
  deployment: Deployment
  /** Returns the newest indexed block; null if no block is indexed. */
  findIndexed: () => ReadHead | null
  /** Returns true if a block's timestamp is too far from the host's clock. */
  isStale: (clocks: Clocks) => boolean
}

/**
 * The milliseconds that a write waits for the latest block if the service has several nodes. In this time, two nodes
 * can time out after 2 seconds each, and a third node can answer.
 */
const HEAD_OF_SEVERAL_TIMEOUT_MS = 5_000
/**
 * The factor on the base fee. The base fee can double within six full blocks. The sender pays only the real base fee.
 */
const BASE_FEE_FACTOR = 2n
/**
 * The greatest age in milliseconds of the fees in a simulation: about two blocks. `BASE_FEE_FACTOR` covers changes in
 * this time.
 */
const FEES_FRESH_MS = 3_000
/** The greatest age in milliseconds of the fees in a signed transaction. Writes within this time share one reading. */
const SIGNED_FEES_FRESH_MS = 500

/**
 * Creates the chain port over the chain's nodes. Failed reads are repeated; sending a transaction is never repeated.
 */
export function createChain({ nodes, deployment, findIndexed, isStale }: ChainOptions): Chain {
  const client = createPublicClient({
    cacheTime: 0,
    transport: nodesTransport(nodes, { retryCount: 2 }),
  }) as PublicClient
  const sender = createPublicClient({ transport: nodesTransport(nodes, { retryCount: 0 }) })
  const heads = createHeadCache(client, {
    isLocal: deployment.local,
    findIndexed,
    isStale,
    ...(nodes.size > 1 && { timeoutMs: HEAD_OF_SEVERAL_TIMEOUT_MS }),
  })
  const recentFees = createFeesCache(client)
  const confirm = async <Block extends Pick<ChainHead, 'number' | 'hash'>>(block: Block): Promise<Block> => {
    if (await nodes.confirm(block)) return block
    throw new ChainUnavailable(`the nodes do not agree on block ${block.number}`)
  }
  const confirmedHead = async (): Promise<ChainHead> => {
    const head = await nodes.findConfirmedHead(await heads.latestHead())
    if (head === null) throw new ChainUnavailable('the nodes do not agree on the newest blocks')
    return head
  }

  return {
    head: () => answered(heads.head()),
    knownHead: heads.knownHead,
    knownTime: heads.knownTime,
    latestHead: () => answered(heads.latestHead()),
    confirmedHead: () => answered(confirmedHead()),
    isUndisputed: (block) => answered(nodes.isUndisputed(block)),
    clocks: () => answered(heads.clocks()),
    latestClocks: () => answered(heads.latestClocks()),
    blockHash: (blockNumber) =>
      answered(client.getBlock({ blockNumber }).then((block) => block.hash, nullFor(BlockNotFoundError))),
    blockTimestamp: (blockNumber) =>
      answered(client.getBlock({ blockNumber }).then((block) => block.timestamp, nullFor(BlockNotFoundError))),
    safeBlockNumber: () => answered(client.getBlock({ blockTag: 'safe' }).then((block) => block.number)),
    readContract: (call) => answered(heads.unlessHanging(() => client.readContract(call as never))) as never,
    readContracts: (contracts) =>
      answered(
        heads.unlessHanging(() =>
          client.multicall({
            contracts,
            allowFailure: false,
            multicallAddress: deployment.multicall3,
            // One call of any size.
            batchSize: 0,
          } as never),
        ),
      ) as never,
    readContractsAt: (blockHash, contracts) =>
      answered(readContractsAt(client, { blockHash, contracts, multicall3: deployment.multicall3 })) as never,
    findTokenBalanceAt: (blockHash, holding) => findTokenBalanceAt(client, { blockHash, ...holding }),
    simulate: (call) => answered(recentFees(FEES_FRESH_MS).then((fees) => runCall(client, { ...call, fees }))),
    hasCode: (account) =>
      answered(client.getCode({ address: account }).then((code) => code !== undefined && code !== '0x')),
    getTransactionReceipt: (hash) =>
      answered(
        findReceipt(client, hash).then(async (receipt) => {
          if (receipt !== null) await confirm({ number: receipt.blockNumber, hash: receipt.blockHash })
          return receipt
        }),
      ),
    getTransaction: (hash) => answered(findSentCall(client, hash)),
    sendRawTransaction: (serializedTransaction) =>
      answered(sender.sendRawTransaction({ serializedTransaction }).then(() => {})),
    estimateFeesPerGas: () => answered(recentFees(SIGNED_FEES_FRESH_MS)),
    getTransactionCount: (address) =>
      answered(
        // A node of another chain, or on a fork, would count other transactions.
        nodes.size === 1
          ? client.getTransactionCount({ address, blockTag: 'latest' }).then(BigInt)
          : confirmedHead()
              .then(({ number }) => client.getTransactionCount({ address, blockNumber: number }))
              .then(BigInt),
      ),
    getLogs: ({ address, event, args, fromBlock }) =>
      answered(client.getLogs({ address, event, args, fromBlock, toBlock: 'latest' } as never)),
    blockLogs: (filter) =>
      answered(
        findBlockLogs(client, filter).then(async (block) => {
          await confirm({ number: filter.blockNumber, hash: block.blockHash })
          return block
        }),
      ),
    getBalance: (address) => answered(client.getBalance({ address })),
    usdcBalance: (account) =>
      answered(
        heads.unlessHanging(() =>
          client.readContract({ address: deployment.usdc, abi: usdcAbi, functionName: 'balanceOf', args: [account] }),
        ),
      ),
    verifyTypedData: (parameters) => answered(verifyTypedData(client, parameters)),
    verifyMessage: (parameters) => answered(verifyMessage(client, parameters)),
  }
}

async function readFees(client: PublicClient): Promise<Fees> {
  const [block, maxPriorityFeePerGas] = await Promise.all([
    client.getBlock({ blockTag: 'latest' }),
    client.estimateMaxPriorityFeePerGas(),
  ])
  return {
    maxFeePerGas: (block.baseFeePerGas ?? 0n) * BASE_FEE_FACTOR + maxPriorityFeePerGas,
    maxPriorityFeePerGas,
  }
}

/** Creates a cache of the network's fees. The returned function takes the greatest accepted age, in milliseconds. */
function createFeesCache(client: PublicClient): (freshForMs: number) => Promise<Fees> {
  let reading: Promise<Fees> | null = null
  let readAt = Number.NEGATIVE_INFINITY
  return (freshForMs) => {
    if (reading !== null && performance.now() - readAt < freshForMs) return reading
    readAt = performance.now()
    const current = readFees(client)
    reading = current
    current.catch(() => {
      if (reading === current) reading = null
    })
    return current
  }
}

/**
 * Returns the receipt, or null if the transaction has no receipt.
 * @throws ChainUnavailable for a receipt that contradicts itself
 */
async function findReceipt(client: PublicClient, hash: MinedTransaction['hash']): Promise<MinedTransaction | null> {
  const receipt = await client.getTransactionReceipt({ hash }).catch(nullFor(TransactionReceiptNotFoundError))
  if (receipt === null) return null
  if (receipt.transactionHash !== hash) {
    throw new ChainUnavailable(`the node answered the receipt of ${receipt.transactionHash} when asked for ${hash}`)
  }
  const { blockNumber, blockHash, logs, logsBloom } = receipt
  const isForeign = logs.some((log) => log.transactionHash !== hash || log.blockHash !== blockHash)
  if (isForeign) throw new ChainUnavailable(`the receipt of ${hash} holds logs of another transaction`)
  if (logs.length === 0 && !isEmptyBloom(logsBloom)) {
    throw new ChainUnavailable(`the receipt of ${hash} lacks the logs that its bloom tells of`)
  }
  const gasWei = receipt.gasUsed * receipt.effectiveGasPrice
  return { hash, blockNumber, blockHash, succeeded: receipt.status === 'success', gasWei, logs }
}

async function findSentCall(client: PublicClient, hash: Hex): ReturnType<Chain['getTransaction']> {
  const transaction = await client.getTransaction({ hash }).catch(nullFor(TransactionNotFoundError))
  if (transaction === null) return null
  return {
    to: (transaction.to?.toLowerCase() as Address | undefined) ?? null,
    data: transaction.input.toLowerCase() as Hex,
  }
}

async function findBlockLogs(
  client: PublicClient,
  { addresses, blockNumber }: Parameters<Chain['blockLogs']>[0],
): Promise<BlockLogs> {
  const { hash, logsBloom } = await client.getBlock({ blockNumber })
  const logs = await client.getLogs({ address: [...addresses], blockHash: hash })
  if (logs.length === 0 && addresses.some((address) => isInBloom(logsBloom, address))) {
    throw new ChainUnavailable(`the node hides what block ${blockNumber} says was logged in it`)
  }
  return { blockHash: hash, logs }
}

function nullFor(errorClass: abstract new (...args: never[]) => Error): (error: unknown) => null {
  return (error) => {
    if (error instanceof errorClass) return null
    throw error
  }
}

async function answered<Answer>(request: Promise<Answer>): Promise<Answer> {
  try {
    return await request
  } catch (cause) {
    if (cause instanceof ChainUnavailable) throw cause
    throw new ChainUnavailable('the chain gave no answer', { cause })
  }
}
