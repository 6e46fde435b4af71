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
  chainId(): Promise<number>
  /** Whether the account is a forwarder of some market. */
  isForwarder(account: Address): Promise<boolean>
}

/** The reward is the fifth word of the task. */
const REWARD_WORD = 4
const TIMEOUT_MS = 10_000

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
    const { result, error } = (await response.json()) as { result?: unknown; error?: { message?: unknown } }
    // A node's address may have a key in it: it is in no message.
    if (result === undefined || result === null)
      throw new Error(`The node refused ${method}: ${String(error?.message)}.`)
    return result
  }
  const call = async (to: Address, signature: string, words: string[]): Promise<Hex> => {
    const selector = keccak256(stringToBytes(signature)).slice(0, 10)
    const data = `${selector}${words.map((word) => word.slice(2).toLowerCase().padStart(64, '0')).join('')}`
    return (await request('eth_call', [{ to, data }, 'latest'])) as Hex
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
    chainId: async () => Number((await request('eth_chainId', [])) as Hex),
    isForwarder: async (account) => {
      const answer = await call(account, 'isPGTRForwarder()', []).catch(() => '0x')
      return answer.length === 66 && BigInt(answer) === 1n
    },
  }
}

function wordOf(data: Hex, index: number): bigint {
  const word = data.slice(2 + index * 64, 2 + (index + 1) * 64)
  if (word.length !== 64) throw new Error('The node answered no task.')
  return BigInt(`0x${word}`)
}
