import {
  type Address,
  type Hex,
  keccak256,
  type Log,
  parseTransaction,
  recoverTransactionAddress,
  toHex,
  zeroAddress,
  zeroHash,
} from 'viem'
import { paymentForwarderAbi } from '../../../abis/payment-forwarder.ts'
import { type Chain, ChainUnavailable, type MinedTransaction } from '../../../api/chain/chain.ts'
import type { ForwardedIntent } from '../../../api/intents/intent.ts'
import { paymentOf } from '../../../api/intents/relayed-call.ts'
import { toLog } from '../../support/contract-log.ts'

/** A call that succeeds once, after the calls that it needs. */
export interface PlayedCall {
  intent: Pick<ForwardedIntent, 'kind' | 'chainIntentId' | 'initiator' | 'calldata' | 'relay'>
  needs: readonly PlayedCall[]
}

/** Later than every block. */
const MAX_TIME = 2n ** 48n

interface Sent {
  hash: Hex
  sender: Address
  nonce: bigint
  /** Undefined: a cancellation, which does nothing. */
  call: PlayedCall | undefined
  data: Hex
}

interface Block {
  hash: Hex
  /** Unix seconds. */
  time: bigint
  transactions: readonly (Sent & { succeeded: boolean })[]
}

/** Chooses a whole number from 0 to below `bound`. */
export type Choose = (bound: number) => number

/** A chain of a forwarder whose calls need each other, which a test mines and reorganizes. */
export interface PlayedChain {
  chain: Partial<Chain>
  /** Makes the chain run this call in transactions that have its intent's number. */
  admit(call: PlayedCall): void
  /** Lets another account's transaction make this call revert from the next block on. */
  block(call: PlayedCall): void
  /** Mines transactions of the pool in an order of `choose`, which the nonces of each sender allow. */
  mine(choose: Choose): void
  /** Removes blocks and puts as many empty ones and one in their place; a pool that `keeps` has their transactions. */
  reorganize(depth: number, keeps: boolean): void
  /** Mines an empty block that is so much later, as all after it: payments that end before it can be settled no more. */
  passTime(seconds: bigint): void
  height(): number
}

