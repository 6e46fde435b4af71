import { type Address, type Hex, numberToHex, pad, toHex, zeroAddress } from 'viem'
import { readArtifact } from '../../scripts/contracts/artifacts.ts'
import { runForge } from '../../scripts/contracts/forge.ts'

/** When the wallet refuses a signature; `priced`: only in a transaction that pays for gas. */
export type Refusal = 'never' | 'always' | 'priced'

const refusals: readonly Refusal[] = ['never', 'always', 'priced']

interface Node {
  request(method: string, params?: unknown[]): Promise<unknown>
}

/** An account that contracts/test/support/RefusingWallet.sol is the code of. */
export interface ScriptedWallet {
  /** From the next block or call on. */
  refuse(when: Refusal): Promise<void>
  /** Takes the signatures of this key alone; without one, every signature. */
  own(owner: Address | null): Promise<void>
}

/** Gives an account the wallet's code; it refuses nothing. */
export async function putScriptedWallet(node: Node, account: Address): Promise<ScriptedWallet> {
  await node.request('anvil_setCode', [account, await readCode()])
  const write = async (slot: number, value: Hex) => {
    await node.request('anvil_setStorageAt', [account, toHex(slot, { size: 32 }), pad(value)])
  }
  return {
    refuse: (when) => write(1, numberToHex(refusals.indexOf(when))),
    own: (owner) => write(0, owner ?? zeroAddress),
  }
}

let code: Promise<Hex> | null = null

function readCode(): Promise<Hex> {
  code ??= compile()
  return code
}

async function compile(): Promise<Hex> {
  const { exitCode, output } = await runForge(['build', 'test/support/RefusingWallet.sol'])
  if (exitCode !== 0) throw new Error(`forge build failed\n${output}`)
  return readArtifact('RefusingWallet').deployedBytecode.object
}
