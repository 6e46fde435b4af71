import { setTimeout as pause } from 'node:timers/promises'
import { type Address, type Hex, hexToBigInt, type LocalAccount, numberToHex } from 'viem'
import { type Anvil, chainId } from '../../../scripts/chain/anvil.ts'

type Node = Pick<Anvil, 'request'>

/** The transactions of the replacing blocks: none, the same, or these. */
export type Replacement = 'nothing' | 'same' | readonly Hex[]

export interface Reorg {
  /** Number of replaced blocks. */
  depth: number
  /** The transactions of the first new block; `same` has those of all replaced blocks. */
  transactions: Replacement
}

/**
 * Replaces the newest blocks by as many others. The node drops transactions that are not among the new ones: it has no
 * receipt of them, and the nonces decrease.
 */
export async function reorganize(node: Node, { depth, transactions }: Reorg): Promise<void> {
  const raws = await replacementsOf(node, { depth, transactions })
  await node.request('anvil_reorg', [depth, raws.map((raw) => [raw, 0])])
}

async function replacementsOf(node: Node, { depth, transactions }: Reorg): Promise<readonly Hex[]> {
  if (transactions === 'nothing') return []
  return transactions === 'same' ? await listRaw(node, depth) : transactions
}

/** The signed transactions of the newest blocks, oldest first. */
async function listRaw(node: Node, depth: number): Promise<Hex[]> {
  const head = hexToBigInt((await node.request('eth_blockNumber')) as Hex)
  const raws: Hex[] = []
  for (let height = head - BigInt(depth) + 1n; height <= head; height += 1n) {
    const block = (await node.request('eth_getBlockByNumber', [numberToHex(height), false])) as { transactions: Hex[] }
    for (const hash of block.transactions) raws.push((await node.request('eth_getRawTransactionByHash', [hash])) as Hex)
  }
  return raws
}

/** Whether each transaction is mined immediately in its own block; otherwise they wait for `mine`. */
export async function setMining(node: Node, isAutomatic: boolean): Promise<void> {
  await node.request('evm_setAutomine', [isAutomatic])
}

/** Mines the pending transactions, and empty blocks. */
export async function mine(node: Node, blocks = 1): Promise<void> {
  await node.request('anvil_mine', [numberToHex(blocks)])
}

/** Mines a block this often, as a chain that goes on by itself. @returns a function that ends it */
export function startBlocks(node: Node, everyMs: number): () => Promise<void> {
  const stopping = new AbortController()
  const mining = (async () => {
    while (!stopping.signal.aborted) {
      await mine(node)
      await pause(everyMs, undefined, { signal: stopping.signal }).catch(() => {})
    }
  })()
  mining.catch(() => {})
  return async () => {
    stopping.abort()
    await mining
  }
}

/** Drops a pending transaction, as a full mempool does. @returns whether it was pending */
export async function dropFromMempool(node: Node, hash: Hex): Promise<boolean> {
  return (await node.request('anvil_dropTransaction', [hash])) !== null
}

/** Hashes of the pending transactions. */
export async function listWaiting(node: Node): Promise<Hex[]> {
  const { pending, queued } = (await node.request('txpool_content')) as Record<'pending' | 'queued', PooledBySender>
  return [pending, queued].flatMap((pool) => Object.values(pool).flatMap(hashesOf))
}

type PooledBySender = Record<string, Record<string, { hash: Hex }>>

function hashesOf(byNonce: Record<string, { hash: Hex }>): Hex[] {
  return Object.values(byNonce).map(({ hash }) => hash)
}

/** The base fee of the next block, wei a gas. anvil drops a transaction signed for less instead of mining it. */
export async function setBaseFee(node: Node, baseFee: bigint): Promise<void> {
  await node.request('anvil_setNextBlockBaseFeePerGas', [numberToHex(baseFee)])
}

/** A transfer of zero by a relayer key to itself, as another holder of the key may send it. */
export async function signForeign(
  account: LocalAccount,
  { nonce, maxFeePerGas = 10n ** 12n }: { nonce: number; maxFeePerGas?: bigint },
): Promise<Hex> {
  const fees = { maxFeePerGas, maxPriorityFeePerGas: maxFeePerGas }
  return await account.signTransaction({
    type: 'eip1559',
    chainId,
    nonce,
    to: account.address,
    value: 0n,
    gas: 21_000n,
    ...fees,
  })
}

/** Uses the key's next nonce from outside, on a chain that mines; resolves with the hash when it is mined. */
export async function useNonce(node: Node, account: LocalAccount): Promise<Hex> {
  const nonce = Number(await node.request('eth_getTransactionCount', [account.address, 'latest']))
  const receipt = await node.request('eth_sendRawTransactionSync', [await signForeign(account, { nonce })])
  return (receipt as { transactionHash: Hex }).transactionHash
}

/** Sets the ether of a relayer, wei; 0 makes it underfunded. @returns the balance before */
export async function setRelayerBalance(node: Node, account: Address, wei: bigint): Promise<bigint> {
  const before = hexToBigInt((await node.request('eth_getBalance', [account, 'latest'])) as Hex)
  await node.request('anvil_setBalance', [account, numberToHex(wei)])
  return before
}

/** Mines a block with a time this many seconds after the head, independent of the host's clock. */
export async function jumpTime(node: Node, seconds: number): Promise<void> {
  const head = (await node.request('eth_getBlockByNumber', ['latest', false])) as { timestamp: Hex }
  await node.request('evm_setNextBlockTimestamp', [Number(head.timestamp) + seconds])
  await node.request('evm_mine')
}
