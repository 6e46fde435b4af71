import { type Address, decodeFunctionResult, type Hex, keccak256, stringToBytes } from 'viem'
import { toAddress } from '../../../protocol/normalise.ts'
import { type AuctionType, toAuctionType } from '../../../protocol/rules/selectors.ts'
import type { Deployment } from '../deployment/deployment.ts'
import { isRecord } from '../http/shape.ts'
import { type AskNode, CallReverted, toHex } from './node.ts'
import { taskViewAbi } from './task-view.ts'

/** What a client reads from a node of its own, beside what the service says. */
export interface Chain {
  /** Time of the newest block, Unix seconds. */
  now(): Promise<number>
  /** Whether an authorization of the wallet is used or cancelled. */
  isAuthorizationUsed(wallet: Address, nonce: Hex): Promise<boolean>
  /** Whether the wallet has cancelled an authorization lately. */
  isAuthorizationCancelled(wallet: Address, nonce: Hex): Promise<boolean>
  taskOf(taskId: Hex): Promise<ChainTask>
  balanceOf(wallet: Address): Promise<bigint>
  /** Whether USDC would carry out a transfer now: balance, pause and block list. Base units. */
  canTransfer(transfer: { from: Address; to: Address; amount: bigint }): Promise<boolean>
  /** The hash of the terms that a claim agrees to. */
  termsHashOf(taskId: Hex): Promise<Hex>
  /** Runs a call as the wallet, without a signature and without an effect. */
  simulate(act: SimulatedAct): Promise<Simulation>
  /** The token of the vault that a hook of sponsored tasks takes rewards from, lower case; null: there is none. */
  tokenOfVault(vault: { hook: Address; vaultId: Hex }): Promise<Address | null>
  /** The tokens of the vaults that have set rewards aside for a task, by what its hooks say; lower case. */
  sponsoringTokens(taskId: Hex): Promise<Address[]>
  chainId(): Promise<number>
  /** Whether the account is a forwarder of some market. */
  isForwarder(account: Address): Promise<boolean>
}

/** Terms of a task, as the market has them. */
export interface ChainTask {
  /** Lower case. */
  requester: Address
  /** Base units. */
  reward: bigint
  /** Basis points of the reward that a claim stakes. */
  stakeBps: number
  /** Number of times that it was reopened. */
  round: number
  /** Null outside auctions, and for a type that this version does not know. */
  auctionType: AuctionType | null
  /** Unix seconds. */
  createdAt: bigint
  bidDeadline: bigint
  /** Floor or start of an auction by the clock, base units. */
  clockPrice: bigint
}

/** A call by a wallet. `takesUsdc`: the contract takes USDC of the wallet with it. */
export interface SimulatedAct {
  from: Address
  to: Address
  data: Hex
  takesUsdc: boolean
}

/** `revertData`: what the contract reverted with; null where the node does not say it. */
export type Simulation = { ok: true } | { ok: false; revertData: Hex | null }

/** The most that a read of a contract may use: a hook or vault can be of any party. */
const CALL_GAS = '0x1e8480'

/** How far back a cancelled authorization is looked for: hours on Base, and fewer than nodes allow in one call. */
const CANCEL_BLOCKS = 5_000

/** The largest amount of a token. */
const UNLIMITED = `0x${'f'.repeat(64)}` as const

