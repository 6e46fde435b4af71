import { type ChildProcess, spawn } from 'node:child_process'
import { createInterface } from 'node:readline'
import { findFoundryBinary } from './forge.ts'
import { localNetwork } from './network.ts'

/**
 * Runs `work` with a fresh anvil on a free port, and stops the anvil afterwards.
 * @param work receives the URL of the anvil
 * @param chainId default: the chain id of `localNetwork`
 */
export async function withAnvil<T>(
  work: (rpcUrl: string) => Promise<T>,
  chainId: number = localNetwork.chainId,
): Promise<T> {
  const args = ['--port', '0', '--chain-id', String(chainId)]
  const child = spawn(findFoundryBinary('anvil'), args, { stdio: ['ignore', 'pipe', 'inherit'] })
  try {
    return await work(`http://${await waitUntilListening(child)}`)
  } finally {
    child.kill('SIGTERM')
  }
}

/** Waits until anvil prints that it serves. @returns host and port, from this line of the output */
async function waitUntilListening(child: ChildProcess): Promise<string> {
  if (child.stdout === null) throw new Error('anvil has no output to read')
  for await (const line of createInterface({ input: child.stdout })) {
    const match = /^Listening on (\S+)$/.exec(line)
    if (match?.[1] !== undefined) {
      // Whatever it prints later is not read, and must not fill the pipe.
      child.stdout.resume()
      return match[1]
    }
  }
  throw new Error('anvil ended before it listened')
}
