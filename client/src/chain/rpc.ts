import { type Address, type Hex, keccak256, stringToBytes } from 'viem'
import type { Deployment } from '../deployment/deployment.ts'

/** What a client reads from a node of its own, beside what the service says. */
export interface Chain {
  /** Time of the newest block, Unix seconds. */
  now(): Promise<number>
  /** Whether an authorization of the wallet is used or cancelled. */
  isAuthorizationUsed(wallet: Address, nonce: Hex): Promise<boolean>
  /** Base units. */
  rewardOf(taskId: Hex): Promise<bigint>
  balanceOf(wallet: Address): Promise<bigint>
  /** Whether USDC would carry out a transfer now: balance, pause and block list. Base units. */
  canTransfer(transfer: { from: Address; to: Address; amount: bigint }): Promise<boolean>
  chainId(): Promise<number>
  /** Whether the account is a forwarder of some market. */
  isForwarder(account: Address): Promise<boolean>
}

/** The reward is the fifth word of the task. */
const REWARD_WORD = 4
const TIMEOUT_MS = 10_000

/** The node ran a call, and it reverted. */
class CallReverted extends Error {}

/** Asks a node by JSON-RPC. Each function throws when it does not answer. */
export function openChain(url: string, { usdc, market }: Deployment, fetch = globalThis.fetch): Chain {
  const request = async (method: string, params: unknown[]): Promise<unknown> => {
    const response = await fetch(url, {
      method: 'POST',
      headers: { 'Content-Type': 'application/json' },
      body: JSON.stringify({ jsonrpc: '2.0', id: 1, method, params }),
      redirect: 'error',
      signal: AbortSignal.timeout(TIMEOUT_MS),
    })
    const { result, error } = (await response.json()) as {
      result?: unknown
      error?: { code?: unknown; message?: unknown }
    }
    // By the standard of the calls 3 is a revert; not every node says so.
    if (error?.code === 3 || /revert/i.test(String(error?.message))) throw new CallReverted('The call would revert.')
    // A node's address may have a key in it: it is in no message.
    if (result === undefined || result === null)
      throw new Error(`The node refused ${method}: ${String(error?.message)}.`)
    return result
  }
  const call = async (to: Address, signature: string, words: string[], from?: Address): Promise<Hex> => {
    const selector = keccak256(stringToBytes(signature)).slice(0, 10)
    const data = `${selector}${words.map((word) => word.slice(2).toLowerCase().padStart(64, '0')).join('')}`
    return (await request('eth_call', [{ ...(from !== undefined && { from }), to, data }, 'latest'])) as Hex
  }
  return {
    now: async () => {
      const block = (await request('eth_getBlockByNumber', ['latest', false])) as { timestamp: Hex }
      return Number(block.timestamp)
    },
    isAuthorizationUsed: async (wallet, nonce) =>
      BigInt(await call(usdc, 'authorizationState(address,bytes32)', [wallet, nonce])) !== 0n,
    rewardOf: async (taskId) => wordOf(await call(market, 'getTask(bytes32)', [taskId]), REWARD_WORD),
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

function wordOf(data: Hex, index: number): bigint {
  const word = data.slice(2 + index * 64, 2 + (index + 1) * 64)
  if (word.length !== 64) throw new Error('The node answered no task.')
  return BigInt(`0x${word}`)
}