/** Reads a chain by a node. Each function throws when it does not answer. */
export function openChain(request: AskNode, { usdc, market }: Deployment): Chain {
  const call = async (to: Address, signature: string, words: string[], from?: Address): Promise<Hex> => {
    const data = encode(signature, words)
    const answer = await request('eth_call', [
      { ...(from !== undefined && { from }), to, data, gas: CALL_GAS },
      'latest',
    ])
    if (typeof answer === 'string' && /^0x([0-9a-f]{2})*$/i.test(answer)) return answer as Hex
    throw new Error('The node answered a call without hex data.')
  }
  /** The approval that a direct call needs comes first: the payment of a relayed write takes its place. */
  const simulateWithUsdc = async ({ from, to, data }: SimulatedAct): Promise<Simulation> => {
    const approval = { from, to: usdc, data: encode('approve(address,uint256)', [to, UNLIMITED]) }
    const blockStateCalls = [{ calls: [approval, { from, to, data }] }]
    const blocks = (await request('eth_simulateV1', [{ blockStateCalls }, 'latest'])) as { calls?: unknown }[]
    const calls = Array.isArray(blocks) ? blocks[0]?.calls : undefined
    const act = (Array.isArray(calls) ? calls[1] : null) as SimulatedCall | null
    if (!isRecord(act)) throw new Error('The node did not simulate the call.')
    if (act.status === '0x1') return { ok: true }
    return { ok: false, revertData: toHex((act as SimulatedCall).error?.data) ?? toHex(act.returnData) }
  }
  return {
    now: async () => {
      const block = (await request('eth_getBlockByNumber', ['latest', false])) as { timestamp?: unknown }
      const seconds = typeof block.timestamp === 'string' ? Number(block.timestamp) : Number.NaN
      if (Number.isSafeInteger(seconds) && seconds > 0) return seconds
      throw new Error('The node answered no block.')
    },
    isAuthorizationUsed: async (wallet, nonce) =>
      BigInt(await call(usdc, 'authorizationState(address,bytes32)', [wallet, nonce])) !== 0n,
    isAuthorizationCancelled: async (wallet, nonce) => {
      const newest = Number(await request('eth_blockNumber', []))
      const fromBlock = `0x${Math.max(0, newest - CANCEL_BLOCKS).toString(16)}`
      const topics = [
        topicOf('AuthorizationCanceled(address,bytes32)'),
        `0x${wallet.slice(2).padStart(64, '0')}`,
        nonce,
      ]
      const logs = await request('eth_getLogs', [{ address: usdc, topics, fromBlock, toBlock: 'latest' }])
      if (!Array.isArray(logs)) throw new Error('The node answered no logs.')
      return logs.length > 0
    },
    taskOf: async (taskId) => {
      const data = await call(market, 'getTask(bytes32)', [taskId])
      const { requester, reward, stakeBps, round, auctionType, createdAt, bidDeadline, clockPrice } =
        decodeFunctionResult({ abi: taskViewAbi, data })
      const type = toAuctionType(auctionType)
      return {
        requester: toAddress(requester),
        reward,
        stakeBps,
        round,
        clockPrice,
        auctionType: type === 'unknown' ? null : type,
        createdAt: BigInt(createdAt),
        bidDeadline: BigInt(bidDeadline),
      }
    },
    balanceOf: async (wallet) => BigInt(await call(usdc, 'balanceOf(address)', [wallet])),
    canTransfer: async ({ from, to, amount }) => {
      const words = [to, `0x${amount.toString(16)}`]
      try {
        return BigInt(await call(usdc, 'transfer(address,uint256)', words, from)) === 1n
      } catch (error) {
        if (error instanceof CallReverted) return false
        throw error
      }
    },
    tokenOfVault: async ({ hook, vaultId }) => {
      const factory = addressIn(await call(hook, 'factory()', []))
      const vault = factory && addressIn(await call(factory, 'vaultOf(bytes32)', [vaultId]))
      return vault && addressIn(await call(vault, 'token()', []))
    },
    sponsoringTokens: async (taskId) => {
      const hooks = addressesIn(await call(market, 'hooksOf(bytes32)', [taskId]))
      const tokens = await Promise.all(
        hooks.map(async (hook) => {
          try {
            const vault = addressIn(await call(hook, 'vaultOfTask(bytes32)', [taskId]))
            return vault && addressIn(await call(vault, 'token()', []))
          } catch (error) {
            // Other hooks have no such function.
            if (error instanceof CallReverted) return null
            throw error
          }
        }),
      )
      return tokens.filter((token) => token !== null)
    },
    termsHashOf: (taskId) => call(market, 'taskTermsHash(bytes32)', [taskId]),
    simulate: async (act) => {
      if (act.takesUsdc) return await simulateWithUsdc(act)
      try {
        await request('eth_call', [{ from: act.from, to: act.to, data: act.data }, 'latest'])
        return { ok: true }
      } catch (error) {
        if (error instanceof CallReverted) return { ok: false, revertData: error.data }
        throw error
      }
    },
    chainId: async () => Number((await request('eth_chainId', [])) as Hex),
    isForwarder: async (account) => {
      try {
        const answer = await call(account, 'isPGTRForwarder()', [])
        return answer.length === 66 && BigInt(answer) === 1n
      } catch (error) {
        if (error instanceof CallReverted) return false
        throw error
      }
    },
  }
}

interface SimulatedCall {
  status?: unknown
  returnData?: unknown
  error?: { data?: unknown } | null
}

function encode(signature: string, words: readonly string[]): Hex {
  const selector = topicOf(signature).slice(0, 10)
  return `${selector}${words.map((word) => word.slice(2).toLowerCase().padStart(64, '0')).join('')}` as Hex
}

function topicOf(signature: string): Hex {
  return keccak256(stringToBytes(signature))
}

/** The address that a call answered; null: the zero address, or none. */
function addressIn(data: Hex): Address | null {
  const address = `0x${data.slice(26, 66)}`
  return /^0x0{24}[0-9a-f]{40}/.test(data) && BigInt(address) !== 0n ? (address as Address) : null
}

/** The list of addresses that a call answered first. */
function addressesIn(data: Hex): Address[] {
  const start = Number(wordOf(data, 0)) / 32
  const count = Number(wordOf(data, start))
  // A market has at most 8 hooks a task.
  return Array.from({ length: Math.min(count, 8) }, (_, at) => toAddressText(wordOf(data, start + 1 + at)))
}

function toAddressText(word: bigint): Address {
  return `0x${word.toString(16).padStart(40, '0')}`
}

function wordOf(data: Hex, index: number): bigint {
  const word = data.slice(2 + index * 64, 2 + (index + 1) * 64)
  if (word.length !== 64) throw new Error('The node answered no addresses.')
  return BigInt(`0x${word}`)
}