export function aPlayedChain(forwarder: Address, timestamp: bigint): PlayedChain {
  const blocks: Block[] = [{ hash: hashOf('genesis'), time: timestamp, transactions: [] }]
  let now = timestamp
  const calls: PlayedCall[] = []
  const blocked = new Map<PlayedCall, number>()
  let pool: Sent[] = []
  let made = 0

  const callIn = (data: Hex) =>
    calls.find(({ intent }) => data.toLowerCase().includes(intent.chainIntentId.slice(2).toLowerCase()))
  const minedUpTo = (height: number) => blocks.slice(0, height + 1).flatMap(({ transactions }) => transactions)
  const doneUpTo = (height: number) =>
    new Set(minedUpTo(height).flatMap(({ call, succeeded }) => (succeeded && call !== undefined ? [call] : [])))
  const canRun = (call: PlayedCall, done: ReadonlySet<PlayedCall>, height: number) =>
    !done.has(call) &&
    call.needs.every((need) => done.has(need)) &&
    height < (blocked.get(call) ?? Number.POSITIVE_INFINITY) &&
    (blocks[height]?.time ?? now) < (paymentOf(call.intent)?.validBefore ?? MAX_TIME)
  const height = () => blocks.length - 1
  const blockAt = (at: number): Block => blocks[at] ?? { hash: zeroHash, time: now, transactions: [] }
  const headAt = (at: number) => ({
    number: BigInt(at),
    hash: blockAt(at).hash,
    parentHash: blockAt(at - 1).hash,
    timestamp: blockAt(at).time,
  })
  const append = (transactions: Block['transactions']) => {
    made += 1
    blocks.push({ hash: hashOf(`block ${made}`), time: now, transactions })
  }
  const receipts = () =>
    blocks.flatMap(({ hash: blockHash, transactions }, at) =>
      transactions.map((sent, index): MinedTransaction & { data: Hex } => {
        const mined = { hash: sent.hash, blockNumber: BigInt(at), blockHash, succeeded: sent.succeeded, gasWei: 0n }
        const hasLog = sent.succeeded && sent.call !== undefined
        return { ...mined, data: sent.data, logs: hasLog && sent.call ? [logOf(sent.call, mined, index)] : [] }
      }),
    )
  const logOf = (
    { intent }: PlayedCall,
    { hash, blockNumber, blockHash }: Pick<MinedTransaction, 'hash' | 'blockNumber' | 'blockHash'>,
    index: number,
  ): Log<bigint, number, false> => {
    const payment = paymentOf(intent)
    const args = {
      intentId: intent.chainIntentId,
      actor: intent.relay.mode === 'open' ? zeroAddress : (intent.initiator ?? zeroAddress),
      selector: intent.calldata.slice(0, 10),
      amount: payment?.value ?? 0n,
      paymentNonce: payment?.nonce ?? zeroHash,
      escrowAmount: 0n,
    }
    const event = { abi: paymentForwarderAbi, address: forwarder, name: 'IntentRelayed', args }
    return { ...toLog(event, index, { transactionHash: hash, blockNumber }), blockHash, transactionIndex: index }
  }

  const chain: Partial<Chain> = {
    head: async () => headAt(height()),
    latestHead: async () => headAt(height()),
    confirmedHead: async () => headAt(height()),
    blockHash: async (number) => blocks[Number(number)]?.hash ?? null,
    safeBlockNumber: async () => 0n,
    simulate: async ({ data, blockNumber }) => {
      const at = blockNumber === undefined ? height() : Number(blockNumber)
      if (at > height()) throw new ChainUnavailable('the block is not there yet')
      const call = callIn(data)
      if (call === undefined || canRun(call, doneUpTo(at), at)) return { outcome: 'ok', gas: 100_000n }
      return { outcome: 'reverted', revert: { errorName: 'TaskNotFound', message: 'no such task', data: null } }
    },
    readContract: async ({ functionName, args, blockNumber }) => {
      const done = [...doneUpTo(blockNumber === undefined ? height() : Number(blockNumber))]
      const of = (args ?? []) as readonly unknown[]
      return done.some(({ intent }) =>
        functionName === 'relayed' ? intent.chainIntentId === of[0] : paymentOf(intent)?.nonce === of[1],
      ) as never
    },
    sendRawTransaction: async (raw) => {
      const hash = keccak256(raw)
      const isKnown = pool.some((sent) => sent.hash === hash) || minedUpTo(height()).some((sent) => sent.hash === hash)
      if (isKnown) return
      const { nonce = 0, data = '0x' } = parseTransaction(raw)
      const sender = await recoverTransactionAddress({ serializedTransaction: raw as never })
      pool.push({ hash, nonce: BigInt(nonce), sender, data, call: callIn(data) })
    },
    getTransactionCount: async (address) =>
      BigInt(minedUpTo(height()).filter(({ sender }) => isSame(sender, address)).length),
    getTransactionReceipt: async (hash) => receipts().find((mined) => mined.hash === hash) ?? null,
    getTransaction: async (hash) => {
      const sent = [...pool, ...minedUpTo(height())].find((known) => known.hash === hash)
      return sent === undefined ? null : { to: forwarder, data: sent.data }
    },
    getLogs: async ({ args }) =>
      receipts()
        .flatMap(({ logs }) => logs)
        .filter(({ topics }) => args.intentId === undefined || (topics as readonly Hex[])[1] === args.intentId),
    blockLogs: async ({ blockNumber }) => ({
      blockHash: blockAt(Number(blockNumber)).hash,
      logs: receipts().flatMap((mined) => (mined.blockNumber === blockNumber ? mined.logs : [])),
    }),
  }
  return {
    chain,
    height,
    admit: (call) => calls.push(call),
    block: (call) => blocked.set(call, height()),
    passTime: (seconds) => {
      now += seconds
      append([])
    },
    mine: (choose) => {
      const at = blocks.length
      const done = new Set(doneUpTo(height()))
      const nonces = new Map<Address, bigint>()
      const transactions: (Sent & { succeeded: boolean })[] = []
      const nextOf = (sender: Address) =>
        nonces.get(sender) ?? BigInt(minedUpTo(height()).filter((mined) => mined.sender === sender).length)
      for (let left = choose(pool.length + 2); left > 0; left -= 1) {
        const minable = pool.filter(({ sender, nonce }) => nextOf(sender) === nonce)
        const next = minable[choose(minable.length)]
        if (next === undefined) break
        const succeeded = next.call === undefined || canRun(next.call, done, at)
        if (succeeded && next.call !== undefined) done.add(next.call)
        nonces.set(next.sender, next.nonce + 1n)
        transactions.push({ ...next, succeeded })
        pool = pool.filter((sent) => sent !== next)
      }
      append(transactions)
    },
    reorganize: (depth, keeps) => {
      const removed = blocks.splice(blocks.length - depth).flatMap(({ transactions }) => transactions)
      if (keeps) pool.push(...removed.map(({ succeeded: _, ...sent }) => sent))
      else pool = []
      for (let count = 0; count <= depth; count += 1) append([])
    },
  }
}

function hashOf(text: string): Hex {
  return keccak256(toHex(text))
}

function isSame(one: Address, other: Address): boolean {
  return one.toLowerCase() === other.toLowerCase()
}
