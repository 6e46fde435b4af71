import { type Address, type Hex, numberToHex, pad, toHex } from 'viem'
import { readArtifact } from '../../scripts/contracts/artifacts.ts'
import { runForge } from '../../scripts/contracts/forge.ts'

/** When a hostile contract refuses, in the order of contracts/test/support/Refusals.sol, which documents each. */
const refusals = ['never', 'always', 'priced', 'even blocks', 'mined'] as const
export type Refusal = (typeof refusals)[number]

interface Node {
  request(method: string, params?: unknown[]): Promise<unknown>
}

/** An account with the code of contracts/test/support/RefusingWallet.sol. */
export interface ScriptedWallet {
  /** From the next block or call on. @param burns whether a refusal burns all gas */
  refuse(when: Refusal, burns?: boolean): Promise<void>
}

/** Gives an account the wallet's code; it refuses nothing. */
export async function putScriptedWallet(node: Node, account: Address): Promise<ScriptedWallet> {
  await node.request('anvil_setCode', [account, await readCode()])
  const write = createStorageWriter(node, account)
  return {
    refuse: async (when, burns = false) => {
      await write(2, numberToHex(burns ? 1 : 0))
      await write(1, numberToHex(refusals.indexOf(when)))
    },
  }
}

function createStorageWriter(node: Node, account: Address) {
  return async (slot: number, value: Hex) => {
    await node.request('anvil_setStorageAt', [account, toHex(slot, { size: 32 }), pad(value)])
  }
}

let code: Promise<Hex> | undefined

function readCode(): Promise<Hex> {
  code ??= compile('RefusingWallet')
  return code
}

async function compile(contract: string): Promise<Hex> {
  const { exitCode, output } = await runForge(['build', `test/support/${contract}.sol`])
  if (exitCode !== 0) throw new Error(`forge build failed\n${output}`)
  return readArtifact(contract).deployedBytecode.object
}
