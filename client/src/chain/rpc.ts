import { type Address, decodeFunctionResult, type Hex, keccak256, stringToBytes } from 'viem'
import { toAddress } from '../../../protocol/normalise.ts'
import { type AuctionType, toAuctionType } from '../../../protocol/rules/selectors.ts'
import type { Deployment } from '../deployment/deployment.ts'
import { isRecord } from '../http/shape.ts'
import { type AskNode, CallReverted, toHex } from './node.ts'
import { taskViewAbi } from './task-view.ts'

/** Functions that read from the client's own node. The client uses the results to check the service's answers. */
export interface Chain {
  /** Returns the time of the latest block, in Unix seconds. */
  now(): Promise<number>
  /**
   * Returns the time at which the lifetime of a new signature starts, in Unix seconds. This is the time of the latest
   * block, or on a local chain the time of the pending block. A local chain may make no block for hours, but its
   * pending block has the current time.
   */
  signingTime(): Promise<number>
  /** Reports whether a payment authorization (EIP-3009) of the wallet is used or cancelled. */
  isAuthorizationUsed(wallet: Address, nonce: Hex): Promise<boolean>
  /** Reports whether the wallet cancelled the payment authorization in the latest 5,000 blocks. */
  isAuthorizationCancelled(wallet: Address, nonce: Hex): Promise<boolean>
  taskOf(taskId: Hex): Promise<ChainTask>
  balanceOf(wallet: Address): Promise<bigint>
  /**
   * Returns true if USDC would execute the transfer now. `amount` is in base units.
   *
   * False: the balance is too low, USDC is paused, or one of the accounts is on USDC's block list.
   */
  canTransfer(transfer: { from: Address; to: Address; amount: bigint }): Promise<boolean>
  /** Reads the hash of a task's terms. A worker agrees to these terms by a claim. */
  termsHashOf(taskId: Hex): Promise<Hex>
  /** Simulates a call from the wallet, without a signature and without an effect on the chain. */
  simulate(act: SimulatedAct): Promise<Simulation>
  /** Returns the address of a vault's token, in lower case; null if the hook has no such vault. */
  tokenOfVault(vault: { hook: Address; vaultId: Hex }): Promise<Address | null>
  /**
   * Returns the addresses, in lower case, of the tokens that vaults have reserved for a task. The client reads the
   * addresses from the task's hooks.
   */
  sponsoringTokens(taskId: Hex): Promise<Address[]>
  chainId(): Promise<number>
  /**
   * Reports whether the account is a contract whose function `isPGTRForwarder` returns true, as a market's forwarder
   * does.
   */
  isForwarder(account: Address): Promise<boolean>
}

/** The terms of a task, as the market contract stores them. */
export interface ChainTask {
  /** Account of the requester, lower case. */
  requester: Address
  /** Reward, in base units of USDC. */
  reward: bigint
  /** The part of the reward that a worker stakes with a claim, in basis points. */
  stakeBps: number
  /** Number of times that the task was reopened. */
  round: number
  /** Auction type; null for modes other than auction, and for a type that this version does not support. */
  auctionType: AuctionType | null
  /** Time of creation, in Unix seconds. */
  createdAt: bigint
  bidDeadline: bigint
  /**
   * Floor price of a dutch auction, or start price of a reverse dutch auction, in base units of USDC. Zero if the task
   * is neither of these auctions.
   */
  clockPrice: bigint
}

/** A call to simulate. `takesUsdc` is true if the called contract also transfers USDC from the wallet `from`. */
export interface SimulatedAct {
  from: Address
  to: Address
  data: Hex
  takesUsdc: boolean
}

/** The result of a simulation. `revertData` is null if the node returned no revert data. */
export type Simulation = { ok: true } | { ok: false; revertData: Hex | null }

/** Gas limit of a read: 2,000,000. The limit exists because hooks and vaults are untrusted contracts. */
const CALL_GAS = '0x1e8480'

/**
 * The number of recent blocks that are searched for a cancelled authorization: about three hours on Base. Nodes allow
 * this range in one call.
 */
const CANCEL_BLOCKS = 5_000

/** The maximum of a uint256, which USDC treats as an unlimited allowance. */
const UNLIMITED = `0x${'f'.repeat(64)}` as const

/**
 * Returns functions that read the chain of the deployment from a node. Each function throws when the node does not
 * answer.
 */
export function openChain(request: AskNode, { usdc, market, local: isLocal }: Deployment): Chain {
  const call = async (to: Address, signature: string, words: string[], from?: Address): Promise<Hex> => {
    const data = encode(signature, words)
    const answer = await request('eth_call', [
      { ...(from !== undefined && { from }), to, data, gas: CALL_GAS },
      'latest',
    ])
    if (typeof answer === 'string' && /^0x([0-9a-f]{2})*$/i.test(answer)) return answer as Hex
    throw new Error('The node answered no hex data.')
  }
  /**
   * Simulates an approval of USDC, and then a call that transfers USDC from the wallet. The approval stands in for the
   * payment of the relayed write.
   */
  const simulateWithUsdc = async ({ from, to, data }: SimulatedAct): Promise<Simulation> => {
    const approval = { from, to: usdc, data: encode('approve(address,uint256)', [to, UNLIMITED]) }
    const blockStateCalls = [{ calls: [approval, { from, to, data }] }]
    const blocks = (await request('eth_simulateV1', [{ blockStateCalls }, 'latest'])) as { calls?: unknown }[]
    const calls = Array.isArray(blocks) ? blocks[0]?.calls : undefined
    const act = (Array.isArray(calls) ? calls[1] : null) as SimulatedCall | null
    if (!isRecord(act)) throw new Error('The node answered no simulation.')
    if (act.status === '0x1') return { ok: true }
    return { ok: false, revertData: toHex((act as SimulatedCall).error?.data) ?? toHex(act.returnData) }
  }
  const timeOf = async (tag: 'latest' | 'pending'): Promise<number> => {
    const block = (await request('eth_getBlockByNumber', [tag, false])) as { timestamp?: unknown }
    const seconds = Number(block.timestamp)
    if (Number.isSafeInteger(seconds) && seconds > 0) return seconds
    throw new Error('The node answered no block.')
  }
  return {
    now: () => timeOf('latest'),
    signingTime: () => timeOf(isLocal ? 'pending' : 'latest'),
    isAuthorizationUsed: async (wallet, nonce) =>
      BigInt(await call(usdc, 'authorizationState(address,bytes32)', [wallet, nonce])) !== 0n,
    isAuthorizationCancelled: async (wallet, nonce) => {
      const headNumber = Number(await request('eth_blockNumber', []))
      const fromBlock = `0x${Math.max(0, headNumber - CANCEL_BLOCKS).toString(16)}`
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
            // Hooks without sponsored rewards do not have this function, and revert.
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

/** Decodes the address that a call returned; null if the call returned the zero address or no data. */
function addressIn(data: Hex): Address | null {
  const address = `0x${data.slice(26, 66)}`
  return /^0x0{24}[0-9a-f]{40}/.test(data) && BigInt(address) !== 0n ? (address as Address) : null
}

/** Decodes the list of addresses that a call returned as its first value. */
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
