import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { type Child, startChild, waitUntilReady } from '../../ops/process/child.ts'
import { findFoundryBinary } from '../contracts/forge.ts'
import { localNetwork } from '../contracts/network.ts'
import { devAccountCount, devMnemonic } from './dev-accounts.ts'

/**
 * Chain id of Base, or of the network that LOCAL_NETWORK names. The local chain uses the id of the real chain.
 * Signatures, addresses and x402 network names are therefore the same on both.
 */
export const { chainId } = localNetwork

/**
 * Number of newest blocks whose states can be read from the node. It covers all blocks of a deployment, because the
 * deployment searches these states for the blocks that created its contracts. More states need more memory: each state
 * contains the hash of every earlier block, and so grows by 120 bytes with each block.
 */
const KEPT_STATES = 128

export interface AnvilOptions {
  /** Port of the node. Absent: any free port. */
  port?: number
  /** An RPC endpoint of Base. The chain then starts as a copy of Base at its newest block. Absent: an empty chain. */
  forkUrl?: string
  /**
   * File with the state of the chain. The node loads the file if it exists, and writes it when the node stops. Absent:
   * the state is not saved.
   */
  statePath?: string
  /** File of the node's log. Absent: a file below the temporary directory, which `stop` removes. */
  logFile?: string
}

export interface Anvil {
  url: string
  port: number
  pid: number
  child: Child
  /** Sends one JSON-RPC request. @throws the error that the node returned */
  request(method: string, params?: unknown[]): Promise<unknown>
  /** Ends the node. If there is a `statePath`, the state is on disk when this resolves. */
  stop(): Promise<void>
}

/**
 * Starts an anvil node with the chain id `chainId` on 127.0.0.1. The node mines each transaction at once.
 * @throws with the end of the node's log if the node does not start
 */
export async function startAnvil(options: AnvilOptions = {}): Promise<Anvil> {
  const temporaryDirectory = options.logFile === undefined ? mkdtempSync(join(tmpdir(), 'task-market-anvil-')) : null
  const child = await startChild({
    name: 'anvil',
    command: findFoundryBinary('anvil'),
    args: [
      ...argumentsOf(options),
      // Its directory for states, which a killed node leaves, goes with the others.
      ...(temporaryDirectory === null ? [] : ['--cache-path', temporaryDirectory]),
    ],
    logFile: options.logFile ?? join(temporaryDirectory ?? '', 'anvil.log'),
    // It writes its state on both signals; SIGINT is what a person would send.
    stopSignal: 'SIGINT',
    // Blocks of days take a while to write.
    stopTimeoutMilliseconds: 60_000,
    ...(temporaryDirectory === null ? {} : { temporaryDirectory }),
  })
  const stop = async () => {
    await child.stop()
    if (temporaryDirectory !== null) rmSync(temporaryDirectory, { recursive: true, force: true })
  }
  try {
    // It names its port once it listens; asking the log needs no port chosen beforehand, and cannot reach another node.
    const findPort = async () => /^Listening on 127\.0\.0\.1:(\d+)/m.exec(child.readLog())?.[1] ?? null
    const port = Number(await waitUntilReady(child, findPort, { intervalMilliseconds: 5 }))
    const url = `http://127.0.0.1:${port}`
    const request = (method: string, params: unknown[] = []) => requestRpc(url, method, params)
    // One line a request would grow the log without end.
    await request('anvil_setLoggingEnabled', [false])
    return { url, port, pid: child.pid, child, request, stop }
  } catch (error) {
    await stop()
    throw error
  }
}

function argumentsOf(options: AnvilOptions): string[] {
  return [
    '--host',
    '127.0.0.1',
    '--port',
    String(options.port ?? 0),
    '--chain-id',
    String(chainId),
    '--mnemonic',
    devMnemonic,
    '--accounts',
    String(devAccountCount),
    // A saved state, and a 50 MB submission's calls, are larger than the default 2 MB.
    '--no-request-size-limit',
    // The state of an old block has 2 MB, and is never read: kept, it would fill the memory, and the disk of a home directory,
    // where a node that is killed leaves it. Blocks and receipts are kept, 3 kB for an empty one: a new index reads all of them.
    '--prune-history',
    String(KEPT_STATES),
    ...(options.statePath === undefined ? [] : ['--state', options.statePath]),
    ...(options.forkUrl === undefined ? [] : ['--fork-url', options.forkUrl]),
  ]
}

async function requestRpc(url: string, method: string, params: unknown[]): Promise<unknown> {
  const response = await fetch(url, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ jsonrpc: '2.0', id: 1, method, params }),
  })
  const answer: unknown = await response.json()
  if (typeof answer !== 'object' || answer === null) throw new Error(`${method}: no JSON-RPC answer`)
  if ('error' in answer) throw new Error(`${method}: ${JSON.stringify(answer.error)}`)
  return 'result' in answer ? answer.result : null
}

/** Returns the number and the hash of the node's newest block. */
export async function readHead(anvil: Pick<Anvil, 'request'>): Promise<{ number: bigint; hash: string }> {
  const block = await anvil.request('eth_getBlockByNumber', ['latest', false])
  if (typeof block !== 'object' || block === null || !('number' in block) || !('hash' in block)) {
    throw new Error('the node has no latest block')
  }
  return { number: BigInt(String(block.number)), hash: String(block.hash) }
}
