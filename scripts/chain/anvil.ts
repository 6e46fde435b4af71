import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { type Child, startChild, waitUntilReady } from '../../ops/process/child.ts'
import { findFoundryBinary } from '../contracts/forge.ts'
import { localNetwork } from '../contracts/network.ts'
import { devAccountCount, devMnemonic } from './dev-accounts.ts'

/**
 * Chain id of Base, or of LOCAL_NETWORK. Signatures, addresses and x402 networks of the local chain are those of the real chain.
 */
export const { chainId } = localNetwork

/**
 * Newest blocks whose states can be read: all those of a deployment, which looks for the blocks of its contracts. Each state has
 * the hash of every block in it, so that it grows by 120 bytes a block.
 */
const KEPT_STATES = 128

export interface AnvilOptions {
  /** Absent: any free one. */
  port?: number
  /** An RPC endpoint of Base: the chain starts as a copy of its newest block. Absent: an empty chain. */
  forkUrl?: string
  /** Loaded when it exists; written when the node stops. Absent: nothing is kept. */
  statePath?: string
  /** File of the node's log; absent: a file below the temporary directory, removed by `stop`. */
  logFile?: string
}

export interface Anvil {
  url: string
  port: number
  pid: number
  child: Child
  /** One JSON-RPC call; throws the node's error. */
  request(method: string, params?: unknown[]): Promise<unknown>
  /** Ends the node; its state is on disk by then when there is a `statePath`. */
  stop(): Promise<void>
}

/**
 * Starts an anvil node on chain `chainId` on 127.0.0.1, which mines each transaction at once.
 * @throws with the end of its log if the node does not start
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
