import { type Address, type Hex, hexToBigInt, type LocalAccount, numberToHex } from 'viem'
import { type Anvil, chainId } from '../../../scripts/chain/anvil.ts'

type Node = Pick<Anvil, 'request'>

/** What comes instead of the blocks that vanish: nothing, the same transactions, or these. */
export type Replacement = 'nothing' | 'same' | readonly Hex[]

export interface Reorg {
  /** Blocks that vanish. */
  depth: number
  /** The transactions of the first new block; `same` keeps those of the vanished blocks, all in it. */
  transactions: Replacement
}

/**
 * Replaces the newest blocks by as many others. Transactions that are not among the new ones are forgotten by the node:
 * it knows no receipt of them, and its nonces go back.
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

/** Whether each transaction makes a block of its own at once; otherwise they wait for `mine`. */
export async function setMining(node: Node, isAutomatic: boolean): Promise<void> {
  await node.request('evm_setAutomine', [isAutomatic])
}

/** Mines what waits, and empty blocks besides. */
export async function mine(node: Node, blocks = 1): Promise<void> {
  await node.request('anvil_mine', [numberToHex(blocks)])
}

/** Makes the node forget a transaction that waits, as a full mempool does. @returns whether it was there */
export async function dropFromMempool(node: Node, hash: Hex): Promise<boolean> {
  return (await node.request('anvil_dropTransaction', [hash])) !== null
}

/** Hashes of the transactions that wait. */
export async function listWaiting(node: Node): Promise<Hex[]> {
  const { pending, queued } = (await node.request('txpool_content')) as Record<'pending' | 'queued', PooledBySender>
  return [pending, queued].flatMap((pool) => Object.values(pool).flatMap(hashesOf))
}

type PooledBySender = Record<string, Record<string, { hash: Hex }>>

function hashesOf(byNonce: Record<string, { hash: Hex }>): Hex[] {
  return Object.values(byNonce).map(({ hash }) => hash)
}

/** The base fee of the next block, wei a gas. What was signed for less is not mined in it, and anvil forgets it. */
export async function setBaseFee(node: Node, baseFee: bigint): Promise<void> {
  await node.request('anvil_setNextBlockBaseFeePerGas', [numberToHex(baseFee)])
}

/** A transfer of nothing by a relayer key to itself: what another holder of the key may send. */
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

/** Uses the key's next nonce from outside, on a chain that mines; resolves with the hash when that is mined. */
export async function useNonce(node: Node, account: LocalAccount): Promise<Hex> {
  const nonce = Number(await node.request('eth_getTransactionCount', [account.address, 'latest']))
  const receipt = await node.request('eth_sendRawTransactionSync', [await signForeign(account, { nonce })])
  return (receipt as { transactionHash: Hex }).transactionHash
}

/** Balance of an account, wei: 0 drains it. @returns what it had */
export async function setBalance(node: Node, account: Address, wei: bigint): Promise<bigint> {
  const before = hexToBigInt((await node.request('eth_getBalance', [account, 'latest'])) as Hex)
  await node.request('anvil_setBalance', [account, numberToHex(wei)])
  return before
}

/** Mines a block whose time is so many seconds after the head's, whatever the host's clock says. */
export async function jumpTime(node: Node, seconds: number): Promise<void> {
  const head = (await node.request('eth_getBlockByNumber', ['latest', false])) as { timestamp: Hex }
  await node.request('evm_setNextBlockTimestamp', [Number(head.timestamp) + seconds])
  await node.request('evm_mine')
}
